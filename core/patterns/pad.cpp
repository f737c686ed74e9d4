#include "patterns/pad.h"

#include "ops/axes.h"
#include "patterns/constants.h"
#include "patterns/nearby.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

// Puts amounts [begins, ends] of `axes` (all, when there are none) into the padding.
bool spread(Padding& pad, std::span<const std::int64_t> amounts,
            const std::optional<std::vector<std::int64_t>>& axes, std::size_t rank)
{
    if (amounts.size() % 2 != 0)
        return false;
    const std::size_t count = amounts.size() / 2;
    if (!axes && rank != 0 && rank != count)
        return false;
    if (!axes)
        rank = count;
    if (rank == 0 || (axes && axes->size() != count))
        return false;
    for (const std::int64_t amount : amounts) {
        if (amount > largestAmount || amount < -largestAmount)
            return false;
    }
    pad.begin.assign(rank, 0);
    pad.end.assign(rank, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto axis = normalizeAxis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), rank);
        if (!axis)
            return false;
        pad.begin[*axis] = amounts[i];
        pad.end[*axis] = amounts[count + i];
    }
    return true;
}

} // namespace

std::optional<Padding> paddingAt(const GraphView& view, NodeId id, std::size_t rank)
{
    const Node* node = view.node(id);
    if (!node || !node->is("Pad") || node->outputs.empty())
        return std::nullopt;
    Padding pad;
    pad.id = id;
    pad.node = node;
    pad.mode = node->attributes.getString("mode", "constant");
    if (rank == 0 && view.shape(node->input(0)).hasRank())
        rank = view.shape(node->input(0)).rank();
    const int version = view.sinceVersion(*node);
    if (version < 11) {
        pad.value = static_cast<double>(node->attributes.getFloat("value", 0.0F));
        const auto amounts = node->attributes.getInts(version < 2 ? "paddings" : "pads");
        pad.known = amounts && spread(pad, *amounts, std::nullopt, rank);
        return pad;
    }
    const ValueId axesInput = version >= 18 ? node->input(3) : ValueId{};
    pad.operands = {node->input(1), node->input(2), axesInput};
    pad.value = node->input(2) ? scalarConstant(view, node->input(2)) : std::optional<double>(0.0);
    const auto amounts = integerConstant(view, node->input(1));
    const auto axes = integerConstant(view, axesInput);
    if (amounts && (!axesInput || axes))
        pad.known = spread(pad, *amounts, axes, rank);
    return pad;
}

std::optional<FoundPad> findPad(const GraphView& view, NodeId root, ValueId value,
                                std::size_t rank)
{
    const auto accept = [](NodeId, const Node& node) { return node.is("Pad"); };
    const auto found = findProducer(view, root, value, accept);
    if (!found)
        return std::nullopt;
    switch (found->kind) {
    case BetweenKind::none:
        return std::nullopt;
    case BetweenKind::shape:
    case BetweenKind::activation:
        if (found->length > 1)
            return std::nullopt;
        break;
    case BetweenKind::noop:
    case BetweenKind::cast:
    case BetweenKind::quantize:
    case BetweenKind::sideEffect:
        break;
    }
    return FoundPad{*found, *paddingAt(view, found->node, rank)};
}

void checkPad(Conditions& conditions, const FoundPad& found, NodeId root)
{
    const MatchContext& context = conditions.context();
    const Padding& pad = found.pad;
    std::optional<Reason> apart;
    if (!found.found.isDirect())
        apart = betweenReason(context, found.found, root);
    conditions.check("condition.partner", std::move(apart), [&] {
        return Message("saw.partner", {{"root", root}, {"node", pad.id}});
    });
    constexpr std::array known{1, 2, 11, 13, 18, 19, 21, 23, 24, 25};
    conditions.check("condition.version", knownVersion(context, pad.id, known),
                     saw::version(context, pad.id));
    conditions.check("condition.known-attributes", knownAttributes(context, pad.id),
                     saw::attributes(context, pad.id));
    std::optional<Reason> mode;
    if (pad.mode != "constant")
        mode = reasons::paddingMode(pad.id, pad.mode, root);
    conditions.check("condition.constant-padding", std::move(mode));
    conditions.checkConstants("condition.pad-amounts", pad.operands);
    std::vector<Reason> axes;
    std::optional<Reason> negative;
    for (std::size_t axis = 0; pad.known && axis < pad.begin.size(); ++axis) {
        const auto number = static_cast<std::int64_t>(axis);
        const std::int64_t most = std::max(pad.begin[axis], pad.end[axis]);
        const std::int64_t least = std::min(pad.begin[axis], pad.end[axis]);
        if (least < 0 && !negative)
            negative = reasons::negativePadding(pad.id, number);
        if (axis < 2 && most > 0 && axes.empty())
            axes.push_back(reasons::padsOtherAxis(pad.id, number, most));
    }
    conditions.check("condition.pad-positive", std::move(negative));
    conditions.check("condition.pad-axes", std::move(axes));
    std::optional<Reason> shape;
    if (!pad.known && !conditions.failed(ReasonCode::notConstant) &&
        !conditions.failed(ReasonCode::overridableInitializer) &&
        !conditions.failed(ReasonCode::missingExternalData))
        shape = reasons::unknownShape(pad.node->input(0), context.view.shape(pad.node->input(0)));
    conditions.check("condition.pad-rank", std::move(shape));
    conditions.check("condition.same-scope", sameScope(context, pad.id, root));
    conditions.checkSingleReader(found.found.value, found.found.reader);
    const std::array nodes{pad.id, root};
    conditions.checkNotPinned(nodes);
}

MatchResult missOfPad(Conditions&& conditions, const FoundPad& found, NodeId root)
{
    const BetweenKind kind = found.found.kind;
    const bool mayMatter = kind == BetweenKind::shape || kind == BetweenKind::activation;
    return missBehind(std::move(conditions), mayMatter, {found.pad.id, root});
}

std::optional<std::vector<std::int64_t>> checkOwnPads(Conditions& conditions, NodeId root,
                                                      std::span<const std::int64_t> kernel)
{
    const GraphView& view = conditions.context().view;
    const Node& node = *view.node(root);
    const ValueId data = node.input(0);
    const auto own = resolvedPads(node, kernel, spatialSizes(view.shape(data)));
    std::optional<Reason> unresolved;
    if (!own && node.attributes.getString("auto_pad", "NOTSET").starts_with("SAME"))
        unresolved = reasons::unknownShape(data, view.shape(data));
    else if (!own)
        unresolved = reasons::unsupportedAttribute(root, "pads", "…", "[begins, ends]");
    conditions.check("condition.auto-pad", std::move(unresolved));
    return own;
}

void mergePad(PatchBuilder& builder, const Padding& pad, NodeId root,
              const std::vector<std::int64_t>& own)
{
    const std::size_t axes = own.size() / 2;
    std::vector<std::int64_t> pads = own;
    for (std::size_t i = 0; i < axes; ++i) {
        pads[i] += pad.begin[i + 2];
        pads[axes + i] += pad.end[i + 2];
    }
    const ValueId data = pad.node->input(0);
    builder.removeNode(pad.id);
    builder.editNode(root, [&](Node& n) {
        n.inputs[0] = data;
        if (n.attributes.has("auto_pad"))
            n.attributes.set(Attribute("auto_pad", std::string("NOTSET")));
        n.attributes.set(Attribute("pads", pads));
    });
}

} // namespace fusescope
