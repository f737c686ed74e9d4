#pragma once

#include "passes/rule_support.h"

namespace fusescope {

// What the rules share that join operators which only look at the same elements in another shape.

// Whether a node's first output holds the elements of its first input in their order, in another
// shape: Reshape, Flatten, Squeeze, Unsqueeze, a Transpose that moves axes of size 1 alone, a Gather
// of the only place of an axis.
bool isView(const GraphView& view, const Node& node);

// Whether a node's only output is made of its only input, element by element.
bool isUnary(const Node& node);

// A new Reshape of `source` to that target in place of `node`, whose first output it makes.
void replaceByReshape(PatchBuilder& builder, NodeId node, ValueId source,
                      const std::vector<std::int64_t>& target);

} // namespace fusescope
