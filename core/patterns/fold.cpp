#include "patterns/fold.h"

#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "report/make_reason.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

template <class T>
void scaleInto(const Tensor& weight, const ChannelRuns& runs, std::span<const double> factor,
               Tensor& result)
{
    const auto from = weight.aligned<T>();
    T* to = result.mutableElements<T>();
    std::size_t at = 0;
    for (const std::int64_t channel : runs.channel) {
        const double by = factor[static_cast<std::size_t>(channel)];
        for (std::int64_t i = 0; i < runs.inner; ++i, ++at)
            to[at] = static_cast<T>(static_cast<double>(from[at]) * by);
    }
}

std::int64_t product(const std::vector<std::int64_t>& shape, std::size_t from)
{
    std::int64_t result = 1;
    for (std::size_t i = from; i < shape.size(); ++i)
        result *= shape[i];
    return result;
}

} // namespace

bool ChannelScale::changesWeight() const
{
    return std::any_of(scale.begin(), scale.end(), [](double v) { return v != 1.0; });
}

double rounded(DType type, double value)
{
    switch (type) {
    case DType::float32:
        return static_cast<double>(static_cast<float>(value));
    case DType::float16:
        return static_cast<double>(toFloat(float16FromDouble(value)));
    case DType::bfloat16:
        return static_cast<double>(toFloat(bfloat16FromDouble(value)));
    default:
        return value;
    }
}

bool overflows(DType type, double source, double result)
{
    return std::isfinite(source) && !std::isfinite(rounded(type, result));
}

bool vanishes(DType type, double largest, double factor)
{
    constexpr double small = 1.0 / 1024;
    return largest != 0.0 && factor != 0.0 && std::abs(factor) < small &&
           rounded(type, largest * factor) == 0.0;
}

Reason outOfRange(Subject factor, DType type)
{
    return makeReason(ReasonCode::notFinite, {factor}, "headline.out-of-range",
                      "reason.out-of-range", "unblock.out-of-range",
                      {{"value", std::visit([](auto id) { return MessageArg(id); }, factor)},
                       {"type", std::string(nameOf(type))}});
}

std::optional<Reason> fittingBias(const GraphView& view, const Convolution& conv)
{
    const TensorPtr bias = conv.bias ? view.constant(conv.bias) : nullptr;
    if (bias && view.constant(conv.weight) &&
        bias->shape() != std::vector<std::int64_t>{conv.channels})
        return reasons::parameterShape(conv.bias, Shape::ofSizes(bias->shape()), conv.channels);
    return std::nullopt;
}

ChannelRuns outputChannels(const Tensor& weight, const Convolution& conv)
{
    const auto& shape = weight.shape();
    ChannelRuns runs;
    if (!conv.transposed) {
        runs.inner = product(shape, 1);
        for (std::int64_t m = 0; m < shape[0]; ++m)
            runs.channel.push_back(m);
        return runs;
    }
    runs.inner = product(shape, 2);
    const std::int64_t rows = std::max<std::int64_t>(1, shape[0] / conv.group);
    for (std::int64_t row = 0; row < shape[0]; ++row) {
        for (std::int64_t column = 0; column < shape[1]; ++column)
            runs.channel.push_back(row / rows * shape[1] + column);
    }
    return runs;
}

ChannelRuns inputChannels(const Tensor& weight, const Convolution& conv)
{
    const auto& shape = weight.shape();
    ChannelRuns runs;
    runs.inner = product(shape, 2);
    const std::int64_t rows = std::max<std::int64_t>(1, shape[0] / conv.group);
    for (std::int64_t row = 0; row < shape[0]; ++row) {
        for (std::int64_t column = 0; column < shape[1]; ++column)
            runs.channel.push_back(row / rows * shape[1] + column);
    }
    return runs;
}

Tensor scaled(const Tensor& weight, const ChannelRuns& runs, std::span<const double> factor)
{
    const bool uniform =
        std::all_of(factor.begin(), factor.end(), [&](double f) { return f == factor[0]; });
    if (weight.isSplat() && uniform && weight.elementCount() > 0) {
        Tensor one = Tensor::allocate(weight.dtype(), {1});
        one.store(0, weight.asDouble(0) * factor[0]);
        return Tensor::splat(weight.dtype(), weight.shape(), one.data());
    }
    Tensor result = Tensor::allocate(weight.dtype(), weight.shape());
    if (weight.dtype() == DType::float32) {
        scaleInto<float>(weight, runs, factor, result);
    } else if (weight.dtype() == DType::float64) {
        scaleInto<double>(weight, runs, factor, result);
    } else {
        std::int64_t at = 0;
        for (const std::int64_t channel : runs.channel) {
            for (std::int64_t i = 0; i < runs.inner; ++i, ++at)
                result.store(at, weight.asDouble(at) * factor[static_cast<std::size_t>(channel)]);
        }
    }
    return result;
}

std::vector<double> tapSums(const Tensor& weight, const Convolution& conv,
                            std::span<const double> value)
{
    const ChannelRuns runs = inputChannels(weight, conv);
    const auto columns = static_cast<std::size_t>(weight.shape()[1]);
    std::vector<double> sums(static_cast<std::size_t>(weight.shape()[0]), 0.0);
    std::int64_t at = 0;
    for (std::size_t run = 0; run < runs.channel.size(); ++run) {
        double taps = 0.0;
        for (std::int64_t i = 0; i < runs.inner; ++i, ++at)
            taps += weight.asDouble(at);
        sums[run / columns] += taps * value[static_cast<std::size_t>(runs.channel[run])];
    }
    return sums;
}

