#include "patterns/activation.h"

#include "patterns/constants.h"
#include "patterns/reasons.h"

#include "ops/activation/clip_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

// Operators first, then the kinds of regions that are activations written out.
constexpr std::array<std::string_view, 22> types = {
    "Relu",       "Clip",     "LeakyRelu", "Sigmoid", "Tanh",            "HardSigmoid",
    "Elu",        "Selu",     "Celu",      "Softplus", "Softsign",       "HardSwish",
    "Gelu",       "Mish",     "PRelu",     "Max",     "ThresholdedRelu", "silu",
    "hard-swish", "mish",     "gelu",      "quick-gelu"};
constexpr std::size_t operatorCount = 17;

void checkClip(Conditions& conditions, NodeId id, const Node& clip)
{
    const GraphView& view = conditions.context().view;
    const int version = view.sinceVersion(clip);
    auto [low, high] = clipBounds(clip.attributes, version, view.dtype(clip.input(0)));
    if (version >= 11) {
        const std::array bounds{clip.input(1), clip.input(2)};
        conditions.checkConstants("condition.constant-bounds", bounds);
        std::optional<Reason> wrong;
        for (const ValueId bound : bounds) {
            const TensorPtr tensor = bound ? view.constant(bound) : nullptr;
            if (tensor && tensor->isAvailable() && tensor->elementCount() != 1)
                wrong = reasons::unsupportedActivation(id);
        }
        conditions.check("condition.scalar-bounds", std::move(wrong));
        low = scalarConstant(view, bounds[0]).value_or(low);
        high = scalarConstant(view, bounds[1]).value_or(high);
    }
    std::optional<Reason> wrong;
    if (std::isnan(low) || std::isnan(high))
        wrong = reasons::notANumberBound(id);
    else if (low > high && version < 13)
        wrong = reasons::invertedBounds(id, low, high);
    conditions.check("condition.ordered-bounds", std::move(wrong));
}

void checkSlope(Conditions& conditions, NodeId id, const Node& node)
{
    const MatchContext& context = conditions.context();
    const std::array slope{node.input(1)};
    conditions.checkConstants("condition.constant-slope", slope);
    std::optional<Reason> wrong;
    const TensorPtr tensor = context.view.constant(slope[0]);
    if (tensor && tensor->elementCount() != 1) {
        const Shape& data = context.view.shape(node.input(0));
        if (!data.hasRank())
            wrong = reasons::unknownShape(node.input(0), data);
        else if (channelOnly(context, slope[0], node.input(0), 1))
            wrong = reasons::unsupportedActivation(id);
    }
    conditions.check("condition.channel-slope", std::move(wrong));
}

} // namespace

bool isActivationType(std::string_view type)
{
    const auto end = types.begin() + operatorCount;
    return std::find(types.begin(), end, type) != end;
}

bool isActivationRegion(const Node& node)
{
    return node.region && std::find(types.begin() + operatorCount, types.end(),
                                    node.region->kind) != types.end();
}

std::span<const std::string_view> activationTypes()
{
    return types;
}

ValueId activationData(const GraphView& view, const Node& node)
{
    if (node.region) {
        // Constants of the formula are inputs too; the data is the one that is none.
        if (!isActivationRegion(node) || node.outputs.size() != 1)
            return {};
        ValueId data;
        for (const ValueId input : node.inputs) {
            if (view.constant(input))
                continue;
            if (data)
                return {};
            data = input;
        }
        return data;
    }
    if (!node.op.isStandard() || !isActivationType(node.op.type))
        return {};
    if (!node.is("Max"))
        return node.input(0);
    if (node.inputs.size() != 2)
        return {};
    for (std::size_t i = 0; i < 2; ++i) {
        const ValueId zero = node.input(1 - i);
        const Value* value = view.value(zero);
        if (scalarConstant(view, zero) != 0.0 || !value)
            continue;
        // A zero of a higher rank than the data would add axes.
        const Shape& data = view.shape(node.input(i));
        if (data.hasRank() && view.constant(zero)->rank() <= data.rank())
            return node.input(i);
    }
    return {};
}

void checkActivation(Conditions& conditions, NodeId id)
{
    const GraphView& view = conditions.context().view;
    const Node& node = *view.node(id);
    if (node.region)
        return;
    std::optional<Reason> unknown;
    if (view.sinceVersion(node) == 0)
        unknown = reasons::operatorVersion(id, node.op.type, 0, {});
    conditions.check("condition.known-activation", std::move(unknown));
    if (node.is("Clip"))
        checkClip(conditions, id, node);
    else if (node.is("PRelu"))
        checkSlope(conditions, id, node);
}

} // namespace fusescope
