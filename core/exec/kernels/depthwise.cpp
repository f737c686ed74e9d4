#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/hwytargets.h"
#include "exec/kernels/reorder.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/depthwise.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/tiles-inl.h"
#include <algorithm>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// The kernel positions of one axis that read inside the input, [begin, end), for a result whose
// first tap is at `start`.
struct TapRange
{
    std::int64_t begin, end;
};
inline TapRange tapsInside(std::int64_t start, std::int64_t kernel, std::int64_t dilation,
                           std::int64_t input)
{
    const std::int64_t begin = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
    const std::int64_t end = input > start ? (input - start + dilation - 1) / dilation : 0;
    return {begin, std::clamp(end, std::min(begin, kernel), kernel)};
}

struct DepthwiseRow
{
    const ConvolutionShape* shape;
    const float* source;  // the block
    const float* weights; // [kernel][K]
    std::int64_t startZ, startY;
    TapRange z, y;
    TileRow row;
};

template <int kPixels>
HWY_INLINE void depthwiseTile(const DepthwiseRow& r, std::int64_t first, TapRange x, FloatVec bias)
{
    const FloatTag d;
    const ConvolutionShape& s = *r.shape;
    FloatVec sum[1][kPixels];
#pragma GCC unroll 8
    for (int p = 0; p < kPixels; ++p)
        sum[0][p] = bias;
    const std::int64_t step = s.stride[2] * kLanes;
    const std::int64_t startX = first * s.stride[2] - s.padBefore[2];
    for (std::int64_t kz = r.z.begin; kz < r.z.end; ++kz)
        for (std::int64_t ky = r.y.begin; ky < r.y.end; ++ky) {
            const std::int64_t inRow =
                (r.startZ + kz * s.dilation[0]) * s.input[1] + r.startY + ky * s.dilation[1];
            const float* from =
                r.source + (inRow * s.input[2] + startX + x.begin * s.dilation[2]) * kLanes;
            const float* w = r.weights + ((kz * s.kernel[1] + ky) * s.kernel[2] + x.begin) * kLanes;
            for (std::int64_t kx = x.begin; kx < x.end; ++kx) {
                const FloatVec weight = hn::LoadU(d, w);
                const float* at = from;
#pragma GCC unroll 8
                for (int p = 0; p < kPixels; ++p) {
                    sum[0][p] = hn::MulAdd(hn::LoadU(d, at), weight, sum[0][p]);
                    at += step;
                }
                from += s.dilation[2] * kLanes;
                w += kLanes;
            }
        }
    storeTile<1, kPixels>(r.row, first, sum);
}

template <int kPixels>
HWY_NOINLINE void depthwiseInside(const DepthwiseRow& r, std::int64_t first, FloatVec bias)
{
    depthwiseTile<kPixels>(r, first, {0, r.shape->kernel[2]}, bias);
}

HWY_NOINLINE void depthwiseEdge(const DepthwiseRow& r, std::int64_t column, FloatVec bias)
{
    const ConvolutionShape& s = *r.shape;
    const std::int64_t start = column * s.stride[2] - s.padBefore[2];
    depthwiseTile<1>(r, column, tapsInside(start, s.kernel[2], s.dilation[2], s.input[2]), bias);
}

// Results [begin, end), all of whose taps are inside, in tiles of nearly equal width.
HWY_INLINE void depthwiseSpan(const DepthwiseRow& r, std::int64_t begin, std::int64_t end,
                              FloatVec bias)
{
    const std::int64_t tiles = (end - begin + 7) / 8;
    std::int64_t first = begin;
    for (std::int64_t i = 0; i < tiles; ++i) {
        const std::int64_t next = begin + (end - begin) * (i + 1) / tiles;
        switch (next - first) {
        case 8:
            depthwiseInside<8>(r, first, bias);
            break;
        case 7:
            depthwiseInside<7>(r, first, bias);
            break;
        case 6:
            depthwiseInside<6>(r, first, bias);
            break;
        case 5:
            depthwiseInside<5>(r, first, bias);
            break;
        case 4:
            depthwiseInside<4>(r, first, bias);
            break;
        default:
            for (std::int64_t x = first; x < next; ++x)
                depthwiseInside<1>(r, x, bias);
        }
        first = next;
    }
}