Tensor vectorOf(DType type, std::span<const double> values)
{
    Tensor result = Tensor::allocate(type, {static_cast<std::int64_t>(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i)
        result.store(static_cast<std::int64_t>(i), values[i]);
    return result;
}

std::vector<double> foldedBias(const GraphView& view, const Convolution& conv,
                               const ChannelScale& by)
{
    std::vector<double> result = by.shift;
    if (!conv.bias)
        return result;
    const DoubleTensor old = constantAsDouble(view, conv.bias);
    for (std::size_t c = 0; c < result.size() && old.count > 0; ++c)
        result[c] += old.at(static_cast<std::int64_t>(c)) * by.scale[c];
    return result;
}

std::optional<Reason> staysFinite(const MatchContext& context, const Convolution& conv,
                                  const ChannelScale& by, Subject source)
{
    const TensorPtr weight = context.view.constant(conv.weight);
    const DType type = weight->dtype();
    std::vector<bool> bad(by.scale.size(), false);
    const ChannelRuns runs = outputChannels(*weight, conv);
    std::int64_t at = 0;
    for (const std::int64_t channel : runs.channel) {
        const auto c = static_cast<std::size_t>(channel);
        const double factor = by.scale[c];
        // Only factors that can pass the type's range need a look at every element.
        const bool tame = type == DType::float32 && std::abs(factor) <= 1.0;
        for (std::int64_t i = 0; !tame && i < runs.inner; ++i) {
            const double element = weight->asDouble(weight->isSplat() ? 0 : at + i);
            bad[c] = bad[c] || overflows(type, element, element * factor);
        }
        at += runs.inner;
    }
    const std::vector<double> bias = foldedBias(context.view, conv, by);
    const DoubleTensor old = constantAsDouble(context.view, conv.bias);
    for (std::size_t c = 0; c < bias.size(); ++c) {
        const double before = old.count > 0 ? old.at(static_cast<std::int64_t>(c)) : 0.0;
        bad[c] = bad[c] || overflows(type, before, bias[c]);
    }
    const auto first = std::find(bad.begin(), bad.end(), true);
    if (first == bad.end())
        return std::nullopt;
    return reasons::notFinite(source, std::count(bad.begin(), bad.end(), true),
                              static_cast<std::int64_t>(bad.size()), first - bad.begin());
}

std::optional<Reason> keepsNumbers(const MatchContext& context, const Convolution& conv,
                                   std::span<const double> scale, Subject source)
{
    const TensorPtr weight = context.view.constant(conv.weight);
    const ChannelRuns runs = outputChannels(*weight, conv);
    std::vector<double> largest(scale.size(), 0.0);
    std::int64_t at = 0;
    for (const std::int64_t channel : runs.channel) {
        for (std::int64_t i = 0; i < runs.inner; ++i) {
            double& most = largest[static_cast<std::size_t>(channel)];
            most = std::max(most, std::abs(weight->asDouble(weight->isSplat() ? 0 : at + i)));
        }
        at += runs.inner;
    }
    for (std::size_t c = 0; c < scale.size(); ++c) {
        if (vanishes(weight->dtype(), largest[c], scale[c]))
            return outOfRange(source, weight->dtype());
    }
    return std::nullopt;
}

std::string foldedName(const GraphView& view, ValueId old, std::string_view suffix)
{
    const Value* value = view.value(old);
    std::string name = value && !value->name.empty() ? value->name : std::string("weight");
    const std::size_t end = name.rfind("_folded");
    if (end != std::string::npos && end > 0 &&
        name.find_first_not_of("_0123456789", end + 7) == std::string::npos)
        name.resize(end);
    return name + std::string(suffix);
}

void foldInto(PatchBuilder& builder, NodeId id, NodeId root, const ChannelScale& by)
{
    const GraphView view(builder.graph());
    const Convolution conv = *convolutionAt(view, id);
    const TensorPtr weight = view.constant(conv.weight);
    const BodyId body = conv.node->body;
    ValueId newWeight = conv.weight;
    if (by.changesWeight())
        newWeight = builder.addConstant(body, foldedName(view, conv.weight),
                                        scaled(*weight, outputChannels(*weight, conv), by.scale));
    const std::vector<double> bias = foldedBias(view, conv, by);
    const bool none = !conv.bias && std::all_of(bias.begin(), bias.end(),
                                                [](double v) { return v == 0.0; });
    ValueId newBias;
    if (!none)
        newBias = builder.addConstant(body,
                                      conv.bias ? foldedName(view, conv.bias)
                                                : foldedName(view, conv.weight, "_bias"),
                                      vectorOf(weight->dtype(), bias));
    const ValueId output = view.node(root)->output(0);
    placeAt(builder, id, root);
    builder.removeNode(root);
    builder.editNode(id, [&](Node& n) {
        n.inputs.resize(newBias ? 3 : 2);
        n.inputs[1] = newWeight;
        if (newBias)
            n.inputs[2] = newBias;
        n.outputs[0] = output;
    });
}

void remarkFold(const MatchContext& context, const Convolution& conv, bool weightChanges,
                std::vector<Reason>& remarks)
{
    const std::array readers{conv.id};
    if (weightChanges)
        remarkConstant(context, conv.weight, readers, remarks);
    if (conv.bias)
        remarkConstant(context, conv.bias, readers, remarks);
}

std::optional<Reason> foldGrowth(const MatchContext& context, const Convolution& conv,
                                 bool weightChanges)
{
    const std::array readers{conv.id};
    std::int64_t bytes = weightChanges ? copyBytes(context.view, conv.weight, readers) : 0;
    if (conv.bias)
        bytes += copyBytes(context.view, conv.bias, readers);
    return withinGrowth(context, conv.weight, bytes);
}

} // namespace fusescope
