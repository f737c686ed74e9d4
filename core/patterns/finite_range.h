#pragma once

#include "patterns/graph_view.h"

#include <optional>

namespace fusescope {

struct FiniteRange
{
    double low = 0, high = 0;
};

// Numbers between which every element of a value lies that is not NaN, as far as constants, types
// and operators show it. Nothing where an element may be infinite: an input of floats, a quotient,
// a sum that may overflow, an operator that is not followed.
std::optional<FiniteRange> finiteRange(const GraphView& view, ValueId value);

} // namespace fusescope
