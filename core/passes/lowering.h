#pragma once

#include "model/id_pool.h"
#include "model/patch.h"
#include "base/result.h"

#include <vector>

namespace fusescope {

// The parts of lower(): each appends to a patch what takes one region, or all, out of the graph.

// The standard operators of its body, where they stood; records that are then as in `opened` (may be
// null) are the very same pointers.
void lowerToBody(const Graph& graph, NodeId region, const Graph* opened, GraphPatch& patch);

// One call of a local function of domain "fusescope" for each region; equal bodies share one.
Result<GraphPatch> lowerToFunctions(const Graph& graph, IdPool& pool,
                                    const std::vector<NodeId>& regions);

// A com.microsoft operator that says exactly the same (FusedConv, FusedGemm, Gelu, …); false when
// there is none for this region.
Result<bool> lowerToContrib(const Graph& graph, IdPool& pool, NodeId region, GraphPatch& patch);

} // namespace fusescope
