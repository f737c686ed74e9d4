#pragma once

#include "session/model_info.h"

#include <optional>
#include <vector>

namespace fusescope {

// What articles about optimizing exported networks commonly promise, beside what one model gained.
// All in percent of the figure before; negative is less, but for speed, where more is faster.
struct Gain
{
    enum class What { size, memory, speed } what = What::size;
    double from = 0, to = 0;        // the promised range, the smaller gain first
    std::optional<double> measured; // nothing where it was not, or was zero before

    // Whether the measured gain is at least the smaller end of the range.
    bool isReached() const;
};

// Size: stored bytes of constants, −20 … −50. Memory: bytes that a run writes, −15 … −40. Speed:
// +10 … +30, of two medians in milliseconds when there are any.
std::vector<Gain> gainsOf(const ModelFigures& before, const ModelFigures& after,
                          std::optional<std::pair<double, double>> medians = {});

} // namespace fusescope
