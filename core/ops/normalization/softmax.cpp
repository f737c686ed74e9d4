#include "ops/normalization/normalization.h"

#include <cmath>

namespace fusescope {

namespace {

// Rows to normalise: element i of row (o, k) lies at (o·length + i)·inner + k.
struct Rows
{
    std::int64_t outer = 0, length = 0, inner = 0;
};

// Before 13 all axes from `axis` on are one row, from 13 on the axis alone.
Result<Rows> rowsOf(const KernelContext& context, const Tensor& x)
{
    const bool flattens = context.sinceVersion() < 13;
    if (x.rank() == 0)
        return Rows{1, 1, 1};
    const std::int64_t wanted = context.attributes().getInt("axis", flattens ? 1 : -1);
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(context, wanted, x.rank(), flattens && wanted >= 0));
    const std::span<const std::int64_t> shape = x.shape();
    if (flattens)
        return Rows{productOf(shape.first(axis)), productOf(shape.subspan(axis)), 1};
    return Rows{productOf(shape.first(axis)), shape[axis], productOf(shape.subspan(axis + 1))};
}

// f(row) changes one row in place, in double.
template <class F>
Result<void> forEachRow(KernelContext& context, F&& f)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Rows rows, rowsOf(context, *x));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x->aligned<T>();
        T* out = y.mutableElements<T>();
        std::vector<double> row(static_cast<std::size_t>(rows.length));
        if (rows.length == 0)
            return {};
        for (std::int64_t o = 0; o < rows.outer; ++o) {
            if (context.stopRequested())
                return cancelled();
            for (std::int64_t k = 0; k < rows.inner; ++k) {
                const std::int64_t base = o * rows.length * rows.inner + k;
                for (std::size_t i = 0; i < row.size(); ++i)
                    row[i] = static_cast<double>(
                        widen(xs[static_cast<std::size_t>(base) +
                                 i * static_cast<std::size_t>(rows.inner)]));
                f(row);
                for (std::size_t i = 0; i < row.size(); ++i)
                    out[base + static_cast<std::int64_t>(i) * rows.inner] = narrow<T>(row[i]);
            }
        }
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace

Result<void> inferSoftmax(InferenceContext& context)
{
    const Shape& x = context.shape(0);
    const bool flattens = context.sinceVersion() < 13;
    const std::int64_t wanted = context.attributes().getInt("axis", flattens ? 1 : -1);
    if (x.hasRank() && x.rank() > 0)
        FUSESCOPE_TRY(axisOf(context, wanted, x.rank(), flattens && wanted >= 0));
    copyType(context);
    return {};
}

Result<void> runSoftmax(KernelContext& context)
{
    return forEachRow(context, [](std::vector<double>& row) {
        const double top = *std::max_element(row.begin(), row.end());
        double sum = 0;
        for (double& v : row) {
            v = std::exp(v - top);
            sum += v;
        }
        for (double& v : row)
            v /= sum;
    });
}

Result<void> runLogSoftmax(KernelContext& context)
{
    return forEachRow(context, [](std::vector<double>& row) {
        const double top = *std::max_element(row.begin(), row.end());
        double sum = 0;
        for (const double v : row)
            sum += std::exp(v - top);
        const double shift = top + std::log(sum);
        for (double& v : row)
            v -= shift;
    });
}

Result<void> runHardmax(KernelContext& context)
{
    return forEachRow(context, [](std::vector<double>& row) {
        const auto top = std::max_element(row.begin(), row.end()) - row.begin();
        std::fill(row.begin(), row.end(), 0.0);
        row[static_cast<std::size_t>(top)] = 1;
    });
}

} // namespace fusescope
