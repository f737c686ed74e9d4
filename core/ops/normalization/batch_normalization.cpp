#include "ops/normalization/normalization.h"

#include <cmath>

namespace fusescope {

bool batchStatistics(const Attributes& attributes, int since, bool extraOutputs)
{
    if (since >= 14)
        return attributes.getInt("training_mode", 0) != 0;
    if (since >= 7)
        return extraOutputs;
    return attributes.getInt("is_test", 0) == 0;
}

Result<void> inferBatchNormalization(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 1));
    copyType(context);
    const Shape& x = context.shape(0);
    const bool perChannel =
        context.sinceVersion() >= 9 || context.attributes().getInt("spatial", 1) != 0;
    if (x.hasRank() && x.rank() >= 2 && perChannel) {
        for (std::size_t i = 1; i < 5; ++i) {
            FUSESCOPE_TRY(requireRank(context, i, 1, 1));
            if (context.shape(i).hasRank() && provablyDifferent(context.shape(i)[0], x[1]))
                return context.wrong(
                    wrongShape(i, "[" + x[1].text() + "]", context.shape(i).text()));
        }
    }
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        context.setOutput(i, context.input(i % 2 == 1 ? 3 : 4).type);
    return {};
}

Result<void> runBatchNormalization(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    const Tensor* parameters[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
        FUSESCOPE_ASSIGN(parameters[i], context.tensor(i + 1));
    }
    FUSESCOPE_TRY(requireRank(context, *x, 0, 1));
    const bool spatial =
        context.sinceVersion() >= 9 || context.attributes().getInt("spatial", 1) != 0;
    const std::int64_t batch = x->shape()[0];
    const std::int64_t perSample = batch ? x->elementCount() / batch : 0;
    const std::int64_t channels = x->rank() > 1 ? x->shape()[1] : 1;
    const std::int64_t slots = spatial ? channels : perSample; // one mean and variance each
    const std::int64_t inner = slots ? perSample / slots : 0;
    for (std::size_t i = 0; i < 4; ++i) {
        // Without spatial statistics an empty tensor does not tell their number.
        if (parameters[i]->elementCount() != slots && (spatial || x->elementCount() != 0))
            return context.wrong(wrongShape(i + 1, "[" + std::to_string(slots) + "]",
                                            shapeText(parameters[i]->shape())));
    }
    bool extra = false;
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        extra = extra || context.wantsOutput(i);
    const bool training = batchStatistics(context.attributes(), context.sinceVersion(), extra);
    const double epsilon = context.attributes().getFloat("epsilon", 1e-5F);
    const double momentum = context.attributes().getFloat("momentum", 0.9F);

    std::vector<double> mean(static_cast<std::size_t>(slots)), variance(mean.size());
    for (std::size_t s = 0; s < mean.size(); ++s) {
        mean[s] = parameters[2]->asDouble(static_cast<std::int64_t>(s));
        variance[s] = parameters[3]->asDouble(static_cast<std::int64_t>(s));
    }
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    std::vector<double> batchMean = mean, batchVariance = variance;
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x->aligned<T>();
        T* out = y.mutableElements<T>();
        const auto at = [&](std::int64_t n, std::int64_t s) { return (n * slots + s) * inner; };
        for (std::int64_t s = 0; s < slots; ++s) {
            if (context.stopRequested())
                return cancelled();
            const auto slot = static_cast<std::size_t>(s);
            if (training) {
                const double count = static_cast<double>(batch * inner);
                double sum = 0, squares = 0;
                for (std::int64_t n = 0; n < batch; ++n) {
                    for (std::int64_t i = 0; i < inner; ++i)
                        sum += static_cast<double>(widen(xs[static_cast<std::size_t>(at(n, s) + i)]));
                }
                batchMean[slot] = sum / count;
                for (std::int64_t n = 0; n < batch; ++n) {
                    for (std::int64_t i = 0; i < inner; ++i) {
                        const double d =
                            static_cast<double>(widen(xs[static_cast<std::size_t>(at(n, s) + i)])) -
                            batchMean[slot];
                        squares += d * d;
                    }
                }
                batchVariance[slot] = squares / count;
            }
            const double scale =
                parameters[0]->asDouble(s) / std::sqrt(batchVariance[slot] + epsilon);
            const double bias = parameters[1]->asDouble(s);
            for (std::int64_t n = 0; n < batch; ++n) {
                for (std::int64_t i = 0; i < inner; ++i) {
                    const double v =
                        static_cast<double>(widen(xs[static_cast<std::size_t>(at(n, s) + i)]));
                    out[at(n, s) + i] = narrow<T>((v - batchMean[slot]) * scale + bias);
                }
            }
        }
        return {};
    }));
    context.setOutput(0, std::move(y));
    for (std::size_t i = 1; i < context.outputCount(); ++i) {
        if (!context.wantsOutput(i))
            continue;
        const Tensor& like = *parameters[i % 2 == 1 ? 2 : 3];
        FUSESCOPE_ASSIGN(Tensor statistic, context.allocate(like.dtype(), like.shape()));
        const auto& now = i % 2 == 1 ? batchMean : batchVariance;
        const auto& before = i % 2 == 1 ? mean : variance;
        for (std::size_t s = 0; s < now.size(); ++s) {
            const bool running = i <= 2 && training;
            statistic.store(static_cast<std::int64_t>(s),
                            running ? before[s] * momentum + now[s] * (1 - momentum) : now[s]);
        }
        context.setOutput(i, std::move(statistic));
    }
    return {};
}

} // namespace fusescope
