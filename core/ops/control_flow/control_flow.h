#pragma once

#include "ops/kernel_support.h"

#include <algorithm>

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
// What iterations make, as far as the run has memory for it.
class SliceStacks
{
public:
    SliceStacks(const KernelContext& context, std::size_t count)
        : m_context(context), m_left(context.memoryLeft()), m_stacks(count)
    {
    }
    Result<void> push(std::size_t stack, const RuntimeValue& made);
    // Counts the `count`-th result of its kind without keeping it.
    Result<void> take(const Tensor& slice, std::int64_t count);
    const std::vector<TensorPtr>& of(std::size_t stack) const { return m_stacks[stack]; }
    void reverse(std::size_t stack) { std::ranges::reverse(m_stacks[stack]); }

private:
    const KernelContext& m_context;
    std::int64_t m_left;
    std::vector<std::vector<TensorPtr>> m_stacks;
};

// Tensors of one shape side by side along a new axis.
Result<Tensor> stackSlices(const KernelContext& context, const std::vector<TensorPtr>& slices,
                           std::size_t axis);
// The result of no iterations: a size of 0 on `axis`, else what the body would make (unknown sizes 0).
Result<Tensor> emptyStack(const KernelContext& context, BodyId body, std::size_t output,
                          std::size_t axis);

} // namespace fusescope
