#pragma once

#include "ops/broadcast.h"

namespace fusescope {

// The output shape of a convolution of input `x` by weights `w`, in terms.
Result<Shape> convShape(const InferenceContext& context, std::size_t x, std::size_t w);

Result<void> inferConv(InferenceContext& context);
Result<void> inferConvInteger(InferenceContext& context);
Result<void> inferConvTranspose(InferenceContext& context);
Result<void> inferDeformConv(InferenceContext& context);
Result<void> inferCol2Im(InferenceContext& context);
Result<void> inferCausalConv(InferenceContext& context);

Result<void> runConvTranspose(KernelContext& context);
Result<void> runDeformConv(KernelContext& context);
Result<void> runCol2Im(KernelContext& context);
Result<void> runCausalConv(KernelContext& context);

} // namespace fusescope
