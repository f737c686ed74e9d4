#pragma once

#include "exec/kernels/threadpool.h"

#include <cstdint>

namespace fusescope::kernels {

enum class ReduceKind : std::uint8_t { Sum, Mean, Max, Min, SumSquare, SumAbs, Prod };

/// Reduces the middle axis of plain [outer][axis][inner] into [outer][inner]. Max and Min
/// propagate NaN. An empty axis gives the neutral element (Mean: NaN).
bool runReduce(ReduceKind kind, std::int64_t outer, std::int64_t axis, std::int64_t inner,
               const float* input, float* output, ThreadPool& pool);

} // namespace fusescope::kernels
