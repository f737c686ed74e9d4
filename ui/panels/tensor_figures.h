#pragma once

#include "model/tensor.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace fusescope {

// What a tensor holds, in figures of its finite elements.
struct TensorFigures
{
    double least = 0, most = 0, mean = 0, deviation = 0;
    std::int64_t finite = 0, zeros = 0, nan = 0, inf = 0;
    std::vector<std::int64_t> bins; // equal ones from least to most; empty without finite elements
};
inline constexpr std::size_t histogramBins = 48;

// Nothing for strings, for contents that are missing, and when stopped.
std::optional<TensorFigures> tensorFigures(const Tensor& tensor, std::stop_token stop = {});

} // namespace fusescope
