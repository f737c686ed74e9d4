#pragma once

#include "ops/kernel_support.h"

namespace fusescope {

Result<void> inferIf(InferenceContext& context);
Result<void> inferLoop(InferenceContext& context);
Result<void> inferScan(InferenceContext& context);
Result<void> inferSequenceMap(InferenceContext& context);

Result<void> runIf(KernelContext& context);
Result<void> runLoop(KernelContext& context);
Result<void> runScan(KernelContext& context);
Result<void> runSequenceMap(KernelContext& context);

// What two values have in common: sizes that are not proved equal become `unknown(axis)`.
Type commonType(const Type& a, const Type& b, const std::function<Dim(std::size_t axis)>& unknown);

// Copies `count` elements of any type between tensors of the same type.
void copyElements(const Tensor& from, std::int64_t first, Tensor& to, std::int64_t at,
                  std::int64_t count);
// The slice at an index of an axis, the axis taken away.
Result<Tensor> takeSlice(const KernelContext& context, const Tensor& tensor, std::size_t axis,
                         std::int64_t index);
// Tensors of one shape side by side along a new axis.
Result<Tensor> stackSlices(const KernelContext& context, const std::vector<TensorPtr>& slices,
                           std::size_t axis);
// The result of no iterations: a size of 0 on `axis`, else what the body declares (unknown sizes 0).
Result<Tensor> emptyStack(const KernelContext& context, BodyId body, std::size_t output,
                          std::size_t axis);

} // namespace fusescope
