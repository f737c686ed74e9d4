#include "patterns/batchnorm.h"

#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"
#include "patterns/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

double epsilonOf(const Node& batchnorm)
{
    return static_cast<double>(batchnorm.attributes.getFloat("epsilon", 1e-5F));
}

std::int64_t outputsOf(const Node& batchnorm)
{
    return std::count_if(batchnorm.outputs.begin(), batchnorm.outputs.end(),
                         [](ValueId output) { return static_cast<bool>(output); });
}

// The sign of training: empty for inference.
std::string trainingForm(const GraphView& view, const Node& batchnorm)
{
    const int version = view.sinceVersion(batchnorm);
    const std::int64_t outputs = outputsOf(batchnorm);
    if (version >= 14) {
        const std::int64_t mode = batchnorm.attributes.getInt("training_mode", 0);
        return mode != 0 ? fmt::format("training_mode={}", mode) : std::string();
    }
    if (version >= 7)
        return outputs > 1 ? fmt::format("{} outputs", outputs) : std::string();
    return batchnorm.attributes.getInt("is_test", 0) == 0 ? "is_test=0" : std::string();
}

std::vector<Reason> outputsUnused(const MatchContext& context, NodeId id, const Node& node)
{
    std::vector<Reason> failures;
    for (std::size_t i = 1; i < node.outputs.size(); ++i) {
        if (auto failure = outputUnused(context, id, i))
            failures.push_back(std::move(*failure));
    }
    return failures;
}

std::vector<Reason> parameterShapes(const GraphView& view, const Node& node, NodeId maker,
                                    std::int64_t channels)
{
    std::vector<Reason> failures;
    for (const ValueId parameter : batchnormParameters(node)) {
        const TensorPtr tensor = view.constant(parameter);
        if (!tensor || channels == 0)
            continue;
        const Shape shape = Shape::ofSizes(tensor->shape());
        if (tensor->rank() != 1)
            failures.push_back(reasons::parameterShape(parameter, shape, channels));
        else if (tensor->elementCount() != channels && failures.empty())
            failures.push_back(
                reasons::channelMismatch(maker, channels, parameter,
                                         std::to_string(tensor->elementCount())));
    }
    return failures;
}

std::optional<Reason> positiveVariance(const GraphView& view, NodeId id, const Node& node)
{
    const DoubleTensor variance = constantAsDouble(view, node.input(4));
    for (std::size_t c = 0; c < variance.values.size(); ++c) {
        const double sum = variance.values[c] + epsilonOf(node);
        if (!(sum > 0.0) || !std::isfinite(sum))
            return reasons::variance(id, static_cast<std::int64_t>(c), sum);
    }
    return std::nullopt;
}

// Before version 14 all operands have one type.
std::optional<Reason> oneType(const MatchContext& context, const Node& node)
{
    if (context.view.sinceVersion(node) >= 14)
        return std::nullopt;
    for (const ValueId parameter : batchnormParameters(node)) {
        if (auto failure = sameType(context, node.input(0), parameter))
            return failure;
    }
    return std::nullopt;
}

} // namespace

std::vector<ValueId> batchnormParameters(const Node& batchnorm)
{
    return {batchnorm.input(1), batchnorm.input(2), batchnorm.input(3), batchnorm.input(4)};
}

std::vector<ValueId> checkBatchnorm(Conditions& conditions, NodeId id, NodeId data, NodeId maker,
                                    std::int64_t channels)
{
    const MatchContext& context = conditions.context();
    const GraphView& view = context.view;
    const Node& node = *view.node(id);

    std::optional<Reason> training;
    if (const std::string form = trainingForm(view, node); !form.empty())
        training = reasons::trainingMode(id, form);
    else if (view.sinceVersion(node) >= 14 && outputsOf(node) > 1)
        training = reasons::extraOutputs(id, outputsOf(node));
    conditions.check("condition.inference-mode", std::move(training), saw::outputs(id, node));

    std::vector<ValueId> constants = batchnormParameters(node);
    std::optional<Reason> computed;
    std::vector<Subject> culprits;
    for (const ValueId statistic : {node.input(3), node.input(4)}) {
        if (!view.constant(statistic) && data && dependsOn(view, statistic, data, id))
            culprits.emplace_back(statistic);
    }
    if (!culprits.empty()) {
        computed = reasons::batchStatistics(id, maker ? maker : data, std::move(culprits));
        constants.resize(2);
    }
    conditions.check("condition.running-statistics", std::move(computed));

    constexpr std::array known{1, 6, 7, 9, 14, 15};
    conditions.check("condition.version", knownVersion(context, id, known),
                     saw::version(context, id));
    conditions.check("condition.known-attributes", knownAttributes(context, id),
                     saw::attributes(context, id));
    std::optional<Reason> spatial;
    if (view.sinceVersion(node) < 9 && node.attributes.getInt("spatial", 1) == 0)
        spatial = reasons::unsupportedAttribute(id, "spatial", "0", "1");
    conditions.check("condition.spatial", std::move(spatial));
    conditions.check("condition.outputs-unused", outputsUnused(context, id, node));
    conditions.check("condition.parameter-shapes", parameterShapes(view, node, maker, channels));
    conditions.check("condition.one-type", oneType(context, node), saw::type(context, node.input(0)));
    conditions.check("condition.positive-variance", positiveVariance(view, id, node), [&] {
        const DoubleTensor variance = constantAsDouble(view, node.input(4));
        const auto least = std::min_element(variance.values.begin(), variance.values.end());
        return least == variance.values.end()
                   ? Message()
                   : Message("saw.positive-variance", {{"sum", *least + epsilonOf(node)}});
    });
    return constants;
}

std::optional<ScaleShift> scaleShiftOf(const GraphView& view, const Node& batchnorm)
{
    std::array<DoubleTensor, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
        p[i] = constantAsDouble(view, batchnorm.input(i + 1));
        if (p[i].count == 0 || p[i].count != p[0].count)
            return std::nullopt;
    }
    ScaleShift result;
    for (std::int64_t c = 0; c < p[0].count; ++c) {
        const double scale = p[0].at(c) / std::sqrt(p[3].at(c) + epsilonOf(batchnorm));
        result.scale.push_back(scale);
        result.shift.push_back(p[1].at(c) - p[2].at(c) * scale);
    }
    return result;
}

} // namespace fusescope
