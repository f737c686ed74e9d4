#include "patterns/walk.h"

#include "patterns/activation.h"
#include "patterns/proven.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace fusescope {

namespace {

constexpr int longestChain = 16;

bool isOneOf(std::string_view type, std::span<const std::string_view> list)
{
    return std::find(list.begin(), list.end(), type) != list.end();
}

// Whether a shape operator leaves elements and shape as they were.
bool changesNothing(const GraphView& view, const Node& node)
{
    constexpr std::array<std::string_view, 5> keepOrder = {"Reshape", "Squeeze", "Unsqueeze",
                                                           "Flatten", "Expand"};
    return node.outputs.size() == 1 && isOneOf(node.op.type, keepOrder) &&
           view.shape(node.input(0)).hasRank() &&
           provablyEqual(provenShape(view, node.input(0)), provenShape(view, node.output(0)));
}

} // namespace

BetweenKind betweenKind(const GraphView& view, const Node& node)
{
    constexpr std::array<std::string_view, 13> shapes = {
        "Reshape", "Transpose", "Slice",  "Squeeze",      "Unsqueeze",    "Flatten", "Expand",
        "Pad",     "Gather",    "Tile",   "DepthToSpace", "SpaceToDepth", "Split"};
    constexpr std::array<std::string_view, 2> casts = {"Cast", "CastLike"};
    constexpr std::array<std::string_view, 3> quantizers = {"QuantizeLinear", "DequantizeLinear",
                                                            "DynamicQuantizeLinear"};
    if (node.inputs.empty() || !node.input(0))
        return BetweenKind::none;
    if (node.region)
        return isActivationRegion(node) ? BetweenKind::activation : BetweenKind::none;
    if (!node.op.isStandard())
        return BetweenKind::sideEffect;
    if (node.is("Identity"))
        return BetweenKind::noop;
    if (isOneOf(node.op.type, shapes))
        return BetweenKind::shape;
    if (isOneOf(node.op.type, casts))
        return BetweenKind::cast;
    if (isOneOf(node.op.type, quantizers))
        return BetweenKind::quantize;
    return isActivationType(node.op.type) && activationData(view, node) == node.input(0)
               ? BetweenKind::activation
               : BetweenKind::none;
}

std::optional<Found> findProducer(const GraphView& view, NodeId root, ValueId value,
                                  const std::function<bool(NodeId, const Node&)>& accept,
                                  std::span<const std::string_view> through)
{
    Found found;
    found.reader = root;
    bool other = false;
    for (int step = 0; step <= longestChain; ++step) {
        const NodeId id = view.producer(value);
        const Node* node = view.node(id);
        if (!node)
            return std::nullopt;
        if (accept(id, *node)) {
            found.node = id;
            found.value = value;
            found.length = step;
            return found;
        }
        const bool named = node->op.isStandard() && isOneOf(node->op.type, through);
        const BetweenKind kind = named ? BetweenKind::none : betweenKind(view, *node);
        if (kind == BetweenKind::none && !named)
            return std::nullopt;
        if (kind != BetweenKind::noop) {
            const bool first = found.kind == BetweenKind::noop && !other;
            if (!first && (named != other || (!named && kind != found.kind)))
                return std::nullopt;
            if (first)
                found.between = id;
            other = named;
            found.kind = named ? BetweenKind::none : kind;
        } else if (!found.between) {
            found.between = id;
        }
        found.reader = id;
        value = node->region ? activationData(view, *node) : node->input(0);
    }
    return std::nullopt;
}

Reason betweenReason(const MatchContext& context, const Found& found, NodeId root)
{
    const Node& node = *context.view.node(found.between);
    const std::string& op = node.op.type;
    switch (found.kind) {
    case BetweenKind::shape: {
        Reason reason = reasons::shapeOperatorBetween(found.between, op, found.node, root);
        if (found.length == 1 && changesNothing(context.view, node))
            reason.fix = Fix{FixKind::dropNoop, found.between};
        return reason;
    }
    case BetweenKind::cast:
        return reasons::castBetween(found.between, found.node, root);
    case BetweenKind::activation:
        return reasons::activationBetween(found.between, node.region ? node.region->kind : op,
                                          found.node, root);
    case BetweenKind::quantize:
        return reasons::quantizedBetween(found.between, found.node, root);
    case BetweenKind::sideEffect:
        return reasons::sideEffectBetween(found.between, node.op.domain + "." + op, found.node,
                                          root);
    case BetweenKind::none:
    case BetweenKind::noop:
        break;
    }
    return reasons::operatorBetween(found.between, op, found.node, root);
}

Reason noPartner(const MatchContext& context, NodeId root, ValueId value, TextId readsOther,
                 TextId readsInput)
{
    const GraphView& view = context.view;
    const NodeId producerId = view.producer(insideRegion(view, value));
    if (const Node* producer = view.node(producerId)) {
        if (producer->is("DequantizeLinear") || producer->is("QuantizeLinear"))
            return reasons::quantizedBetween(producerId, producerId, root);
        const std::string op = producer->op.isStandard()
                                   ? producer->op.type
                                   : producer->op.domain + "." + producer->op.type;
        return reasons::readsOther(root, producerId, op, readsOther);
    }
    const Value* read = view.value(value);
    const Body* body = read ? view.graph().body(read->body) : nullptr;
    if (read && read->isInput && body && body->kind != Body::Kind::main)
        return reasons::readsFromCaller(view.graph(), root, value, read->body);
    return reasons::readsInput(root, value, readsInput);
}

ValueId insideRegion(const GraphView& view, ValueId value)
{
    const Node* node = view.producerNode(value);
    if (!node || !node->region || node->bodies.empty())
        return value;
    const Body* body = view.graph().body(node->bodies.front());
    const auto at = std::find(node->outputs.begin(), node->outputs.end(), value);
    const auto index = static_cast<std::size_t>(at - node->outputs.begin());
    return body && index < body->outputs.size() ? body->outputs[index] : value;
}

ValueId outsideRegion(const GraphView& view, NodeId id, ValueId inner)
{
    const Node* node = view.node(id);
    const Body* body = node && !node->bodies.empty() ? view.graph().body(node->bodies.front())
                                                     : nullptr;
    if (!body)
        return inner;
    for (std::size_t i = 0; i < body->inputs.size() && i < node->inputs.size(); ++i) {
        if (body->inputs[i] == inner)
            return node->inputs[i];
    }
    return inner;
}

NodeId ancestorIn(const GraphView& view, NodeId id, BodyId body)
{
    for (const Node* node = view.node(id); node; node = view.node(id)) {
        if (node->body == body)
            return id;
        const Body* inner = view.graph().body(node->body);
        id = inner ? inner->owner : NodeId{};
    }
    return {};
}

bool dependsOn(const GraphView& view, ValueId value, NodeId from, NodeId end)
{
    const Node* start = view.node(from);
    const Node* last = view.node(end);
    const NodeId wanted = view.producer(value);
    if (!start || !last || !wanted)
        return false;
    std::vector<NodeId> open{from};
    std::unordered_set<NodeId> seen{from};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (id == wanted)
            return true;
        for (const ValueId output : view.node(id)->outputs) {
            for (const Use& use : view.uses(output)) {
                const NodeId reader = ancestorIn(view, use.node, start->body);
                const Node* node = view.node(reader);
                if (node && node->order < last->order && seen.insert(reader).second)
                    open.push_back(reader);
            }
        }
    }
    return false;
}

} // namespace fusescope
