#include "diff/union_graph.h"

#include "diff/node_compare.h"

#include <algorithm>

namespace fusescope {

Lifespan& UnionGraph::lifespanFor(NodeId node, int first)
{
    std::uint32_t& at = m_at.edit(node.value);
    if (at == 0) {
        m_lifespans.push_back({node, first, -1, {}});
        at = static_cast<std::uint32_t>(m_lifespans.size());
    }
    return m_lifespans[at - 1];
}

void UnionGraph::extend(const History& history, const Graph& newest)
{
    if (!m_started) {
        m_started = true;
        const Graph first = history.at(0);
        for (const BodyId id : first.bodies()) {
            if (const Body* body = first.body(id); body->kind == Body::Kind::region)
                m_regionOf.edit(id.value) = body->owner;
        }
        const std::vector<NodeId> nodes = first.allNodes();
        m_lifespans.reserve(nodes.size());
        for (const NodeId id : nodes) {
            const NodePtr& node = first.nodePtr(id);
            if (m_regionOf.get(node->body.value))
                continue;
            lifespanFor(id, 0);
            m_last.edit(id.value) = node;
        }
    }
    for (; static_cast<std::size_t>(m_steps) < history.size(); ++m_steps)
        takePatch(history.patch(static_cast<std::size_t>(m_steps)), newest);
}

void UnionGraph::takePatch(const GraphPatch& patch, const Graph& newest)
{
    const int step = m_steps + 1;
    for (const auto& slot : patch.bodies) {
        if (slot.after && slot.after->kind == Body::Kind::region)
            m_regionOf.edit(slot.id.value) = slot.after->owner;
    }
    // Bodies are never given to another region, so that one table serves both sides.
    const auto regionOf = [&](BodyId body) { return m_regionOf.get(body.value); };
    for (auto& [id, heirs] : diff::successorsIn(patch, regionOf, regionOf))
        m_successors.edit(id.value) = std::make_shared<const std::vector<NodeId>>(std::move(heirs));

    for (const auto& slot : patch.nodes) {
        const bool stood = slot.before && !regionOf(slot.before->body);
        const bool stands = slot.after && !regionOf(slot.after->body);
        if (stands) {
            Lifespan& life = lifespanFor(slot.id, step);
            if (stood) {
                if (diff::differs(*slot.before, *slot.after))
                    life.changedAt.push_back(step);
            } else if (life.last >= 0) {
                life.last = -1;
                life.changedAt.push_back(step);
                m_successors.edit(slot.id.value) = nullptr;
            }
            m_last.edit(slot.id.value) = slot.after;
        } else if (stood) {
            lifespanFor(slot.id, step).last = step - 1;
        }
    }
    // A constant whose contents change in place changes its readers.
    for (const auto& slot : patch.values) {
        if (!slot.before || !slot.after || slot.before->constant == slot.after->constant
            || !diff::differs(*slot.before, *slot.after))
            continue;
        for (const Use& use : newest.uses(slot.id)) {
            const std::uint32_t at = use.isBodyOutput() ? 0 : m_at.get(use.node.value);
            if (at == 0)
                continue;
            Lifespan& life = m_lifespans[at - 1];
            if (life.first < step && life.aliveAt(step)
                && (life.changedAt.empty() || life.changedAt.back() != step))
                life.changedAt.push_back(step);
        }
    }
}

const Lifespan* UnionGraph::lifespan(NodeId node) const
{
    const std::uint32_t at = m_at.get(node.value);
    return at == 0 ? nullptr : &m_lifespans[at - 1];
}

const Node* UnionGraph::lastRecord(NodeId node) const
{
    return m_last.get(node.value).get();
}

std::vector<NodeId> UnionGraph::successors(NodeId node) const
{
    const auto& found = m_successors.get(node.value);
    return found ? *found : std::vector<NodeId>{};
}

std::vector<NodeId> UnionGraph::standsForAt(NodeId node, int step) const
{
    std::vector<NodeId> result;
    std::vector<NodeId> open{node};
    std::vector<NodeId> seen;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (std::ranges::find(seen, id) != seen.end())
            continue;
        seen.push_back(id);
        const Lifespan* life = lifespan(id);
        if (life && life->aliveAt(step)) {
            result.push_back(id);
        } else if (life && step > life->last && life->last >= 0) {
            const std::vector<NodeId> heirs = successors(id);
            open.insert(open.end(), heirs.begin(), heirs.end());
        }
    }
    std::ranges::sort(result);
    return result;
}

} // namespace fusescope
