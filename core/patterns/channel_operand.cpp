#include "patterns/channel_operand.h"

#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"
#include "patterns/saw.h"

#include <array>

namespace fusescope {

namespace {

// A constant, one that a caller may replace, or a dequantized one: worth a word where it cannot fold.
bool mayBeConstant(const GraphView& view, ValueId value)
{
    if (!value)
        return false;
    if (view.constant(value) || view.graph().isOverridable(value))
        return true;
    const Node* producer = view.producerNode(value);
    return producer && producer->is("DequantizeLinear") && view.constant(producer->input(0));
}

// Chains that are worth a word: the same numbers, elsewhere or in another type.
bool isNearMiss(const Found& found)
{
    switch (found.kind) {
    case BetweenKind::shape:
    case BetweenKind::cast:
    case BetweenKind::quantize:
    case BetweenKind::sideEffect:
    case BetweenKind::noop:
        return true;
    case BetweenKind::activation:
    case BetweenKind::none:
        break;
    }
    return false;
}

// One activation alone follows the convolution, in its region or as a node.
bool isActivated(const GraphView& view, const FoundConvolution& found)
{
    if (!found.inRegion)
        return found.found.kind == BetweenKind::activation && found.found.length == 1;
    const auto main = mainOperator(view, found.found.node);
    return found.found.isDirect() && main && main->activation && !main->residual;
}

// A factor of each channel, or one number, that is computed when the model runs, and not from the
// convolution itself.
bool isComputedFactor(const GraphView& view, NodeId root, ValueId data, ValueId factor)
{
    const auto conv = convolutionAt(view, view.producer(data));
    const Shape& shape = view.shape(factor);
    if (!conv || !shape.hasRank() || !view.producer(factor) || conv->rank < 3 ||
        shape.rank() > conv->rank || dependsOn(view, factor, conv->id, root))
        return false;
    const std::size_t missing = conv->rank - shape.rank();
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        const bool channel = axis + missing == 1 && shape[axis] == Dim(conv->channels);
        if (!channel && shape[axis] != Dim(1))
            return false;
    }
    return true;
}

// The versions before 7 broadcast only where an attribute says so, from `axis` on.
std::optional<Reason> oldBroadcast(const MatchContext& context, NodeId root, const Node& node,
                                   const Tensor& constant, std::int64_t channels)
{
    if (context.view.sinceVersion(node) >= 7 || constant.elementCount() == 1)
        return std::nullopt;
    const bool perChannel = node.attributes.getInt("broadcast", 0) == 1 &&
                            node.attributes.getInt("axis", -1) == 1 && constant.rank() == 1 &&
                            constant.elementCount() == channels;
    if (perChannel)
        return std::nullopt;
    constexpr std::array known{7, 13, 14};
    return reasons::operatorVersion(root, node.op.type, context.view.sinceVersion(node), known);
}

} // namespace

std::optional<ChannelOperand> channelOperandAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (node.region || node.inputs.size() != 2 || node.inputs[0] == node.inputs[1])
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const ValueId operand = node.input(1 - i);
        if (mayBeConstant(view, node.input(i)))
            continue;
        const bool scales = node.is("Mul") || (node.is("Div") && i == 0);
        if (!mayBeConstant(view, operand)) {
            if (scales && isComputedFactor(view, root, node.input(i), operand))
                return ChannelOperand{
                    *findConvolution(view, root, node.input(i), ConvolutionKind::any), operand,
                    i == 1};
            continue;
        }
        const auto found = findConvolution(view, root, node.input(i), ConvolutionKind::any);
        if (!found)
            continue;
        const bool activated = isActivated(view, *found);
        if (!found->found.isDirect() && !activated && !isNearMiss(found->found))
            continue;
        if (found->inRegion && !activated &&
            view.node(found->found.node)->region->kind != "concat-conv")
            continue;
        return ChannelOperand{*found, operand, i == 1, activated};
    }
    return std::nullopt;
}

void checkChannelOperand(Conditions& conditions, const ChannelOperand& operand, NodeId root)
{
    const MatchContext& context = conditions.context();
    const GraphView& view = context.view;
    const Convolution& conv = operand.found.conv;
    const Node& node = *view.node(root);
    const std::array constants{operand.constant};
    checkFoldable(conditions, operand.found, root, constants);
    constexpr std::array known{1, 6, 7, 13, 14};
    conditions.check("condition.version", knownVersion(context, root, known),
                     saw::version(context, root));
    const TensorPtr tensor = view.constant(operand.constant);
    if (!tensor || !tensor->isAvailable())
        return;
    std::optional<Reason> shape;
    if (conv.rank == 0 || conv.channels == 0)
        shape = reasons::unknownShape(conv.weight, view.shape(conv.weight));
    else if (view.sinceVersion(node) < 7)
        shape = oldBroadcast(context, root, node, *tensor, conv.channels);
    else
        shape = channelOnly(context, operand.constant, conv.rank, conv.channels, 1);
    conditions.check("condition.per-channel", std::move(shape));
}

std::optional<std::vector<double>> channelNumbers(const GraphView& view,
                                                  const ChannelOperand& operand)
{
    const TensorPtr tensor = view.constant(operand.constant);
    if (!tensor || !tensor->isAvailable() || tensor->isString())
        return std::nullopt;
    const std::int64_t channels = operand.found.conv.channels;
    if (channels <= 0 || (tensor->elementCount() != 1 && tensor->elementCount() != channels))
        return std::nullopt;
    return channelValues(*tensor, channels);
}

} // namespace fusescope
