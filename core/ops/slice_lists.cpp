#include "ops/slice_lists.h"

#include "ops/axes.h"

#include <algorithm>
#include <numeric>

namespace fusescope {

void SliceLists::fillDefaults(std::size_t count)
{
    if (!axesGiven) {
        axes.emplace(count);
        std::iota(axes->begin(), axes->end(), std::int64_t{0});
    }
    if (!stepsGiven)
        steps.emplace(count, 1);
}

bool SliceLists::areComplete() const
{
    return starts && ends && axes && steps && ends->size() == starts->size() &&
           axes->size() == starts->size() && steps->size() == starts->size();
}

SliceLists sliceLists(const Node& node, int sinceVersion,
                      const std::function<bool(std::size_t input)>& has, const ReadInts& read)
{
    SliceLists lists;
    if (sinceVersion < 10) {
        lists.starts = node.attributes.getInts("starts");
        lists.ends = node.attributes.getInts("ends");
        lists.axes = node.attributes.getInts("axes");
        lists.axesGiven = node.attributes.has("axes");
    } else {
        lists.starts = read(1);
        lists.ends = read(2);
        lists.axesGiven = has(3);
        lists.stepsGiven = has(4);
        if (lists.axesGiven)
            lists.axes = read(3);
        if (lists.stepsGiven)
            lists.steps = read(4);
    }
    if (lists.starts)
        lists.fillDefaults(lists.starts->size());
    return lists;
}

SliceRun sliceRun(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size)
{
    const std::int64_t high = step > 0 ? size : size - 1;
    const std::int64_t low = step > 0 ? 0 : -1;
    // A start before the axis takes the first place, if there is one.
    return {std::clamp(fromFront(start, size), std::min<std::int64_t>(0, high), high),
            std::clamp(fromFront(end, size), low, high)};
}

} // namespace fusescope
