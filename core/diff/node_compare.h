#pragma once

#include "model/graph.h"
#include "model/patch.h"

#include <functional>
#include <unordered_map>

namespace fusescope::diff {

// Whether the records differ in what they compute or are called: the reading order, origins and
// documentation do not count.
bool differs(const Node& before, const Node& after);
bool differs(const Value& before, const Value& after);

using OwnerOf = std::function<NodeId(BodyId)>; // the region that owns a body; none for other bodies

// For each node that a patch takes away or that a region swallows: the nodes that stand for it now.
// They are the region that holds it, else those that make its outputs, else those that share an
// origin with it. Nothing where it was dead or its results are constants.
std::unordered_map<NodeId, std::vector<NodeId>> successorsIn(const GraphPatch& patch,
                                                             const OwnerOf& regionBefore,
                                                             const OwnerOf& regionAfter);

} // namespace fusescope::diff
