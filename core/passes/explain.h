#pragma once

#include "passes/differentiated.h"
#include "passes/fix_trial.h"

namespace fusescope {

// explainNode() and explainPair() for a graph that steps made of `opened`: the growth limit counts
// from there.
std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node,
                                     const Graph& opened);
PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b,
                            const Graph& opened);

// What one rule says of one root.
struct RuleAnswer
{
    Explanation explanation;
    std::vector<NodeId> taken;    // that the rule matched, the root among them
    std::vector<NodeId> culprits; // that its reasons name besides
};

// Asks rules about nodes of one graph, as optimizing would.
class RuleAsker
{
public:
    RuleAsker(const Graph& graph, const Plan& plan, const Graph& opened);

    // Nothing where the rule has no candidate there. Fixes are those that the rule names.
    std::optional<RuleAnswer> ask(const Pass& pass, NodeId root) const;
    // The same with fixes that were tried (FixTrial), for a graph that does not change any more.
    std::optional<RuleAnswer> askAndTry(const Pass& pass, NodeId root);
    // A step led the graph on, and it stores so many bytes more.
    void grew(std::int64_t bytes) { m_grown += bytes; }

private:
    const Graph& m_graph;
    Differentiated m_differentiated;
    Policy m_asked; // without what is only differentiated
    Plan m_plan;
    std::int64_t m_grown;
    CallSizes m_calls;
    std::optional<FixTrial> m_trial;
};

// One reads the other, or both read one value that is no constant.
bool areNeighbours(const Graph& graph, NodeId a, NodeId b);

// The node and what lies downstream of it, as far as the last node of a pattern may stand.
std::vector<NodeId> downstreamOf(const Graph& graph, NodeId node);

} // namespace fusescope
