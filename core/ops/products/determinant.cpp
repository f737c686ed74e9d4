#include "ops/products/products.h"

namespace fusescope {

Result<void> inferDet(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 2));
    const Shape& x = context.shape(0);
    if (!x.hasRank()) {
        context.setTensor(0, context.dtype(0), Shape());
        return {};
    }
    if (provablyDifferent(x[x.rank() - 1], x[x.rank() - 2]))
        return context.wrong(notSquare(0, x.text()));
    std::vector<Dim> dims(x.dims().begin(), x.dims().end() - 2);
    context.setTensor(0, context.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runDet(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    const std::int64_t n = x->shape().back();
    if (x->shape()[x->rank() - 2] != n)
        return context.wrong(notSquare(0, shapeText(x->shape())));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(),
                                                Sizes(x->shape().begin(), x->shape().end() - 2)));
    std::vector<double> m(static_cast<std::size_t>(n * n));
    const auto at = [&](std::int64_t r, std::int64_t c) -> double& {
        return m[static_cast<std::size_t>(r * n + c)];
    };
    for (std::int64_t b = 0; b < y.elementCount(); ++b) {
        for (std::int64_t i = 0; i < n * n; ++i)
            m[static_cast<std::size_t>(i)] = x->asDouble(b * n * n + i);
        // Elimination with the largest pivot of each column.
        double det = 1;
        for (std::int64_t c = 0; c < n && det != 0; ++c) {
            if (context.stopRequested())
                return cancelled();
            std::int64_t pivot = c;
            for (std::int64_t r = c + 1; r < n; ++r)
                pivot = std::abs(at(r, c)) > std::abs(at(pivot, c)) ? r : pivot;
            if (pivot != c) {
                det = -det;
                for (std::int64_t k = 0; k < n; ++k)
                    std::swap(at(c, k), at(pivot, k));
            }
            det *= at(c, c);
            for (std::int64_t r = c + 1; r < n && at(c, c) != 0; ++r) {
                const double factor = at(r, c) / at(c, c);
                for (std::int64_t k = c; k < n; ++k)
                    at(r, k) -= factor * at(c, k);
            }
        }
        y.store(b, det);
    }
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
