#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the indexing family.
namespace fusescope::indexing {

std::span<const OpEntry> slices();     // Slice
std::span<const OpEntry> gathers();    // Gather, GatherElements, GatherND
std::span<const OpEntry> scatters();   // Scatter, ScatterElements, ScatterND, TensorScatter
std::span<const OpEntry> selections(); // Where, Compress, NonZero, OneHot, Trilu
std::span<const OpEntry> uniques();    // Unique

} // namespace fusescope::indexing
