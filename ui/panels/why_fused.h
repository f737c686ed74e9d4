#pragma once

#include "session/timeline.h"

#include <vector>

namespace fusescope {

// The steps of fusion that a node took part in, in their order: it went into what they made, took
// the place of what went, or was made by them.
std::vector<int> fusionsOf(const Timeline& timeline, NodeId node);

// The first step after `state` by this rule at this root; 0 if there is none.
int stepAtRoot(const Timeline& timeline, RuleId rule, NodeId root, int state);
// The first step after `state` that takes a node away, into a region, or makes another operator of
// it; 0 if there is none.
int stepThatTakes(const Timeline& timeline, NodeId node, int state);

} // namespace fusescope
