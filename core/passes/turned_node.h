#pragma once

#include "patterns/graph_view.h"

#include <optional>
#include <utility>
#include <vector>

namespace fusescope {

// Axis i of a value is axis order[i] of the value that a Transpose made it of. Empty for a scalar.
using AxisOrder = std::vector<std::size_t>;

bool isIdentity(const AxisOrder& order);
AxisOrder reversedOrder(std::size_t rank);
AxisOrder inverseOf(const AxisOrder& order);
// A Transpose's perm; reversed axes without the attribute, for which the rank is proven. Nothing when
// it is no permutation.
std::optional<AxisOrder> orderOf(const GraphView& view, const Node& transpose);
// The attribute of a Transpose that makes the order.
std::vector<std::int64_t> permOf(const AxisOrder& order);

// A node that is to work on its data before a Transpose in place of behind it: with the inputs `data`
// replaced by what lies in the former order, `node` gives outputs of which the old ones are Transposes
// by `outputs`.
struct TurnedNode
{
    Node node;                     // its attributes are changed; data inputs and outputs are not
    std::vector<std::size_t> data; // the inputs that have to be turned
    std::vector<std::size_t> operands; // constants that have to be laid out anew: turnedConstant()
    std::vector<std::pair<std::size_t, Tensor>> integers; // inputs that name axes: replaced by these
    std::vector<AxisOrder> outputs;
};

// A constant that broadcasts to as many axes as the order has, as it lies in the former order, with all
// its axes.
Tensor turnedConstant(const Tensor& tensor, const AxisOrder& order);

// Nothing where the node looks at its axes in another way than by elements, names or positions of
// axes that can be changed: all data inputs are Transposes by `order`, constants are as they are.
// Asks for what holds at every size; the ranks of data inputs are for the caller to prove.
std::optional<TurnedNode> turnedNode(const GraphView& view, const Node& node, const AxisOrder& order);

} // namespace fusescope
