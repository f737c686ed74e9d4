#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the casting family.
namespace fusescope::casting {

// How Cast treats what does not fit an eight-bit float.
struct CastRules
{
    bool saturate = true;
    std::string roundMode = "up"; // to float8e8m0: up, down, nearest
};

// All elements converted to another type. Between integers the high bits are dropped; a float that
// does not fit an integer saturates and NaN becomes 0, where the standard leaves both open.
Result<Tensor> castTensor(const KernelContext& c, const Tensor& input, DType type,
                          const CastRules& rules = {});

std::span<const OpEntry> casts(); // Cast, CastLike, BitCast, Identity

} // namespace fusescope::casting
