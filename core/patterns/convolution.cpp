#include "patterns/convolution.h"

#include "patterns/fold.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"
#include "patterns/saw.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fusescope {

namespace {

// False where the groups come to more channels than there are numbers for.
bool fillSizes(const GraphView& view, Convolution& conv)
{
    const Shape& weight = view.shape(conv.weight);
    const TensorPtr tensor = view.constant(conv.weight);
    const Shape known = tensor ? Shape::ofSizes(tensor->shape()) : weight;
    if (known.hasRank() && known.rank() >= 2) {
        conv.rank = known.rank();
        const std::int64_t first = known[0].constant().value_or(0);
        const std::int64_t second = known[1].constant().value_or(0);
        if (second > std::numeric_limits<std::int64_t>::max() / conv.group)
            return false;
        conv.channels = conv.transposed ? second * conv.group : first;
        conv.inputs = conv.transposed ? first : second * conv.group;
    }
    return true;
}

} // namespace

std::optional<Convolution> convolutionAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !(node->is("Conv") || node->is("ConvTranspose")) || !node->input(0) ||
        !node->input(1) || !node->output(0))
        return std::nullopt;
    Convolution conv;
    conv.id = id;
    conv.node = node;
    conv.weight = node->input(1);
    conv.bias = node->input(2);
    conv.output = node->output(0);
    conv.transposed = node->op.type == "ConvTranspose";
    conv.group = node->attributes.getInt("group", 1);
    if (conv.group < 1 || !fillSizes(view, conv))
        return std::nullopt;
    return conv;
}

std::optional<FoundConvolution> findConvolution(const GraphView& view, NodeId root, ValueId value,
                                                ConvolutionKind kind,
                                                std::span<const std::string_view> through)
{
    const auto isWanted = [&](NodeId id) {
        const auto conv = convolutionAt(view, id);
        return conv && (kind == ConvolutionKind::any ||
                        conv->transposed == (kind == ConvolutionKind::transposed));
    };
    const auto accept = [&](NodeId id, const Node& node) {
        if (!node.region)
            return isWanted(id);
        const auto main = mainOperator(view, id);
        return main && isWanted(main->main);
    };
    const std::optional<Found> found = findProducer(view, root, value, accept, through);
    if (!found)
        return std::nullopt;
    FoundConvolution result;
    result.found = *found;
    result.inRegion = view.node(found->node)->region.has_value();
    const NodeId id = result.inRegion ? mainOperator(view, found->node)->main : found->node;
    result.conv = *convolutionAt(view, id);
    if (result.inRegion) {
        // A region captures nothing: its constants are its inputs.
        result.conv.weight = outsideRegion(view, found->node, result.conv.weight);
        result.conv.bias = outsideRegion(view, found->node, result.conv.bias);
        if (!fillSizes(view, result.conv))
            return std::nullopt;
    }
    return result;
}

void checkFoldable(Conditions& conditions, const FoundConvolution& found, NodeId root,
                   std::span<const ValueId> others)
{
    const MatchContext& context = conditions.context();
    const GraphView& view = context.view;
    const Convolution& conv = found.conv;

    std::optional<Reason> apart;
    if (!found.found.isDirect()) {
        apart = betweenReason(context, found.found, root);
    } else if (found.inRegion) {
        const auto main = mainOperator(view, found.found.node);
        const NodeId inner = main->activation ? main->activation : main->residual;
        const Node* node = view.node(inner);
        if (node && main->activation)
            apart = reasons::activationBetween(inner, node->op.type, conv.id, root);
        else if (node)
            apart = reasons::operatorBetween(inner, node->op.type, conv.id, root);
    }
    conditions.check("condition.partner", std::move(apart), [&] {
        return Message("saw.partner", {{"root", root}, {"node", conv.id}});
    });
    conditions.check("condition.same-scope", sameScope(context, found.found.node, root));
    constexpr std::array known{1, 11, 22};
    conditions.check("condition.version", knownVersion(context, conv.id, known),
                     saw::version(context, conv.id));
    conditions.check("condition.known-attributes", knownAttributes(context, conv.id),
                     saw::attributes(context, conv.id));

    std::vector<ValueId> constants{conv.weight, conv.bias};
    constants.insert(constants.end(), others.begin(), others.end());
    conditions.checkConstants("condition.constant-weights", constants);

    std::vector<Reason> shapes;
    if (auto wrong = fittingWeight(view, conv))
        shapes.push_back(std::move(*wrong));
    if (auto wrong = fittingBias(view, conv))
        shapes.push_back(std::move(*wrong));
    conditions.check("condition.parameter-shapes", std::move(shapes));
    conditions.checkSingleReader(found.found.value, found.found.reader);
    const std::array nodes{found.found.node, root};
    conditions.checkNotPinned(nodes);
    // Said only where nothing else stands in the way: else that kept it from being folded in time.
    if (found.inRegion && conditions.allHold()) {
        const auto main = mainOperator(view, found.found.node);
        const NodeId with = main->concat ? main->concat : found.found.node;
        conditions.check("condition.partner", reasons::alreadyFused(conv.id, with));
    }
}

