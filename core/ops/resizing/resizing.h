#pragma once

#include "model/dtype.h"
#include "ops/registry.h"

#include <span>
#include <string>

// The parts of the resizing family.
namespace fusescope::resizing {

std::span<const OpEntry> resizes(); // Resize, Upsample
std::span<const OpEntry> grids();   // GridSample, AffineGrid
std::span<const OpEntry> regions(); // RoiAlign, NonMaxSuppression

// Elements that cannot be mixed.
inline Message nearestOnly(DType type, std::string mode)
{
    return Message("ops.nearest-only", {{"input", std::int64_t{1}},
                                        {"type", std::string(nameOf(type))},
                                        {"mode", std::move(mode)}});
}

} // namespace fusescope::resizing
