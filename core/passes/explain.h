#pragma once

#include "passes/optimizer.h"

namespace fusescope {

// explainNode() for a graph that steps made of `opened`: the growth limit counts from there.
std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node,
                                     const Graph& opened);

} // namespace fusescope
