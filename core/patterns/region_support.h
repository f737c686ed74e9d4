#pragma once

#include "patterns/graph_view.h"

#include <optional>
#include <utility>
#include <vector>

namespace fusescope {

// The operator that carries a node's work, and what follows it inside a region.
struct MainOperator
{
    NodeId holder; // the node in the graph: a plain one, or the region
    NodeId main;   // the operator itself, inside the region if there is one
    bool isRegion = false;
    NodeId residual;   // the Add of another value, if the region has one
    NodeId activation; // the activation that ends it, if it has one
    NodeId concat;     // the Concat in front, if it has one
};

// For a plain node: itself. Nothing for a region without a main node.
std::optional<MainOperator> mainOperator(const GraphView& view, NodeId id);

// The roles of the nodes that a grown region takes over: those of a region, or `plain` for a node.
// An activation written out (a region) ends in the node that plays `plain`; its others are parts.
std::vector<std::pair<NodeId, Role>> rolesOf(const GraphView& view, NodeId id, Role plain);

} // namespace fusescope
