#pragma once

#include "exec/kernels/epilogue.h"
#include "exec/kernels/threadpool.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fusescope::kernels {

using Extent = std::array<std::int64_t, 3>; ///< depth, height, width; leading ones for 1-D and 2-D

/// Weights are [outChannels][inChannels / groups][kernel], as ONNX has them; for the transposed
/// convolution [inChannels][outChannels / groups][kernel]. `output` is given by the caller and may
/// be smaller or larger than the formula says: positions outside the input count as zero.
struct ConvolutionShape
{
    std::int64_t batch = 1;
    std::int64_t inChannels = 1;
    std::int64_t outChannels = 1;
    std::int64_t groups = 1;
    Extent input{1, 1, 1};
    Extent output{1, 1, 1};
    Extent kernel{1, 1, 1};
    Extent stride{1, 1, 1};
    Extent dilation{1, 1, 1};
    Extent padBefore{0, 0, 0};
};

enum class ConvolutionMethod : std::uint8_t {
    Direct,     ///< blocked input, dense or grouped
    FirstLayer, ///< plain input, groups == 1; for few input channels
    Depthwise,  ///< groups == inChannels == outChannels, blocked
    Winograd2,  ///< F(2x2) for 3x3, stride 1, dilation 1, groups == 1, 2-D
    Winograd4,  ///< F(4x4), same conditions; 2 to 3 times the rounding error of Direct
};

/// Where everything lies, fixed once for a shape and an instruction set. Made by
/// planConvolution() and planConvolutionTranspose() only; callers read `method` and `copies`.
struct ConvolutionPlan
{
    /// One or two output blocks that are computed together from a range of input units. A unit is
    /// an input block, or a single channel if `perChannel`.
    struct Segment
    {
        std::int64_t outBlock = 0;
        int blocks = 1;
        int firstLane = 0, endLane = 0; ///< lanes stored; fewer than all where a block holds groups
        std::int64_t firstUnit = 0, endUnit = 0;
        std::int64_t weights = 0; ///< of the first tap of the first unit, in floats
    };
    /// A convolution has one phase; a transposed one has as many as the product of its strides.
    struct Phase
    {
        Extent first{0, 0, 0};            ///< output position of result 0
        Extent count{0, 0, 0};            ///< results
        std::vector<std::int64_t> taps;   ///< offsets into the prepared input, in floats
        std::vector<std::int64_t> kernel; ///< index into the kernel of each tap
        std::vector<Segment> segments;
        /// Segments that share an output block belong to one chunk of work, because each stores
        /// only its lanes: chunk i is segments [chunks[i], chunks[i + 1]).
        std::vector<std::int64_t> chunks;
    };

    ConvolutionShape shape;
    ConvolutionMethod method = ConvolutionMethod::Direct;
    bool transposed = false;
    bool perChannel = false;
    bool copies = false; ///< the input goes to scratch first: padded, columns split by remainder
    int lanes = 0;
    Extent prepared{1, 1, 1};      ///< prepared input; the last entry is a row's length in pixels
    Extent step{1, 1, 1};          ///< prepared positions from one result to the next
    Extent outputStep{1, 1, 1};    ///< output positions from one result to the next
    Extent sample{1, 1, 1};        ///< input positions from one prepared position to the next
    std::int64_t columnPhases = 1; ///< prepared columns are sorted by remainder modulo this
    Extent padBefore{0, 0, 0};
    std::vector<Phase> phases;
    std::int64_t weightFloats = 0;
};

/// The measured static rule: Depthwise where it applies; FirstLayer where the source is plain;
/// else, if `winograd`, F(4x4) from 49 tiles and 32 input channels, F(2x2) from 14 tiles; Direct.
ConvolutionMethod chooseConvolution(const ConvolutionShape& shape, bool plainSource, bool winograd);

/// Every extent must be at least 1 (output may have zeros), groups divide both channel counts, and
/// the method's conditions hold.
/// `alwaysCopy` makes a Direct plan that copies its input even where it need not, as a prologue
/// wants.
ConvolutionPlan planConvolution(const ConvolutionShape& shape, ConvolutionMethod method,
                                bool alwaysCopy = false);
/// shape.output = (input - 1) * stride - pads + dilation * (kernel - 1) + 1 + output padding.
/// Runs as stride-product many convolutions of stride 1.
ConvolutionPlan planConvolutionTranspose(const ConvolutionShape& shape);

/// Floats of the packed weights and of the scratch that run needs with that many threads.
std::int64_t packedWeightFloats(const ConvolutionPlan& plan);
std::int64_t convolutionScratchFloats(const ConvolutionPlan& plan, int threads);
/// `packed` has packedWeightFloats() floats, aligned to 64 bytes for speed.
void packConvolutionWeights(const ConvolutionPlan& plan, const float* weights, float* packed,
                            ThreadPool& pool);

/// One of several sources that lie behind each other on the channel axis. Blocked: `channels` is a
/// multiple of K in all but the last. `batchStride` in floats; 0 means dense.
struct SourceView
{
    const float* data = nullptr;
    std::int64_t channels = 0;
    std::int64_t batchStride = 0;
};

/// x = scale[c] x + shift[c], then max(0, x) if `relu`, on every input element and before padding.
struct ChannelPrologue
{
    const float* scale = nullptr; ///< null: no prologue
    const float* shift = nullptr;
    bool relu = false;
};

/// Output is blocked, dense or with a batch stride in floats. Sources must not overlap the output.
/// A prologue is legal with Direct, if the plan copies, and with Winograd.
struct ConvolutionArguments
{
    std::span<const SourceView> sources;
    const float* packedWeights = nullptr;
    float* output = nullptr;
    std::int64_t outputBatchStride = 0;
    float* scratch = nullptr;
    ChannelPrologue prologue;
    Epilogue epilogue;
};

/// False if the pool's stop flag cut it short; the output is then undefined.
bool runConvolution(const ConvolutionPlan& plan, const ConvolutionArguments& arguments,
                    ThreadPool& pool);

} // namespace fusescope::kernels
