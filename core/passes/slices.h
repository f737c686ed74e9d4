#pragma once

#include "ops/slice_lists.h"
#include "patterns/graph_view.h"

#include <optional>
#include <vector>

namespace fusescope {

// The lists of a Slice, as far as they are constants.
SliceLists sliceLists(const GraphView& view, const Node& node);

// What a Slice takes of one axis; bounds as ONNX counts them.
struct Cut
{
    std::int64_t axis = 0, start = 0, end = 0, step = 1;
};

// The cuts of a Slice by constants (version 10 on), with axes counted from the front, and bounds too
// where the size is a number and the step above 0; nothing for any other node.
std::optional<std::vector<Cut>> cutsOf(const GraphView& view, const Node& node);

} // namespace fusescope
