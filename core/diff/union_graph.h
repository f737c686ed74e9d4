#pragma once

#include "model/graph.h"
#include "model/history.h"

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
// and overlay alike.
class UnionGraph
{
public:
    // Extends by the steps that `history` has beyond those already taken in.
    void extend(const History& history);

    const std::vector<Lifespan>& lifespans() const { return m_lifespans; }
    const Lifespan* lifespan(NodeId node) const;
    // The record that stood last.
    const Node* lastRecord(NodeId node) const;
    // Step after which it was removed, and nodes standing for it afterwards.
    std::vector<NodeId> successors(NodeId node) const;
    int steps() const { return m_steps; }

private:
    std::vector<Lifespan> m_lifespans;
    std::unordered_map<NodeId, std::size_t> m_at;
    std::unordered_map<NodeId, NodePtr> m_last;
    std::unordered_map<NodeId, std::vector<NodeId>> m_successors;
    int m_steps = 0;
};

} // namespace fusescope
