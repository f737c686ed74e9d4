#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the activation family.
namespace fusescope::activation {

std::span<const OpEntry> functions(); // Relu, Sigmoid, Gelu, …
std::span<const OpEntry> gates();     // PRelu, Clip, SwiGLU
std::span<const OpEntry> dropouts();  // Dropout

} // namespace fusescope::activation
