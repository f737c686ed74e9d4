#pragma once

#include "model/attribute.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// Axes, and places along one: ONNX counts them from the end when they are negative.
namespace fusescope {

// Counted from the front; what is out of range stays out of range.
constexpr std::int64_t fromFront(std::int64_t at, std::int64_t size)
{
    return at < 0 ? at + size : at;
}

// An axis counted from the front; nothing outside [−rank, rank).
std::optional<std::size_t> normalizeAxis(std::int64_t axis, std::size_t rank);
// Several, in the order given; nothing where one is out of range or stands there twice.
std::optional<std::vector<std::size_t>> normalizeAxes(std::span<const std::int64_t> axes,
                                                      std::size_t rank);

// The axes [start, end) that Shape-15 selects of a rank.
std::pair<std::size_t, std::size_t> shapeRange(const Attributes& attributes, std::size_t rank);

} // namespace fusescope
