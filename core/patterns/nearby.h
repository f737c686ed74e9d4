#pragma once

#include "patterns/conditions.h"
#include "patterns/walk.h"

#include <vector>

namespace fusescope {

// Whether a chain is short and plain enough that a person may have meant the two as neighbours: one
// shape operator, casts, or quantizers; or none at all. What gives its parts to several (a Split)
// parts them for good.
bool isNearby(const GraphView& view, const Found& found);

// The condition that the partner stands next to the root.
void checkDirect(Conditions& conditions, const Found& found, NodeId root);

// The refusal; nothing where the partner stands apart and more than that is in the way.
MatchResult missBehind(Conditions&& conditions, bool apart, std::vector<NodeId> nodes);

} // namespace fusescope
