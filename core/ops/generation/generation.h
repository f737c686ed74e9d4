#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the generation family.
namespace fusescope::generation {

std::span<const OpEntry> constants();  // Constant, ConstantOfShape, Range, EyeLike
std::span<const OpEntry> windows();    // HannWindow, HammingWindow, BlackmanWindow, MelWeightMatrix
std::span<const OpEntry> transforms(); // DFT, STFT

} // namespace fusescope::generation
