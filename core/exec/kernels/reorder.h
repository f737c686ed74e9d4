#pragma once

#include "exec/kernels/threadpool.h"

#include <cstdint>

namespace fusescope::kernels {

/// A tensor N x C x (spatial positions, all counted together).
/// Plain layout: [N][C][spatial]. Blocked layout (nChwKc): [N][ceil(C / K)][spatial][K] with
/// K = blockLanes(). The lanes behind the last channel ("tail lanes") are zero after toBlocked()
/// and unspecified after other kernels; every kernel ignores them on reading.
struct ImageShape
{
    std::int64_t batch = 1;
    std::int64_t channels = 1;
    std::int64_t spatial = 1;
};

/// ceil(channels / K)
std::int64_t channelBlocks(std::int64_t channels);
/// Floats of the blocked form, tail lanes included.
std::int64_t blockedFloats(const ImageShape& shape);

/// False if the pool's stop flag cut it short.
bool toBlocked(const ImageShape& shape, const float* plain, float* blocked, ThreadPool& pool);
bool toPlain(const ImageShape& shape, const float* blocked, float* plain, ThreadPool& pool);

} // namespace fusescope::kernels
