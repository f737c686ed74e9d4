#pragma once

#include "patterns/fold.h"

#include <optional>

namespace fusescope {

// An elementwise operator of a convolution's result and a constant: what conv-bias and conv-scale
// match loosely.
struct ChannelOperand
{
    FoundConvolution found;
    ValueId constant;
    bool constantFirst = false; // op(constant, conv)
    bool activated = false;     // an activation stands between
};
// A constant counts, and so does what would be one if the file were frozen or complete: another
// tensor of the run does not (that is a residual), but for a factor of each channel where the root
// is a product or quotient and the convolution stands before it.
std::optional<ChannelOperand> channelOperandAt(const GraphView& view, NodeId root);

// The shared conditions: partner, constants, versions, one number a channel.
void checkChannelOperand(Conditions& conditions, const ChannelOperand& operand, NodeId root);

// The constant's numbers, one a channel; nothing while a condition above fails.
std::optional<std::vector<double>> channelNumbers(const GraphView& view,
                                                  const ChannelOperand& operand);

} // namespace fusescope
