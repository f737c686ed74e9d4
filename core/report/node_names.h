#pragma once

#include "model/graph.h"

#include <string>

namespace fusescope {

// "Conv", "com.acme.Warp"; what a region was made of, "ConvBN", or its rule where that is long:
// "ElementwiseChain".
std::string operatorTitle(const Graph& graph, const Node& node);

// A node without a name: "Conv #17", by the id that every snapshot and `#17` on the command line
// know it by.
std::string namelessTitle(const Graph& graph, const Node& node, NodeId id);

// The operator and what the node is called, each said once: "Conv conv1", "Conv #17".
std::string operatorAndName(const Graph& graph, NodeId node);

// What a command line or a plan file names it by: its name, else its first output's, else "#17".
std::string reachableName(const Graph& graph, NodeId node);
std::string reachableName(const Graph& graph, ValueId value);

} // namespace fusescope
