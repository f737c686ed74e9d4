#include "ops/normalization/normalization.h"
#include "ops/shape_messages.h"

#include <cmath>

namespace fusescope {

namespace {

enum class Reduction { none, sum, mean };

Result<Reduction> reductionOf(const Attributes& attributes)
{
    const std::string name = attributes.getString("reduction", "mean");
    if (name == "none")
        return Reduction::none;
    if (name == "sum")
        return Reduction::sum;
    if (name == "mean")
        return Reduction::mean;
    return fail(ErrorCode::invalidModel, wrongAttribute("reduction", "none, sum, mean", name));
}

Result<void> inferLossShape(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 2));
    FUSESCOPE_ASSIGN(const Reduction reduction, reductionOf(context.attributes()));
    const Shape& target = context.shape(1);
    context.setTensor(0, context.dtype(0),
                      reduction == Reduction::none ? target : Shape::scalar());
    return {};
}

// The loss of log-probabilities [batch, classes, inner] at the classes that `target` names; what is
// ignored counts for nothing, and the mean is taken by weight.
Result<Tensor> lossOf(const KernelContext& context, const std::vector<double>& logs,
                      const Tensor& like, const Tensor& target, const Tensor* weights)
{
    FUSESCOPE_ASSIGN(const Reduction reduction, reductionOf(context.attributes()));
    const Attribute* ignored = context.attributes().find("ignore_index");
    const std::int64_t batch = like.shape()[0], classes = like.shape()[1];
    Sizes expected = {batch};
    expected.insert(expected.end(), like.shape().begin() + 2, like.shape().end());
    if (target.shape() != expected)
        return context.wrong(wrongShape(1, shapeText(expected), shapeText(target.shape())));
    if (weights && weights->elementCount() != classes)
        return context.wrong(wrongShape(2, "[" + std::to_string(classes) + "]",
                                        shapeText(weights->shape())));
    const std::int64_t inner = batch ? target.elementCount() / batch : 0;
    FUSESCOPE_ASSIGN(Tensor result, context.allocate(like.dtype(), reduction == Reduction::none
                                                                       ? target.shape()
                                                                       : Sizes{}));
    double sum = 0, total = 0;
    for (std::int64_t i = 0; i < target.elementCount(); ++i) {
        const std::int64_t label = target.asInt(i);
        double loss = 0;
        if (!ignored || label != context.attributes().getInt("ignore_index", 0)) {
            if (label < 0 || label >= classes)
                return context.wrong(indexOutOfRange(1, label, classes));
            const double weight = weights ? weights->asDouble(label) : 1;
            const std::int64_t at = (i / inner * classes + label) * inner + i % inner;
            loss = -logs[static_cast<std::size_t>(at)] * weight;
            total += weight;
        }
        sum += loss;
        if (reduction == Reduction::none)
            result.store(i, loss);
    }
    if (reduction != Reduction::none)
        result.store(0, reduction == Reduction::mean ? sum / total : sum);
    return result;
}

} // namespace

Result<void> inferNegativeLogLikelihood(InferenceContext& context)
{
    return inferLossShape(context);
}

Result<void> inferSoftmaxCrossEntropy(InferenceContext& context)
{
    FUSESCOPE_TRY(inferLossShape(context));
    context.setOutput(1, context.input(0).type);
    return {};
}

Result<void> runNegativeLogLikelihood(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* target, context.tensor(1));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    std::vector<double> logs(static_cast<std::size_t>(x->elementCount()));
    for (std::size_t i = 0; i < logs.size(); ++i)
        logs[i] = x->asDouble(static_cast<std::int64_t>(i));
    FUSESCOPE_ASSIGN(Tensor loss, lossOf(context, logs, *x, *target, context.optionalTensor(2)));
    context.setOutput(0, std::move(loss));
    return {};
}

Result<void> runSoftmaxCrossEntropy(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* target, context.tensor(1));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    const std::int64_t batch = x->shape()[0], classes = x->shape()[1];
    const std::int64_t rows = batch * classes;
    const std::int64_t inner = rows > 0 ? x->elementCount() / rows : 0;
    FUSESCOPE_ASSIGN(Tensor logTensor, context.allocate(x->dtype(), x->shape()));
    std::vector<double> logs(static_cast<std::size_t>(x->elementCount()));
    for (std::int64_t o = 0; o < batch * inner; ++o) {
        const std::int64_t base = o / inner * classes * inner + o % inner;
        double top = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::int64_t c = 0; c < classes; ++c)
            top = std::max(top, x->asDouble(base + c * inner));
        for (std::int64_t c = 0; c < classes; ++c)
            sum += std::exp(x->asDouble(base + c * inner) - top);
        const double shift = top + std::log(sum);
        for (std::int64_t c = 0; c < classes; ++c) {
            const std::int64_t at = base + c * inner;
            logs[static_cast<std::size_t>(at)] = x->asDouble(at) - shift;
            logTensor.store(at, logs[static_cast<std::size_t>(at)]);
        }
    }
    FUSESCOPE_ASSIGN(Tensor loss, lossOf(context, logs, *x, *target, context.optionalTensor(2)));
    context.setOutput(0, std::move(loss));
    if (context.wantsOutput(1))
        context.setOutput(1, std::move(logTensor));
    return {};
}

} // namespace fusescope
