#pragma once

#include "patterns/graph_view.h"

#include <optional>
#include <vector>

namespace fusescope {

// A constant's elements as doubles; one element stands for all of a splat.
struct DoubleTensor
{
    std::vector<std::int64_t> shape;
    std::vector<double> values;
    std::int64_t count = 0;

    double at(std::int64_t i) const { return values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)]; }
};

// Empty (count 0, no values) when the value is no constant with contents.
DoubleTensor constantAsDouble(const GraphView& view, ValueId value);
DoubleTensor asDouble(const Tensor& tensor);

// One value, or two constants that are equal bit for bit.
bool sameConstant(const GraphView& view, ValueId a, ValueId b);

// The only element of a constant of one element, of any rank.
std::optional<double> scalarConstant(const GraphView& view, ValueId value);
// Up to 64 integers of a constant, as axes and sizes are; nothing when it is none or has more.
std::optional<std::vector<std::int64_t>> integerConstant(const GraphView& view, ValueId value);

// One number a channel from a constant that channelOnly() accepted: [C], [1], [1, C, 1, 1], ….
std::vector<double> channelValues(const Tensor& tensor, std::int64_t channels);

bool allFinite(const DoubleTensor& tensor);

} // namespace fusescope
