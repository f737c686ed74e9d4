#pragma once

#include "model/graph.h"
#include "base/result.h"

#include <string_view>
#include <vector>

namespace fusescope {

inline constexpr std::string_view contribDomain = "com.microsoft";

// The parts of lower(): each appends to a patch what takes one region, or all, out of the graph.

// The standard operators of its body, where they stood; records that are then as in `opened` (may be
// null) are the very same pointers.
void lowerToBody(const Graph& graph, NodeId region, const Graph* opened, GraphPatch& patch);

// One call of a local function of domain "fusescope" for each region; equal bodies share one. What a
// region inside a function refers to of the attributes of its call is handed on.
Result<GraphPatch> lowerToFunctions(const Graph& graph, const std::vector<NodeId>& regions);

// com.microsoft.FusedConv where it says exactly the same; false when it does not for this region.
Result<bool> lowerToContrib(const Graph& graph, NodeId region, GraphPatch& patch);

// Lets the patch import a domain where a body is: in the function around it, else in the model.
void importInto(const Graph& graph, BodyId body, std::string_view domain, GraphPatch& patch);

} // namespace fusescope
