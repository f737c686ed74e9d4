#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the shaping family.
namespace fusescope::shaping {

std::span<const OpEntry> reshapes();     // Shape, Size, Reshape, Flatten, Squeeze, Unsqueeze
std::span<const OpEntry> arrangements(); // Transpose, Expand, Tile, DepthToSpace, …
std::span<const OpEntry> joins();        // Concat, Split
std::span<const OpEntry> padding();      // Pad, CenterCropPad

} // namespace fusescope::shaping
