#pragma once

#include "model/graph.h"

namespace fusescope {

// How many nodes the graph has when each fused node is written as the standard operators that it
// stands for; Graph::nodeCount() counts each as one.
std::size_t writtenNodes(const Graph& graph);

} // namespace fusescope
