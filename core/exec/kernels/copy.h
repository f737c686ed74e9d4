#pragma once

#include "exec/kernels/threadpool.h"

#include <cstdint>
#include <span>

namespace fusescope::kernels {

/// output axis i is input axis permutation[i]. Elements of 1, 2, 4 or 8 bytes; input and output do
/// not overlap; rank at most 16.
bool runTranspose(std::span<const std::int64_t> inputShape, std::span<const int> permutation,
                  int elementBytes, const void* input, void* output, ThreadPool& pool);

/// Copies a box: for each index of `shape`, output[sum i * outputStrides] = input[sum i *
/// inputStrides]; strides in elements, negative or zero allowed on the input. This is Slice,
/// Expand, Concat and Split.
bool runStridedCopy(std::span<const std::int64_t> shape, std::span<const std::int64_t> inputStrides,
                    std::span<const std::int64_t> outputStrides, int elementBytes,
                    const void* input, void* output, ThreadPool& pool);

/// One source of a concatenation: `bytes` per outer index.
struct ConcatSource
{
    const void* data = nullptr;
    std::int64_t bytes = 0;
};
/// output = for each outer index the sources behind each other; dense.
bool runConcat(std::int64_t outer, std::span<const ConcatSource> sources, void* output,
               ThreadPool& pool);

} // namespace fusescope::kernels