std::optional<Reason> fittingWeight(const GraphView& view, const Convolution& conv)
{
    const TensorPtr weight = view.constant(conv.weight);
    if (!weight)
        return std::nullopt;
    const Shape shape = Shape::ofSizes(weight->shape());
    if (weight->rank() < 3)
        return reasons::unsupportedRank(conv.weight, shape, "3");
    if (weight->elementCount() == 0)
        return reasons::emptyTensor(conv.weight, shape);
    if (weight->shape()[0] % conv.group != 0)
        return reasons::unsupportedAttribute(conv.id, "group", std::to_string(conv.group),
                                             std::to_string(weight->shape()[0]));
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> resolvedPads(
    const Node& node, std::span<const std::int64_t> kernel,
    const std::vector<std::optional<std::int64_t>>& size)
{
    const std::size_t axes = kernel.size();
    std::vector<std::int64_t> pads(axes * 2, 0);
    const auto isSmall = [](std::int64_t v) { return v >= 0 && v <= largestAmount; };
    const std::string mode = node.attributes.getString("auto_pad", "NOTSET");
    if (mode == "VALID")
        return pads;
    if (mode != "SAME_UPPER" && mode != "SAME_LOWER") {
        const auto given = node.attributes.getInts("pads");
        if (!given)
            return pads;
        if (given->size() != pads.size() || !std::all_of(given->begin(), given->end(), isSmall))
            return std::nullopt;
        return given;
    }
    const auto strides = spatialAttribute(node, "strides", axes);
    const auto dilations = spatialAttribute(node, "dilations", axes);
    for (std::size_t i = 0; i < axes; ++i) {
        if (!isSmall(kernel[i]) || !isSmall(dilations[i]) || !isSmall(strides[i]))
            return std::nullopt;
        const std::int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
        if (reach == 1 && strides[i] == 1)
            continue;
        if (i >= size.size() || !size[i] || !isSmall(*size[i]) || strides[i] < 1)
            return std::nullopt;
        const std::int64_t out = (*size[i] + strides[i] - 1) / strides[i];
        const std::int64_t total =
            std::max<std::int64_t>(0, (out - 1) * strides[i] + reach - *size[i]);
        const std::int64_t less = total / 2;
        pads[i] = mode == "SAME_UPPER" ? less : total - less;
        pads[axes + i] = total - pads[i];
    }
    return pads;
}

std::vector<std::int64_t> spatialAttribute(const Node& node, std::string_view name,
                                           std::size_t axes)
{
    auto values = node.attributes.getInts(name).value_or(std::vector<std::int64_t>{});
    values.resize(axes, 1);
    return values;
}

std::vector<std::optional<std::int64_t>> spatialSizes(const Shape& shape)
{
    std::vector<std::optional<std::int64_t>> sizes;
    for (std::size_t i = 2; i < shape.rank(); ++i)
        sizes.push_back(shape[i].constant());
    return sizes;
}

void placeAt(PatchBuilder& builder, NodeId edited, NodeId root)
{
    const Node* node = builder.node(edited);
    const Node* end = builder.node(root);
    const Body* body = node ? builder.body(node->body) : nullptr;
    if (!end || !body || body->kind != Body::Kind::function)
        return;
    const OrderKey order = end->order + 1; // the root's own place goes to the last new constant
    builder.editNode(edited, [order](Node& n) { n.order = order; });
}

} // namespace fusescope
