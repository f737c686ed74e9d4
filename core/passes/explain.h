#pragma once

#include "passes/optimizer.h"

namespace fusescope {

// explainNode() and explainPair() for a graph that steps made of `opened`: the growth limit counts
// from there.
std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node,
                                     const Graph& opened);
PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b,
                            const Graph& opened);

} // namespace fusescope
