#include "passes/slices.h"

#include "ops/axes.h"
#include "patterns/constants.h"

#include <algorithm>

namespace fusescope {

SliceLists sliceLists(const GraphView& view, const Node& node)
{
    return sliceLists(
        node, view.sinceVersion(node),
        [&node](std::size_t input) { return static_cast<bool>(node.input(input)); },
        [&](std::size_t input) { return integerConstant(view, node.input(input)); });
}

std::optional<std::vector<Cut>> cutsOf(const GraphView& view, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    if (!node.is("Slice") || view.sinceVersion(node) < 10 || !shape.hasRank() || !node.input(0))
        return std::nullopt;
    const SliceLists lists = sliceLists(view, node);
    if (!lists.areComplete())
        return std::nullopt;
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i < lists.starts->size(); ++i) {
        const auto axis = normalizeAxis((*lists.axes)[i], shape.rank());
        if (!axis || (*lists.steps)[i] == 0)
            return std::nullopt;
        Cut cut{static_cast<std::int64_t>(*axis), (*lists.starts)[i], (*lists.ends)[i],
                (*lists.steps)[i]};
        // Bounds from the end become bounds from the start where the size is a number.
        const auto size = shape[*axis].constant();
        if (size && cut.step > 0) {
            for (std::int64_t* bound : {&cut.start, &cut.end})
                *bound = std::max<std::int64_t>(fromFront(*bound, *size), 0);
        }
        cuts.push_back(cut);
    }
    return cuts;
}

} // namespace fusescope