void depthwise(const ConvolutionPlan& plan, const float* source, const float* weights,
               const TileOutput& to, std::int64_t output, std::int64_t block, std::int64_t beginRow,
               std::int64_t endRow)
{
    const ConvolutionShape& s = plan.shape;
    DepthwiseRow r;
    r.shape = &s;
    r.source = source;
    r.weights = weights;
    r.row.to = &to;
    r.row.pixelStride = kLanes;
    r.row.channel = block * kLanes;
    r.row.endLane = kLanes;
    const std::int64_t columns = s.output[2];
    const std::int64_t span = (s.kernel[2] - 1) * s.dilation[2];
    // Columns whose taps are all inside.
    const std::int64_t innerBegin =
        std::min(columns, (s.padBefore[2] + s.stride[2] - 1) / s.stride[2]);
    const std::int64_t lastStart = s.input[2] - 1 - span + s.padBefore[2];
    const std::int64_t innerEnd =
        lastStart < 0 ? innerBegin : std::clamp(lastStart / s.stride[2] + 1, innerBegin, columns);
    const FloatVec bias =
        to.epilogue.bias ? loadFirst(to.epilogue.bias + r.row.channel, to.channels - r.row.channel)
                         : hn::Zero(FloatTag());
    for (std::int64_t index = beginRow; index < endRow; ++index) {
        const std::int64_t outZ = index / s.output[1];
        const std::int64_t outY = index % s.output[1];
        r.startZ = outZ * s.stride[0] - s.padBefore[0];
        r.startY = outY * s.stride[1] - s.padBefore[1];
        r.z = tapsInside(r.startZ, s.kernel[0], s.dilation[0], s.input[0]);
        r.y = tapsInside(r.startY, s.kernel[1], s.dilation[1], s.input[1]);
        r.row.output = output + index * columns * kLanes;
        for (std::int64_t x = 0; x < innerBegin; ++x)
            depthwiseEdge(r, x, bias);
        depthwiseSpan(r, innerBegin, innerEnd, bias);
        for (std::int64_t x = innerEnd; x < columns; ++x)
            depthwiseEdge(r, x, bias);
    }
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(depthwise);

bool runDepthwise(const ConvolutionPlan& plan, const ConvolutionArguments& arguments,
                  ThreadPool& pool)
{
    const ConvolutionShape& s = plan.shape;
    const TileOutput to = makeTileOutput(arguments.output, s.outChannels, true, arguments.epilogue);
    const std::int64_t blocks = channelBlocks(s.outChannels);
    const std::int64_t rows = s.output[0] * s.output[1];
    const std::int64_t plane = volume(s.output) * plan.lanes;
    const std::int64_t image =
        arguments.outputBatchStride != 0 ? arguments.outputBatchStride : blocks * plane;
    // Rows are split as finely as the threads need, channels come second.
    const std::int64_t parts =
        std::clamp<std::int64_t>(pool.threads() == 1 ? 1 : pool.threads(), 1, rows);
    for (std::int64_t n = 0; n < s.batch; ++n) {
        const std::vector<const float*> bases = sourcePointers(plan, arguments, n);
        const auto work = [&](std::int64_t chunk, int) {
            const std::int64_t part = chunk / blocks;
            const std::int64_t block = chunk % blocks;
            HWY_DYNAMIC_DISPATCH(depthwise)
            (plan, bases[static_cast<std::size_t>(block)],
             arguments.packedWeights + block * volume(s.kernel) * plan.lanes, to,
             n * image + block * plane, block, rows * part / parts, rows * (part + 1) / parts);
        };
        if (!pool.parallelFor(parts * blocks, work))
            return false;
    }
    return true;
}

} // namespace fusescope::kernels
#endif
