#include "diff/graph_diff.h"

#include "diff/node_compare.h"

#include <algorithm>
#include <unordered_set>

namespace fusescope {

namespace {

NodeId regionOwner(const Graph& graph, BodyId id)
{
    const Body* body = graph.body(id);
    return body && body->kind == Body::Kind::region ? body->owner : NodeId{};
}

bool insideRegion(const Graph& graph, BodyId id)
{
    return static_cast<bool>(regionOwner(graph, id));
}

// Whether a value is only spoken of by nodes that themselves count as added or removed.
bool spokenFor(const Graph& graph, ValueId value, const std::unordered_set<NodeId>& nodes)
{
    if (const NodeId maker = graph.producer(value))
        return nodes.contains(maker);
    const auto uses = graph.uses(value);
    return !uses.empty() && std::ranges::all_of(uses, [&](const Use& use) {
        return !use.isBodyOutput() && nodes.contains(use.node);
    });
}

} // namespace

bool ValueChange::isInitializer() const
{
    return (after && after->isInitializer()) || (before && before->isInitializer());
}

int GraphDiff::count(ChangeKind kind) const
{
    return static_cast<int>(
        std::ranges::count(nodes, kind, &NodeChange::kind)
        + std::ranges::count_if(values, [kind](const ValueChange& change) {
              return change.kind == kind && change.isInitializer();
          }));
}

const NodeChange* GraphDiff::find(NodeId node) const
{
    const auto found = std::ranges::find(nodes, node, &NodeChange::node);
    return found == nodes.end() ? nullptr : &*found;
}

GraphDiff diffOfPatch(const Graph& before, const Graph& after, const GraphPatch& patch)
{
    GraphDiff result;
    const auto successors = diff::successorsIn(
        patch, [&](BodyId body) { return regionOwner(before, body); },
        [&](BodyId body) { return regionOwner(after, body); });
    std::unordered_set<NodeId> gone; // also those that a region holds
    std::unordered_set<NodeId> came;
    for (const auto& slot : patch.nodes) {
        const bool stood = slot.before && !insideRegion(before, slot.before->body);
        const bool stands = slot.after && !insideRegion(after, slot.after->body);
        if (slot.before && !stands)
            gone.insert(slot.id);
        if (slot.after && !stood)
            came.insert(slot.id);
        if (!stood && !stands)
            continue;
        if (stood && stands) {
            if (diff::differs(*slot.before, *slot.after))
                result.nodes.push_back(
                    {slot.id, ChangeKind::changed, slot.before, slot.after, {}});
            continue;
        }
        NodeChange change{slot.id, stands ? ChangeKind::added : ChangeKind::removed,
                          stood ? slot.before : nullptr, stands ? slot.after : nullptr, {}};
        if (stands) {
            change.related = slot.after->origins;
        } else if (const auto found = successors.find(slot.id); found != successors.end()) {
            change.related = found->second;
        }
        result.nodes.push_back(std::move(change));
    }
    std::ranges::sort(result.nodes, {}, &NodeChange::node);

    for (const auto& slot : patch.values) {
        const bool stood = slot.before && !insideRegion(before, slot.before->body);
        const bool stands = slot.after && !insideRegion(after, slot.after->body);
        if (!stood && !stands)
            continue;
        if (stood && stands) {
            if (diff::differs(*slot.before, *slot.after))
                result.values.push_back(
                    {slot.id, ChangeKind::changed, slot.before, slot.after});
        } else if (stands) {
            if (!spokenFor(after, slot.id, came))
                result.values.push_back({slot.id, ChangeKind::added, nullptr, slot.after});
        } else if (!spokenFor(before, slot.id, gone)) {
            result.values.push_back({slot.id, ChangeKind::removed, slot.before, nullptr});
        }
    }
    std::ranges::sort(result.values, {}, &ValueChange::value);
    return result;
}

} // namespace fusescope
