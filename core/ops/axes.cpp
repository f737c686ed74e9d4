#include "ops/axes.h"

#include <algorithm>

namespace fusescope {

std::optional<std::size_t> normalizeAxis(std::int64_t axis, std::size_t rank)
{
    const auto size = static_cast<std::int64_t>(rank);
    if (axis < -size || axis >= size)
        return std::nullopt;
    return static_cast<std::size_t>(fromFront(axis, size));
}

std::optional<std::vector<std::size_t>> normalizeAxes(std::span<const std::int64_t> axes,
                                                      std::size_t rank)
{
    std::vector<std::size_t> result;
    for (const std::int64_t axis : axes) {
        const auto at = normalizeAxis(axis, rank);
        if (!at || std::ranges::find(result, *at) != result.end())
            return std::nullopt;
        result.push_back(*at);
    }
    return result;
}

std::pair<std::size_t, std::size_t> shapeRange(const Attributes& attributes, std::size_t rank)
{
    const auto size = static_cast<std::int64_t>(rank);
    const auto clamped = [size](std::int64_t axis) {
        return std::clamp<std::int64_t>(fromFront(axis, size), 0, size);
    };
    const std::int64_t start = clamped(attributes.getInt("start", 0));
    const std::int64_t end = clamped(attributes.getInt("end", size));
    return {static_cast<std::size_t>(start), static_cast<std::size_t>(std::max(start, end))};
}

} // namespace fusescope
