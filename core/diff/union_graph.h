#pragma once

#include "model/graph.h"
#include "model/history.h"
#include "model/pages.h"

#include <memory>
#include <vector>

namespace fusescope {

// When a node stands in the main or an inner graph over the steps of a history: from `first` up to
// and including `last` (the state after that many steps); last = -1 while it still stands.
struct Lifespan
{
    NodeId node;
    int first = 0;
    int last = -1;
    std::vector<int> changedAt;
    bool aliveAt(int step) const { return step >= first && (last < 0 || step <= last); }
};

// All nodes that ever stand, with the last record of each: one layout of it serves before, after
// and overlay alike. A node that a region holds does not stand. Copies share most of their memory.
class UnionGraph
{
public:
    // Extends by the steps that `history` has beyond those already taken in.
    void extend(const History& history) { extend(history, history.latest()); }
    // With the newest state, for a history that does not keep it.
    void extend(const History& history, const Graph& newest);

    const std::vector<Lifespan>& lifespans() const { return m_lifespans; }
    const Lifespan* lifespan(NodeId node) const;
    // The record that stood last.
    const Node* lastRecord(NodeId node) const;
    // The nodes that took its place when it went; empty while it stands, and where it was dead or
    // became a constant. They may have gone later themselves.
    std::vector<NodeId> successors(NodeId node) const;
    // What stands at `step` for a node that has gone, following successors; itself where it stands.
    std::vector<NodeId> standsForAt(NodeId node, int step) const;
    int steps() const { return m_steps; }

private:
    Lifespan& lifespanFor(NodeId node, int first);
    void takePatch(const GraphPatch& patch, const Graph& newest);

    std::vector<Lifespan> m_lifespans;
    Pages<std::uint32_t> m_at; // index + 1
    Pages<NodePtr> m_last;
    Pages<std::shared_ptr<const std::vector<NodeId>>> m_successors;
    Pages<NodeId> m_regionOf; // of region bodies
    bool m_started = false;
    int m_steps = 0;
};

} // namespace fusescope
