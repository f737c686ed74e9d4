#pragma once

#include "exec/kernels/convolution.h"
#include "exec/kernels/tiles.h"

#include <vector>

namespace fusescope::kernels {

/// ceil(a / b) for positive b
constexpr std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}
constexpr std::int64_t volume(const Extent& e)
{
    return e[0] * e[1] * e[2];
}

/// Where the blocks (blocked) or planes (plain) of image n begin.
std::vector<const float*> sourcePointers(const ConvolutionPlan& plan,
                                         const ConvolutionArguments& arguments, std::int64_t n);

/// Copies one row of a source into `to`: columns i * sample - pad of a row of `width` pixels,
/// sorted by remainder of i modulo `phases`, zero where outside. `lanes` floats a pixel: K or 1.
struct PrepareRow
{
    std::int64_t width = 0;
    std::int64_t sample = 1;
    std::int64_t pad = 0;
    std::int64_t phases = 1;
    std::int64_t length = 0; ///< pixels written, all phases together
    bool plain = false;
    const float* scale = nullptr; ///< K floats each, or null
    const float* shift = nullptr;
    bool relu = false;
};
void prepareRow(const PrepareRow& how, const float* from, float* to);

/// Prologue vectors of one block, padded: scale into the first K floats, shift into the next.
void loadPrologue(const ChannelPrologue& prologue, std::int64_t block, std::int64_t channels,
                  int lanes, float* to);

bool runDepthwise(const ConvolutionPlan& plan, const ConvolutionArguments& arguments,
                  ThreadPool& pool);
bool runWinograd(const ConvolutionPlan& plan, const ConvolutionArguments& arguments,
                 ThreadPool& pool);
void packWinograd(const ConvolutionPlan& plan, const float* weights, float* packed,
                  ThreadPool& pool);
std::int64_t winogradWeightFloats(const ConvolutionShape& shape, int tile);
std::int64_t winogradScratchFloats(const ConvolutionPlan& plan, int threads);

} // namespace fusescope::kernels
