#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the reduction family.
namespace fusescope::reduction {

std::span<const OpEntry> reductions(); // Reduce*
std::span<const OpEntry> selections(); // ArgMax, ArgMin, TopK
std::span<const OpEntry> scans();      // CumSum, CumProd

} // namespace fusescope::reduction
