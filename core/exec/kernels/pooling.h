#pragma once

#include "exec/kernels/convolution.h"
#include "exec/kernels/threadpool.h"

#include <cstdint>

namespace fusescope::kernels {

enum class PoolKind : std::uint8_t {
    Max,                 ///< NaN wins; a window wholly in the padding gives -infinity
    Average,             ///< over the positions inside the input; an empty window gives NaN
    AverageIncludingPad, ///< over the positions inside the padded input
};

/// Output extents are the caller's (ceil_mode or not). padAfter matters to AverageIncludingPad.
struct PoolShape
{
    PoolKind kind = PoolKind::Max;
    std::int64_t batch = 1;
    std::int64_t channels = 1;
    Extent input{1, 1, 1};
    Extent output{1, 1, 1};
    Extent kernel{1, 1, 1};
    Extent stride{1, 1, 1};
    Extent dilation{1, 1, 1};
    Extent padBefore{0, 0, 0};
    Extent padAfter{0, 0, 0};
};

/// Both tensors blocked, or both plain.
bool runPool(const PoolShape& shape, bool blocked, const float* input, float* output,
             ThreadPool& pool);

/// Mean or maximum over all spatial positions; the result is [N][C], whatever the input's layout,
/// or blocked [N][C/K][1][K] if `blockedOutput`.
bool runGlobalPool(PoolKind kind, std::int64_t batch, std::int64_t channels, std::int64_t spatial,
                   bool blocked, bool blockedOutput, const float* input, float* output,
                   ThreadPool& pool);

} // namespace fusescope::kernels
