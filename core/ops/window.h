#pragma once

#include "ops/kernel_support.h"

namespace fusescope {

// The sliding window of convolutions and poolings: one entry a spatial axis.
struct Window
{
    enum class AutoPad { explicitPads, sameUpper, sameLower, valid };

    std::vector<std::int64_t> kernel, strides, dilations, padBegin, padEnd;
    AutoPad autoPad = AutoPad::explicitPads;
    bool ceilMode = false;

    std::size_t rank() const { return kernel.size(); }
    // What a dilated kernel spans.
    std::int64_t extent(std::size_t axis) const
    {
        return dilations[axis] * (kernel[axis] - 1) + 1;
    }
};

// Reads strides, dilations, pads, auto_pad and ceil_mode; names an attribute of wrong length or value.
Result<Window> readWindow(const Attributes& attributes, std::vector<std::int64_t> kernel);

// The output's size along an axis, in terms: the formulas of the standard, written once so that
// equal windows over equal sizes give equal terms.
Dim windowOutput(const Window& window, std::size_t axis, const Dim& input);
// The same where the kernel's size is no number: `extent` is what it spans.
Dim windowOutput(const Window& window, std::size_t axis, const Dim& input, const Dim& extent);

// Known input sizes: gives the output's sizes and fills in the pads that auto_pad stands for.
std::optional<std::vector<std::int64_t>> resolveWindow(Window& window,
                                                       std::span<const std::int64_t> input);

// For each axis, the positions [first, last) of the walking side for which walking·stride + shift
// stands within [0, size).
struct TapRange
{
    std::int64_t first, last;
};
TapRange tapRange(std::int64_t shift, std::int64_t stride, std::int64_t size, std::int64_t count);

// Of ConvTranspose: what is added to an axis of the output lies below its stride or its dilation, or it
// would be another position. The most that is allowed, where `padding` holds more; nothing else.
std::optional<std::int64_t> mostOutputPadding(const Window& window,
                                              std::span<const std::int64_t> padding);

} // namespace fusescope
