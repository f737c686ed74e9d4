#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the resizing family.
namespace fusescope::resizing {

std::span<const OpEntry> resizes(); // Resize, Upsample
std::span<const OpEntry> grids();   // GridSample, AffineGrid
std::span<const OpEntry> regions(); // RoiAlign, NonMaxSuppression

} // namespace fusescope::resizing
