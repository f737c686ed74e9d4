#pragma once

#include "session/timeline.h"

#include <vector>

namespace fusescope {

// The steps of fusion that a node took part in, in their order: it went into what they made, took
// the place of what went, or was made by them.
std::vector<int> fusionsOf(const Timeline& timeline, NodeId node);

// The first step that makes one node of both; 0 if none.
int fusionOf(const Timeline& timeline, NodeId a, NodeId b);

} // namespace fusescope
