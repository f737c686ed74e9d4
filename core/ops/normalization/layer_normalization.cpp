#include "ops/normalization/normalization.h"
#include "ops/shape_messages.h"

#include <cmath>

namespace fusescope {

namespace {

DType stashType(const Attributes& attributes)
{
    const auto type = static_cast<DType>(attributes.getInt("stash_type", 1));
    return isFloatingPoint(type) ? type : DType::float32;
}

// Normalises all elements from `axis` on as one row; `centred` takes the mean away.
Result<void> normalizeRows(KernelContext& context, bool centred)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* scale, context.tensor(1));
    const Tensor* bias = centred ? context.optionalTensor(2) : nullptr;
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(context, context.attributes().getInt("axis", -1), x->rank()));
    const std::span<const std::int64_t> shape = x->shape();
    const std::int64_t rows = productOf(shape.first(axis)), length = productOf(shape.subspan(axis));
    for (const Tensor* t : {scale, bias}) {
        if (t && !broadcastsToSizes(t->shape(), shape))
            return context.wrong(
                cannotBroadcastTo(t == scale ? 1 : 2, shapeText(t->shape()), shapeText(shape)));
    }
    const double epsilon = context.attributes().getFloat("epsilon", 1e-5F);
    Sizes statisticShape(shape.begin(), shape.end());
    std::fill(statisticShape.begin() + static_cast<std::ptrdiff_t>(axis), statisticShape.end(), 1);
    const DType stash = stashType(context.attributes());
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    FUSESCOPE_ASSIGN(Tensor means, context.allocate(stash, statisticShape));
    FUSESCOPE_ASSIGN(Tensor inverses, context.allocate(stash, statisticShape));
    // Scale and bias written out for one row where they repeat, else for all.
    const Sizes whole(shape.begin(), shape.end());
    const auto spread = [&](const Tensor* t, double fallback) {
        std::vector<double> values(static_cast<std::size_t>(x->elementCount()), fallback);
        if (t)
            forEachRun<1>(whole, {broadcastStrides(t->shape(), whole)},
                          [&](std::int64_t first, std::int64_t count, const auto& at,
                              const auto& step) {
                              for (std::int64_t j = 0; j < count; ++j)
                                  values[static_cast<std::size_t>(first + j)] =
                                      t->asDouble(at[0] + j * step[0]);
                          });
        return values;
    };
    const auto scales = spread(scale, 1), biases = spread(bias, 0);
    for (std::int64_t r = 0; r < rows; ++r) {
        if (context.stopRequested())
            return cancelled();
        double sum = 0, squares = 0;
        for (std::int64_t i = 0; centred && i < length; ++i)
            sum += x->asDouble(r * length + i);
        const double mean = sum / static_cast<double>(length);
        const double centre = centred ? mean : 0;
        for (std::int64_t i = 0; i < length; ++i) {
            const double d = x->asDouble(r * length + i) - centre;
            squares += d * d;
        }
        const double inverse = 1 / std::sqrt(squares / static_cast<double>(length) + epsilon);
        means.store(r, mean);
        inverses.store(r, inverse);
        for (std::int64_t i = 0; i < length; ++i) {
            const auto at = static_cast<std::size_t>(r * length + i);
            y.store(r * length + i, (x->asDouble(r * length + i) - centre) * inverse * scales[at] +
                                        biases[at]);
        }
    }
    context.setOutput(0, std::move(y));
    if (context.wantsOutput(1))
        context.setOutput(1, std::move(means));
    if (context.wantsOutput(2))
        context.setOutput(2, std::move(inverses));
    return {};
}

} // namespace

Result<void> inferLayerNormalization(InferenceContext& context)
{
    copyType(context);
    const Shape& x = context.shape(0);
    if (!x.hasRank())
        return {};
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(context, context.attributes().getInt("axis", -1), x.rank()));
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        if (context.hasInput(i) && broadcastsTo(context.shape(i), x) == Answer::no)
            return context.wrong(cannotBroadcastTo(i, context.shape(i).text(), x.text()));
    }
    Shape statistics = x;
    for (std::size_t i = axis; i < x.rank(); ++i)
        statistics.set(i, Dim(1));
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        context.setTensor(i, stashType(context.attributes()), statistics);
    return {};
}

Result<void> runLayerNormalization(KernelContext& context)
{
    return normalizeRows(context, true);
}

Result<void> runRmsNormalization(KernelContext& context)
{
    return normalizeRows(context, false);
}

} // namespace fusescope
