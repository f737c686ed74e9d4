#pragma once

#include "ops/broadcast.h"

namespace fusescope {

Result<void> inferMatMul(InferenceContext& context);
Result<void> inferMatMulInteger(InferenceContext& context);
Result<void> inferGemm(InferenceContext& context);
Result<void> runMatMul(KernelContext& context);
Result<void> runMatMulInteger(KernelContext& context);
Result<void> runGemm(KernelContext& context);

// The shape of numpy's matmul, in terms.
Result<Shape> matMulShape(const InferenceContext& context, std::size_t a, std::size_t b);

Result<void> inferEinsum(InferenceContext& context);
Result<void> runEinsum(KernelContext& context);
Result<void> inferDet(InferenceContext& context);
Result<void> runDet(KernelContext& context);

// Says that the inputs do not fit each other, with the shapes of all.
Message attentionShapes(const KernelContext& context);
Result<void> inferAttention(InferenceContext& context);
Result<void> runAttention(KernelContext& context);
Result<void> inferFlexAttention(InferenceContext& context);
Result<void> runFlexAttention(KernelContext& context);
Result<void> runRotaryEmbedding(KernelContext& context);
Result<void> inferLinearAttention(InferenceContext& context);
Result<void> runLinearAttention(KernelContext& context);

} // namespace fusescope
