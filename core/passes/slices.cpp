#include "passes/slices.h"

#include "patterns/constants.h"

#include <algorithm>

namespace fusescope {

std::optional<std::vector<Cut>> cutsOf(const GraphView& view, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    if (!node.is("Slice") || view.sinceVersion(node) < 10 || !shape.hasRank() || !node.input(0) ||
        !node.input(1) || !node.input(2))
        return std::nullopt;
    const auto starts = integerConstant(view, node.input(1));
    const auto ends = integerConstant(view, node.input(2));
    if (!starts || !ends || starts->size() != ends->size())
        return std::nullopt;
    std::vector<std::int64_t> axes, steps(starts->size(), 1);
    for (std::size_t i = 0; i < starts->size(); ++i)
        axes.push_back(static_cast<std::int64_t>(i));
    if (node.input(3)) {
        const auto given = integerConstant(view, node.input(3));
        if (!given)
            return std::nullopt;
        axes = *given;
    }
    if (node.input(4)) {
        const auto given = integerConstant(view, node.input(4));
        if (!given)
            return std::nullopt;
        steps = *given;
    }
    if (axes.size() != starts->size() || steps.size() != starts->size())
        return std::nullopt;
    std::vector<Cut> cuts;
    const auto rank = static_cast<std::int64_t>(shape.rank());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Cut cut{axes[i] < 0 ? axes[i] + rank : axes[i], (*starts)[i], (*ends)[i], steps[i]};
        if (cut.axis < 0 || cut.axis >= rank || cut.step == 0)
            return std::nullopt;
        // Bounds from the end become bounds from the start where the size is a number.
        const auto size = shape[static_cast<std::size_t>(cut.axis)].constant();
        if (size && cut.step > 0) {
            for (std::int64_t* bound : {&cut.start, &cut.end}) {
                if (*bound < 0)
                    *bound = std::max<std::int64_t>(*bound < -*size ? 0 : *bound + *size, 0);
            }
        }
        cuts.push_back(cut);
    }
    return cuts;
}

} // namespace fusescope
