#include "patterns/convolution.h"

#include "patterns/reasons.h"
#include "patterns/region_support.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

void fillSizes(const GraphView& view, Convolution& conv)
{
    const Shape& weight = view.shape(conv.weight);
    const TensorPtr tensor = view.constant(conv.weight);
    const Shape known = tensor ? Shape::ofSizes(tensor->shape()) : weight;
    if (known.hasRank() && known.rank() >= 2) {
        conv.rank = known.rank();
        const auto made = known[conv.transposed ? 1 : 0].constant();
        conv.channels = made ? *made * (conv.transposed ? conv.group : 1) : 0;
    }
}

} // namespace

std::optional<Convolution> convolutionAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !(node->is("Conv") || node->is("ConvTranspose")))
        return std::nullopt;
    Convolution conv;
    conv.id = id;
    conv.node = node;
    conv.weight = node->input(1);
    conv.bias = node->input(2);
    conv.output = node->output(0);
    conv.transposed = node->op.type == "ConvTranspose";
    conv.group = std::max<std::int64_t>(1, node->attributes.getInt("group", 1));
    fillSizes(view, conv);
    return conv;
}

std::optional<FoundConvolution> findConvolution(const GraphView& view, NodeId root, ValueId value,
                                                bool transposed,
                                                std::span<const std::string_view> through)
{
    const std::string_view type = transposed ? "ConvTranspose" : "Conv";
    const auto accept = [&](NodeId id, const Node& node) {
        if (node.is(type))
            return true;
        const auto main = mainOperator(view, id);
        return main && main->isRegion && view.node(main->main)->is(type);
    };
    const std::optional<Found> found = findProducer(view, root, value, accept, through);
    if (!found)
        return std::nullopt;
    FoundConvolution result;
    result.found = *found;
    result.inRegion = !view.node(found->node)->is(type);
    const NodeId id = result.inRegion ? mainOperator(view, found->node)->main : found->node;
    result.conv = *convolutionAt(view, id);
    if (result.inRegion) {
        // A region captures nothing: its constants are its inputs.
        result.conv.weight = outsideRegion(view, found->node, result.conv.weight);
        result.conv.bias = outsideRegion(view, found->node, result.conv.bias);
        fillSizes(view, result.conv);
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
        if (main->activation && node)
            apart = reasons::activationBetween(inner, node->op.type, conv.id, root);
        else
            apart = reasons::operatorBetween(inner ? inner : found.found.node,
                                             node ? node->op.type : std::string("Concat"), conv.id,
                                             root);
    }
    conditions.check("condition.partner", std::move(apart), [&] {
        return Message("saw.partner", {{"root", root}, {"node", conv.id}});
    });
    conditions.check("condition.same-scope", sameScope(context, found.found.node, root));
    constexpr std::array known{1, 11, 22};
    conditions.check("condition.version", knownVersion(context, conv.id, known));
    conditions.check("condition.known-attributes", knownAttributes(context, conv.id));

    std::vector<ValueId> constants{conv.weight, conv.bias};
    constants.insert(constants.end(), others.begin(), others.end());
    conditions.checkConstants("condition.constant-weights", constants);

    std::vector<Reason> shapes;
    const TensorPtr weight = view.constant(conv.weight);
    if (weight && weight->rank() < 3)
        shapes.push_back(reasons::unsupportedRank(conv.weight, Shape::ofSizes(weight->shape()), "3"));
    const TensorPtr bias = conv.bias ? view.constant(conv.bias) : nullptr;
    if (bias && weight && bias->shape() != std::vector<std::int64_t>{conv.channels})
        shapes.push_back(reasons::parameterShape(conv.bias, Shape::ofSizes(bias->shape()),
                                                 conv.channels));
    conditions.check("condition.parameter-shapes", std::move(shapes));
    conditions.checkSingleReader(found.found.value, found.found.reader);
    const std::array nodes{found.found.node, root};
    conditions.checkNotPinned(nodes);
}

std::optional<std::vector<std::int64_t>> resolvedPads(
    const Node& node, std::span<const std::int64_t> kernel,
    const std::vector<std::optional<std::int64_t>>& size)
{
    const std::size_t axes = kernel.size();
    std::vector<std::int64_t> pads(axes * 2, 0);
    const std::string mode = node.attributes.getString("auto_pad", "NOTSET");
    if (mode == "VALID")
        return pads;
    if (mode != "SAME_UPPER" && mode != "SAME_LOWER") {
        const auto given = node.attributes.getInts("pads");
        if (!given)
            return pads;
        if (given->size() != pads.size())
            return std::nullopt;
        return given;
    }
    const auto strides = spatialAttribute(node, "strides", axes);
    const auto dilations = spatialAttribute(node, "dilations", axes);
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
        if (reach == 1 && strides[i] == 1)
            continue;
        if (i >= size.size() || !size[i] || strides[i] < 1)
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
