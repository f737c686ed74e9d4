#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the logic family.
namespace fusescope::logic {

std::span<const OpEntry> comparisons(); // Equal, Less, …, IsNaN, IsInf
std::span<const OpEntry> bits();        // And, Or, Not, Bitwise*, BitShift

} // namespace fusescope::logic
