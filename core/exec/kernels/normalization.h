#pragma once

#include "exec/kernels/epilogue.h"
#include "exec/kernels/reorder.h"
#include "exec/kernels/threadpool.h"

#include <cstdint>

namespace fusescope::kernels {

/// y = activation(scale[c] x + shift[c]); in place allowed. Plain or blocked; the vectors have
/// exactly `channels` floats.
bool runChannelAffine(const ImageShape& shape, bool blocked, const float* scale, const float* shift,
                      const ActivationSpec& activation, const float* input, float* output,
                      ThreadPool& pool);

/// Softmax, or its logarithm, over the middle axis of [outer][axis][inner]; in place allowed.
bool runSoftmax(std::int64_t outer, std::int64_t axis, std::int64_t inner, bool logarithm,
                const float* input, float* output, ThreadPool& pool);

/// One row of `width` floats is normalized at a time; scale and shift have `width` floats, or are
/// null. If `rootMeanSquare` nothing is subtracted and the divisor is sqrt(mean(x^2) + epsilon).
/// With `inner` above 1 the data is [rows][width][inner], and each of the inner columns is a row.
struct LayerNormShape
{
    std::int64_t rows = 1;
    std::int64_t width = 1;
    float epsilon = 1e-5F;
    bool rootMeanSquare = false;
    std::int64_t inner = 1;
    std::int64_t residualRows = 0; ///< 0: as many as rows; else they repeat (`inner` is 1)
};
/// y = norm(x + residual) scale + shift. `residual` may be null; `sum`, if given, receives
/// x + residual. In place allowed.
bool runLayerNorm(const LayerNormShape& shape, const float* input, const float* residual,
                  const float* scale, const float* shift, float* output, float* sum,
                  ThreadPool& pool);

/// Instance or group normalization of plain [N][C][spatial]: each of N * groups rows is normalized
/// to mean 0 and variance 1 (+ epsilon), then scaled per channel.
bool runGroupNorm(const ImageShape& shape, std::int64_t groups, float epsilon, const float* scale,
                  const float* shift, const ActivationSpec& activation, const float* input,
                  float* output, ThreadPool& pool);

/// Local response normalization across channels of plain [N][C][spatial], as ONNX defines it. Not
/// in place.
struct LrnShape
{
    ImageShape image;
    std::int64_t size = 1;
    float alpha = 1e-4F, beta = 0.75F, bias = 1.0F;
};
bool runLrn(const LrnShape& shape, const float* input, float* output, ThreadPool& pool);

} // namespace fusescope::kernels
