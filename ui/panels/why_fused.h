#pragma once

#include "session/timeline.h"

#include <vector>

namespace fusescope {

// The steps of fusion that a node took part in, in their order: it went into what they made, took
// the place of what went, or was made by them.
std::vector<int> fusionsOf(const Timeline& timeline, NodeId node);

} // namespace fusescope
