#pragma once

#include "passes/rule_support.h"
#include "patterns/conditions.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace fusescope {

// What the rules share that join operators which only look at the same elements in another shape.

// Whether a node's first output holds the elements of its first input in their order, in another
// shape: Reshape, Flatten, Squeeze, Unsqueeze, a Transpose that moves axes of size 1 alone, a Gather
// of the only place of an axis.
bool isView(const GraphView& view, const Node& node);

// Whether a node's only output is made of its only input, element by element.
bool isUnary(const Node& node);

// The input that a node changes element by element, in any shape: the only one, or the one beside
// constants of one element, which do not enlarge it.
std::optional<std::size_t> elementwiseInput(const GraphView& view, const Node& node);

// The operators on each element in front of a node, the nearest first, and what stands before them.
struct Between
{
    NodeId first;
    std::vector<std::pair<NodeId, std::size_t>> steps; // with the input that is changed

    std::vector<NodeId> nodes(NodeId last) const; // all, in the order of the graph
};

// Walks back from the first input of `last` to a node that `isFirst` takes; nothing when something
// else stands in the way.
std::optional<Between> walkBack(const GraphView& view, const Node& last,
                                const std::function<bool(const Node&)>& isFirst);

// The conditions of joining the first with `last`: one scope, each read by the next alone, no pin.
// Gives all nodes.
std::vector<NodeId> checkJoinable(Conditions& conditions, const MatchContext& match,
                                  const Between& between, NodeId last);

// The same operators on `source` in place of what the first of them reads; gives the last result.
ValueId repeatOn(PatchBuilder& builder, const Between& between, ValueId source);

// A new Reshape of `source` to that target in place of `node`, whose first output it makes.
void replaceByReshape(PatchBuilder& builder, NodeId node, ValueId source,
                      const std::vector<std::int64_t>& target);

} // namespace fusescope
