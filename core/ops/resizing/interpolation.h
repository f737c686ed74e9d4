#pragma once

#include "ops/kernel_support.h"

#include <string>

namespace fusescope::resizing {

// How Resize samples one axis. Formulas: the operator's documentation in the ONNX standard.
struct AxisSampling
{
    std::string mode = "nearest"; // nearest, linear, cubic
    std::string transform = "half_pixel";
    std::string nearest = "round_prefer_floor";
    double cubicA = -0.75;
    bool excludeOutside = false;
    bool antialias = false;
    std::int64_t inSize = 1;
    std::int64_t outSize = 1;
    double scale = 1.0;
    double roiStart = 0.0, roiEnd = 1.0;
};

// The elements that make one element of the result, along one axis.
struct Sample
{
    std::vector<std::int64_t> indices;
    std::vector<double> weights;
    bool outside = false; // of the region that tf_crop_and_resize reads
};

// One sample for each element of the result. False for an unknown mode.
bool samplesOf(const AxisSampling& axis, std::vector<Sample>& samples);

} // namespace fusescope::resizing
