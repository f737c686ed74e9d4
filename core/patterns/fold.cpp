#include "patterns/fold.h"

#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "report/make_reason.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fusescope {

namespace {

template <class T>
void scaleInto(const Tensor& weight, const ChannelRuns& runs, std::span<const double> factor,
               Tensor& result)
{
    const auto from = weight.aligned<T>();
    T* to = result.mutableElements<T>();
    std::size_t at = 0;
    for (std::int64_t run = 0; run < runs.count; ++run) {
        const double by = factor[runs.channel(run)];
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

// Axes 0 and 1 in groups of rows: the channel is the column, of the group of its row.
ChannelRuns groupedRuns(const Tensor& weight, const Convolution& conv)
{
    const auto& shape = weight.shape();
    return {product(shape, 2), shape[0] * shape[1], std::max<std::int64_t>(1, shape[1]),
            std::max<std::int64_t>(1, shape[0] / conv.group)};
}

double smallestNormal(DType type)
{
    switch (type) {
    case DType::float16:
        return 0x1p-14;
    case DType::bfloat16:
    case DType::float32:
        return 0x1p-126;
    case DType::float64:
        return 0x1p-1022;
    default:
        return 0.0;
    }
}

// Whether a factor can make normal numbers lose digits. No weight of a type with the exponents of
// float32 is so small that a factor of 2^-10 matters.
bool isSmall(DType type, double factor)
{
    return factor != 0.0 && std::abs(factor) < (type == DType::float16 ? 1.0 : 0x1p-10);
}

Reason foldTooLarge(ValueId weight, std::int64_t bytes, std::int64_t limit)
{
    return makeReason(ReasonCode::growthLimit, {weight}, "headline.fold-memory",
                      "reason.fold-memory", "unblock.growth-limit",
                      {{"bytes", bytesText(bytes)}, {"limit", bytesText(limit)}});
}

} // namespace

bool losesDigits(DType type, double largest, double factor)
{
    if (largest == 0.0 || !isSmall(type, factor))
        return false;
    const double normal = smallestNormal(type);
    const double left = std::abs(rounded(type, largest * factor));
    return left == 0.0 || (left < normal && largest >= normal);
}

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
    if (conv.transposed)
        return groupedRuns(weight, conv);
    return {product(weight.shape(), 1), weight.shape()[0], 1, 1};
}

ChannelRuns inputChannels(const Tensor& weight, const Convolution& conv)
{
    return groupedRuns(weight, conv);
}

ChannelRuns matrixColumns(const Tensor& weight, bool transposed)
{
    const std::int64_t last = std::max<std::int64_t>(1, weight.shape().back());
    const std::int64_t count = weight.elementCount();
    if (transposed)
        return {last, count / last, 1, 1};
    return {1, count, last, std::max<std::int64_t>(1, count / last)};
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
    if (weight.dtype() == DType::float32 && !weight.isSplat()) {
        scaleInto<float>(weight, runs, factor, result);
    } else if (weight.dtype() == DType::float64 && !weight.isSplat()) {
        scaleInto<double>(weight, runs, factor, result);
    } else {
        std::int64_t at = 0;
        for (std::int64_t run = 0; run < runs.count; ++run) {
            const double by = factor[runs.channel(run)];
            for (std::int64_t i = 0; i < runs.inner; ++i, ++at)
                result.store(at, weight.asDouble(at) * by);
        }
    }
    return result;
}

std::vector<bool> infiniteChannels(const Tensor& weight, const ChannelRuns& runs,
                                   std::span<const double> factor)
{
    const DType type = weight.dtype();
    std::vector<bool> bad(factor.size(), false);
    for (std::size_t c = 0; c < factor.size(); ++c)
        bad[c] = !std::isfinite(factor[c]);
    const auto isBad = [&](double element, double by) {
        return overflows(type, element, element * by);
    };
    if (weight.isSplat()) {
        for (std::size_t c = 0; c < factor.size() && runs.count > 0; ++c)
            bad[c] = bad[c] || isBad(weight.asDouble(0), factor[c]);
        return bad;
    }
    for (std::int64_t run = 0; run < runs.count; ++run) {
        const std::size_t c = runs.channel(run);
        // Only factors above one can pass the type's range.
        if (bad[c] || std::abs(factor[c]) <= 1.0)
            continue;
        for (std::int64_t i = 0; i < runs.inner && !bad[c]; ++i)
            bad[c] = isBad(weight.asDouble(run * runs.inner + i), factor[c]);
    }
    return bad;
}

std::optional<Reason> keepsDigits(const Tensor& weight, const ChannelRuns& runs,
                                  std::span<const double> factor, Subject source, Digits digits)
{
    const DType type = weight.dtype();
    const auto small = [type](double f) { return isSmall(type, f); };
    if (weight.elementCount() == 0 || std::none_of(factor.begin(), factor.end(), small))
        return std::nullopt;
    std::vector<double> largest(factor.size(),
                                weight.isSplat() ? std::abs(weight.asDouble(0)) : 0.0);
    for (std::int64_t run = 0; run < runs.count && !weight.isSplat(); ++run) {
        const std::size_t c = runs.channel(run);
        if (digits == Digits::ofEachChannel && !small(factor[c]))
            continue;
        for (std::int64_t i = run * runs.inner; i < (run + 1) * runs.inner; ++i)
            largest[c] = std::max(largest[c], std::abs(weight.asDouble(i)));
    }
    double most = 0;
    for (std::size_t c = 0; c < factor.size(); ++c)
        most = std::max(most, std::abs(largest[c] * factor[c]));
    if (digits == Digits::ofTheLargest && most >= smallestNormal(type))
        return std::nullopt;
    for (std::size_t c = 0; c < factor.size(); ++c) {
        if (losesDigits(type, largest[c], factor[c]))
            return outOfRange(source, type);
    }
    return std::nullopt;
}

std::vector<double> tapSums(const Tensor& weight, const Convolution& conv,
                            std::span<const double> value)
{
    const ChannelRuns runs = inputChannels(weight, conv);
    const auto columns = static_cast<std::size_t>(weight.shape()[1]);
    std::vector<double> sums(static_cast<std::size_t>(weight.shape()[0]), 0.0);
    std::int64_t at = 0;
    for (std::int64_t run = 0; run < runs.count; ++run) {
        double taps = 0.0;
        if (weight.isSplat())
            taps = weight.asDouble(0) * static_cast<double>(runs.inner);
        for (std::int64_t i = 0; i < runs.inner && !weight.isSplat(); ++i, ++at)
            taps += weight.asDouble(at);
        sums[static_cast<std::size_t>(run) / columns] += taps * value[runs.channel(run)];
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
                                  const ChannelScale& by, Subject source, Digits digits)
{
    const TensorPtr weight = context.view.constant(conv.weight);
    const DType type = weight->dtype();
    const ChannelRuns runs = outputChannels(*weight, conv);
    std::vector<bool> bad = infiniteChannels(*weight, runs, by.scale);
    const std::vector<double> bias = foldedBias(context.view, conv, by);
    const DoubleTensor old = constantAsDouble(context.view, conv.bias);
    for (std::size_t c = 0; c < bias.size(); ++c) {
        const double before = old.count > 0 ? old.at(static_cast<std::int64_t>(c)) : 0.0;
        bad[c] = bad[c] || overflows(type, before, bias[c]);
    }
    const auto first = std::find(bad.begin(), bad.end(), true);
    if (first == bad.end())
        return keepsDigits(*weight, runs, by.scale, source, digits);
    return reasons::notFinite(source, std::count(bad.begin(), bad.end(), true),
                              static_cast<std::int64_t>(bad.size()), first - bad.begin());
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

std::optional<Reason> foldMemory(const MatchContext& context, ValueId weight,
                                 std::int64_t channels)
{
    // Factors, shifts, the largest element, old and new bias, and what is between.
    constexpr std::int64_t bytesOfChannel = 8 * sizeof(double);
    constexpr std::int64_t always = std::int64_t{1} << 24;
    const TensorPtr tensor = weight ? context.view.constant(weight) : nullptr;
    const std::int64_t stored = tensor && !tensor->isSplat() ? tensor->elementCount() : 0;
    const std::int64_t limit = std::max(always, context.growthLeft());
    if (channels <= stored || channels <= limit / bytesOfChannel)
        return std::nullopt;
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / bytesOfChannel;
    return foldTooLarge(weight, std::min(channels, most) * bytesOfChannel, limit);
}

} // namespace fusescope
