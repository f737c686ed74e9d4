#pragma once

#include "model/node.h"

#include <functional>
#include <optional>
#include <vector>

// What a Slice is told, and which places it takes.
namespace fusescope {

// The lists of a Slice, each as the node has it; nothing where it is not known. Axes and steps that
// the node leaves out are 0, 1, 2, … and 1, 1, 1, …, as long as the starts.
struct SliceLists
{
    using Ints = std::vector<std::int64_t>;

    std::optional<Ints> starts, ends, axes, steps;
    bool axesGiven = false, stepsGiven = false;

    // For starts whose number alone is known.
    void fillDefaults(std::size_t count);
    // All known and equally long.
    bool areComplete() const;
};

// Attributes before version 10, which has no steps; from then on inputs 1 to 4: `has` tells whether
// there is one, and `read` what it holds, each in this order.
using ReadInts = std::function<std::optional<SliceLists::Ints>(std::size_t input)>;
SliceLists sliceLists(const Node& node, int sinceVersion,
                      const std::function<bool(std::size_t input)>& has, const ReadInts& read);

// The places of an axis that a Slice takes: from `first` by steps to before `last`, which a step
// below 0 comes to from above. Counted from the front and clamped to the axis, as ONNX has it.
struct SliceRun
{
    std::int64_t first = 0, last = 0;
};
SliceRun sliceRun(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size);

} // namespace fusescope
