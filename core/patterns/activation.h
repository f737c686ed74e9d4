#pragma once

#include "patterns/conditions.h"

#include <optional>
#include <string_view>

namespace fusescope {

// Activations that a fused node may end in: one operator, Max(x, 0), or a region that another rule
// made of an activation written out (silu, hard-swish, mish, gelu, quick-gelu).
bool isActivationType(std::string_view type);
bool isActivationRegion(const Node& node);

// The types that a root may have, for rootTypes(): operators, and kinds of regions.
std::span<const std::string_view> activationTypes();

// The value that an activation works on; none when the node is no activation (Max of two values).
ValueId activationData(const GraphView& view, const Node& node);

// Its parameters (bounds, slope) are constants of a fitting shape: every obstacle.
void checkActivation(Conditions& conditions, NodeId activation);

} // namespace fusescope
