#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/hwytargets.h"
#include "exec/kernels/reorder.h"
#include "exec/kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/winograd.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/tiles-inl.h"
#include <algorithm>
#include <hwy/highway.h>

// One run's sizes; the same for all instruction sets, so it stands outside their namespaces.
#ifndef FUSESCOPE_WINOGRAD_GEOMETRY
#define FUSESCOPE_WINOGRAD_GEOMETRY
namespace fusescope::kernels {

// F(m x m, 3 x 3): tiles of m x m results from (m + 2) x (m + 2) inputs, through (m + 2)^2
// independent matrix products ("frequencies").
struct WinogradGeometry
{
    std::int64_t m = 4;
    std::int64_t across = 0; // tiles in a row
    std::int64_t tiles = 0;
    std::int64_t inBlocks = 0, outBlocks = 0;
    std::int64_t lanes = 0;
    std::int64_t chunk = 0; // tiles worked on together
    std::int64_t chunks = 0;
    bool byFrequency = false; // all tiles through one frequency after the other

    std::int64_t frequencies() const { return (m + 2) * (m + 2); }
    std::int64_t inputFloats() const { return frequencies() * chunk * inBlocks * lanes; }
    std::int64_t chunkFloats() const
    {
        return frequencies() * chunk * (inBlocks + outBlocks) * lanes;
    }
};

// Tiles [begin, end) of a stretch of blocks between image and transformed data. Transformed data
// is [frequency][block][chunk][K].
struct WinogradStretch
{
    const ConvolutionPlan* plan;
    const WinogradGeometry* geometry;
    std::int64_t firstBlock, endBlock;
    std::int64_t begin, end;
};

} // namespace fusescope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// One dimension of the input transform, in place: d = B^T d.
template <int kM>
HWY_INLINE void transformInput(FloatVec (&d)[kM + 2])
{
    if constexpr (kM == 2) {
        const FloatVec d1 = d[1];
        const FloatVec d2 = d[2];
        d[0] = hn::Sub(d[0], d2);
        d[1] = hn::Add(d1, d2);
        d[2] = hn::Sub(d2, d1);
        d[3] = hn::Sub(d1, d[3]);
    } else {
        const FloatVec four = splat(4.0F);
        const FloatVec even = hn::NegMulAdd(four, d[2], d[4]);
        const FloatVec odd = hn::NegMulAdd(four, d[1], d[3]);
        const FloatVec evenHalf = hn::Sub(d[4], d[2]);
        const FloatVec difference = hn::Sub(d[3], d[1]);
        const FloatVec oddHalf = hn::Add(difference, difference);
        d[0] = hn::MulAdd(four, d[0], hn::NegMulAdd(splat(5.0F), d[2], d[4]));
        d[5] = hn::MulAdd(four, d[1], hn::NegMulAdd(splat(5.0F), d[3], d[5]));
        d[1] = hn::Add(even, odd);
        d[2] = hn::Sub(even, odd);
        d[3] = hn::Add(evenHalf, oddHalf);
        d[4] = hn::Sub(evenHalf, oddHalf);
    }
}

// One dimension of the output transform: y = A^T d.
template <int kM>
HWY_INLINE void transformOutput(const FloatVec (&d)[kM + 2], FloatVec (&y)[kM])
{
    if constexpr (kM == 2) {
        y[0] = hn::Add(d[0], hn::Add(d[1], d[2]));
        y[1] = hn::Sub(hn::Sub(d[1], d[2]), d[3]);
    } else {
        const FloatVec sum1 = hn::Add(d[1], d[2]);
        const FloatVec difference1 = hn::Sub(d[1], d[2]);
        const FloatVec sum2 = hn::Add(d[3], d[4]);
        const FloatVec difference2 = hn::Sub(d[3], d[4]);
        y[0] = hn::Add(d[0], hn::Add(sum1, sum2));
        y[1] = hn::MulAdd(splat(2.0F), difference2, difference1);
        y[2] = hn::MulAdd(splat(4.0F), sum2, sum1);
        y[3] = hn::Add(d[5], hn::MulAdd(splat(8.0F), difference2, difference1));
    }
}

template <int kM>
HWY_INLINE void forwardTiles(const WinogradStretch& stretch, const float* const* sources,
                             const ChannelPrologue& prologue, float* to)
{
    constexpr int kSide = kM + 2;
    const FloatTag tag;
    const ConvolutionShape& s = stretch.plan->shape;
    const WinogradGeometry& g = *stretch.geometry;
    const std::int64_t height = s.input[1];
    const std::int64_t width = s.input[2];
    for (std::int64_t block = stretch.firstBlock; block < stretch.endBlock; ++block) {
        alignas(64) float affine[2 * kLanes];
        if (prologue.scale)
            loadPrologue(prologue, block, s.inChannels, kLanes, affine);
        const float* source = sources[block];
        for (std::int64_t tile = stretch.begin; tile < stretch.end; ++tile) {
            const std::int64_t y0 = tile / g.across * kM - s.padBefore[1];
            const std::int64_t x0 = tile % g.across * kM - s.padBefore[2];
            FloatVec d[kSide][kSide];
            if (y0 >= 0 && x0 >= 0 && y0 + kSide <= height && x0 + kSide <= width) {
                const float* from = source + (y0 * width + x0) * kLanes;
#pragma GCC unroll 6
                for (int r = 0; r < kSide; ++r)
#pragma GCC unroll 6
                    for (int c = 0; c < kSide; ++c)
                        d[r][c] = hn::LoadU(tag, from + (r * width + c) * kLanes);
            } else {
                for (int r = 0; r < kSide; ++r)
                    for (int c = 0; c < kSide; ++c) {
                        const std::int64_t y = y0 + r;
                        const std::int64_t x = x0 + c;
                        const bool inside = y >= 0 && x >= 0 && y < height && x < width;
                        d[r][c] = inside ? hn::LoadU(tag, source + (y * width + x) * kLanes)
                                         : hn::Zero(tag);
                    }
            }
            if (prologue.scale) {
                const FloatVec scale = hn::Load(tag, affine);
                const FloatVec shift = hn::Load(tag, affine + kLanes);
                for (int r = 0; r < kSide; ++r)
                    for (int c = 0; c < kSide; ++c) {
                        const std::int64_t y = y0 + r;
                        const std::int64_t x = x0 + c;
                        if (y < 0 || x < 0 || y >= height || x >= width)
                            continue;
                        d[r][c] = hn::MulAdd(d[r][c], scale, shift);
                        if (prologue.relu)
                            d[r][c] = reluOf(d[r][c]);
                    }
            }
#pragma GCC unroll 6
            for (int c = 0; c < kSide; ++c) {
                FloatVec column[kSide];
#pragma GCC unroll 6
                for (int r = 0; r < kSide; ++r)
                    column[r] = d[r][c];
                transformInput<kM>(column);
#pragma GCC unroll 6
                for (int r = 0; r < kSide; ++r)
                    d[r][c] = column[r];
            }
            float* out = to + (block * g.chunk + tile - stretch.begin) * kLanes;
            const std::int64_t apart = g.inBlocks * g.chunk * kLanes;
#pragma GCC unroll 6
            for (int r = 0; r < kSide; ++r) {
                transformInput<kM>(d[r]);
#pragma GCC unroll 6
                for (int c = 0; c < kSide; ++c)
                    hn::StoreU(d[r][c], tag, out + (r * kSide + c) * apart);
            }
        }
    }
}

template <int kM>
HWY_INLINE void backwardTiles(const WinogradStretch& stretch, const float* from,
                              const TileOutput& to, std::int64_t image)
{
    constexpr int kSide = kM + 2;
    const FloatTag tag;
    const ConvolutionShape& s = stretch.plan->shape;
    const WinogradGeometry& g = *stretch.geometry;
    const std::int64_t height = s.output[1];
    const std::int64_t width = s.output[2];
    TileRow row;
    row.to = &to;
    row.pixelStride = kLanes;
    row.endLane = kLanes;
    for (std::int64_t block = stretch.firstBlock; block < stretch.endBlock; ++block) {
        row.channel = block * kLanes;
        const FloatVec bias =
            to.epilogue.bias ? loadFirst(to.epilogue.bias + row.channel, to.channels - row.channel)
                             : hn::Zero(tag);
        for (std::int64_t tile = stretch.begin; tile < stretch.end; ++tile) {
            const float* in = from + (block * g.chunk + tile - stretch.begin) * kLanes;
            const std::int64_t apart = g.outBlocks * g.chunk * kLanes;
            FloatVec half[kM][kSide];
#pragma GCC unroll 6
            for (int c = 0; c < kSide; ++c) {
                FloatVec column[kSide];
#pragma GCC unroll 6
                for (int r = 0; r < kSide; ++r)
                    column[r] = hn::LoadU(tag, in + (r * kSide + c) * apart);
                FloatVec y[kM];
                transformOutput<kM>(column, y);
#pragma GCC unroll 4
                for (int r = 0; r < kM; ++r)
                    half[r][c] = y[r];
            }
            const std::int64_t y0 = tile / g.across * kM;
            const std::int64_t x0 = tile % g.across * kM;
            const std::int64_t columns = std::min<std::int64_t>(kM, width - x0);
            const std::int64_t rows = std::min<std::int64_t>(kM, height - y0);
#pragma GCC unroll 4
            for (int r = 0; r < kM; ++r) {
                if (r >= rows)
                    break;
                FloatVec y[1][kM];
                transformOutput<kM>(half[r], y[0]);
#pragma GCC unroll 4
                for (int c = 0; c < kM; ++c)
                    y[0][c] = hn::Add(y[0][c], bias);
                row.output = image + ((block * height + y0 + r) * width + x0) * kLanes;
                if (columns == kM) {
                    storeTile<1, kM>(row, 0, y);
                } else {
                    for (int c = 0; c < columns; ++c) {
                        FloatVec one[1][1] = {{y[0][c]}};
                        storeTile<1, 1>(row, c, one);
                    }
                }
            }
        }
    }
}

void winogradForward(const WinogradStretch& stretch, const float* const* sources,
                     const ChannelPrologue& prologue, float* to)
{
    if (stretch.geometry->m == 2)
        forwardTiles<2>(stretch, sources, prologue, to);
    else
        forwardTiles<4>(stretch, sources, prologue, to);
}

void winogradBackward(const WinogradStretch& stretch, const float* from, const TileOutput& to,
                      std::int64_t image)
{
    if (stretch.geometry->m == 2)
        backwardTiles<2>(stretch, from, to, image);
    else
        backwardTiles<4>(stretch, from, to, image);
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(winogradForward);
HWY_EXPORT(winogradBackward);

namespace {

constexpr std::int64_t kTileWidth = 14;             // tiles that fill one register tile
constexpr std::int64_t kWorkingSet = 640 * 1024;    // transformed data of a chunk, second cache
constexpr std::int64_t kHeavyWeights = 1500 * 1024; // more are read once a frequency, not a chunk

WinogradGeometry makeGeometry(const ConvolutionPlan& plan, int threads)
{
    const ConvolutionShape& s = plan.shape;
    WinogradGeometry g;
    g.m = plan.method == ConvolutionMethod::Winograd2 ? 2 : 4;
    g.lanes = plan.lanes;
    g.across = ceilDivide(s.output[2], g.m);
    g.tiles = g.across * ceilDivide(s.output[1], g.m);
    g.inBlocks = channelBlocks(s.inChannels);
    g.outBlocks = channelBlocks(s.outChannels);
    g.byFrequency =
        (threads > 1 && g.tiles < threads * kTileWidth) || plan.weightFloats * 4 > kHeavyWeights;
    if (g.byFrequency) {
        g.chunk = g.tiles;
        g.chunks = 1;
        return g;
    }
    const std::int64_t perTile = g.frequencies() * (g.inBlocks + g.outBlocks) * g.lanes * 4;
    const std::int64_t fitting =
        std::max(kTileWidth, kWorkingSet / perTile / kTileWidth * kTileWidth);
    g.chunks = ceilDivide(ceilDivide(g.tiles, fitting), threads) * threads;
    g.chunk = ceilDivide(g.tiles, g.chunks);
    g.chunks = ceilDivide(g.tiles, g.chunk);
    return g;
}

// One frequency of a stretch of output blocks (two, or the last one): a matrix product.
void multiply(const ConvolutionPlan& plan, const WinogradGeometry& g, const float* packed,
              const std::vector<TileUnit>& units, const TileOutput& to, std::int64_t frequency,
              std::int64_t outBlock, std::int64_t tiles)
{
    static constexpr std::int64_t kTap = 0;
    const std::int64_t in = plan.shape.inChannels;
    TileRow row;
    row.units = units.data();
    row.unitCount = static_cast<std::int64_t>(units.size());
    row.taps = &kTap;
    row.source = frequency * g.inBlocks * g.chunk * g.lanes;
    row.weights = packed + (frequency * g.outBlocks + outBlock) * in * g.lanes;
    row.blocks = outBlock + 1 < g.outBlocks ? 2 : 1;
    row.count = tiles;
    row.to = &to;
    row.output = (frequency * g.outBlocks + outBlock) * g.chunk * g.lanes;
    row.blockStride = g.chunk * g.lanes;
    row.pixelStride = g.lanes;
    row.endLane = static_cast<int>(g.lanes);
    computeBlockedRow(row);
}

std::vector<TileUnit> makeUnits(const ConvolutionPlan& plan, const WinogradGeometry& g,
                                const float* transformed)
{
    std::vector<TileUnit> units;
    for (std::int64_t block = 0; block < g.inBlocks; ++block)
        units.push_back({transformed + block * g.chunk * g.lanes,
                         std::min(g.lanes, plan.shape.inChannels - block * g.lanes)});
    return units;
}

} // namespace

std::int64_t winogradWeightFloats(const ConvolutionShape& shape, int tile)
{
    return (tile + 2) * (tile + 2) * shape.inChannels * channelBlocks(shape.outChannels) *
           blockLanes();
}

std::int64_t winogradScratchFloats(const ConvolutionPlan& plan, int threads)
{
    const WinogradGeometry g = makeGeometry(plan, threads);
    return g.chunkFloats() * (g.byFrequency ? 1 : threads);
}

void packWinograd(const ConvolutionPlan& plan, const float* weights, float* packed,
                  ThreadPool& pool)
{
    static constexpr double kTwo[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
    static constexpr double kFour[6][3] = {{1. / 4, 0, 0},
                                           {-1. / 6, -1. / 6, -1. / 6},
                                           {-1. / 6, 1. / 6, -1. / 6},
                                           {1. / 24, 1. / 12, 1. / 6},
                                           {1. / 24, -1. / 12, 1. / 6},
                                           {0, 0, 1}};
    const WinogradGeometry g = makeGeometry(plan, 1);
    const std::int64_t side = g.m + 2;
    const double(*const rows)[3] = g.m == 2 ? kTwo : kFour;
    const std::int64_t in = plan.shape.inChannels;
    const std::int64_t out = plan.shape.outChannels;
    const auto pack = [&](std::int64_t pair, int) {
        const std::int64_t first = pair * 2;
        const std::int64_t width = std::min<std::int64_t>(2, g.outBlocks - first) * g.lanes;
        for (std::int64_t i = 0; i < in; ++i)
            for (std::int64_t lane = 0; lane < width; ++lane) {
                const std::int64_t o = first * g.lanes + lane;
                const float* k = o < out ? weights + (o * in + i) * 9 : nullptr;
                double half[6][3] = {};
                for (std::int64_t r = 0; r < side && k; ++r)
                    for (int c = 0; c < 3; ++c)
                        half[r][c] =
                            rows[r][0] * k[c] + rows[r][1] * k[3 + c] + rows[r][2] * k[6 + c];
                for (std::int64_t r = 0; r < side; ++r)
                    for (std::int64_t c = 0; c < side; ++c) {
                        const double value = half[r][0] * rows[c][0] + half[r][1] * rows[c][1] +
                                             half[r][2] * rows[c][2];
                        const std::int64_t frequency = r * side + c;
                        packed[(frequency * g.outBlocks + first) * in * g.lanes + i * width +
                               lane] = static_cast<float>(value);
                    }
            }
    };
    pool.parallelFor(ceilDivide(g.outBlocks, 2), pack);
}

bool runWinograd(const ConvolutionPlan& plan, const ConvolutionArguments& arguments,
                 ThreadPool& pool)
{
    const ConvolutionShape& s = plan.shape;
    const WinogradGeometry g = makeGeometry(plan, pool.threads());
    const auto forward = HWY_DYNAMIC_DISPATCH(winogradForward);
    const auto backward = HWY_DYNAMIC_DISPATCH(winogradBackward);
    const TileOutput to = makeTileOutput(arguments.output, s.outChannels, true, arguments.epilogue);
    const std::int64_t imageFloats = arguments.outputBatchStride != 0
                                         ? arguments.outputBatchStride
                                         : g.outBlocks * volume(s.output) * g.lanes;
    const std::int64_t pairs = ceilDivide(g.outBlocks, 2);
    const auto productOutput = [&](float* base) {
        return makeTileOutput(base + g.inputFloats(), g.outBlocks * g.lanes, true, Epilogue());
    };
    for (std::int64_t n = 0; n < s.batch; ++n) {
        const std::vector<const float*> sources = sourcePointers(plan, arguments, n);
        if (g.byFrequency) {
            float* const base = arguments.scratch;
            const TileOutput products = productOutput(base);
            const std::vector<TileUnit> units = makeUnits(plan, g, base);
            const bool done = pool.parallelFor(g.inBlocks, [&](std::int64_t block, int) {
                forward({&plan, &g, block, block + 1, 0, g.tiles}, sources.data(),
                        arguments.prologue, base);
            }) && pool.parallelFor(g.frequencies() * pairs, [&](std::int64_t chunk, int) {
                multiply(plan, g, arguments.packedWeights, units, products, chunk / pairs,
                         chunk % pairs * 2, g.tiles);
            }) && pool.parallelFor(g.outBlocks, [&](std::int64_t block, int) {
                backward({&plan, &g, block, block + 1, 0, g.tiles}, products.output, to,
                         n * imageFloats);
            });
            if (!done)
                return false;
            continue;
        }
        const auto work = [&](std::int64_t chunk, int worker) {
            float* const base = arguments.scratch + worker * g.chunkFloats();
            const TileOutput products = productOutput(base);
            const std::vector<TileUnit> units = makeUnits(plan, g, base);
            const std::int64_t begin = chunk * g.chunk;
            const std::int64_t end = std::min(g.tiles, begin + g.chunk);
            forward({&plan, &g, 0, g.inBlocks, begin, end}, sources.data(), arguments.prologue,
                    base);
            for (std::int64_t f = 0; f < g.frequencies(); ++f)
                for (std::int64_t pair = 0; pair < pairs; ++pair)
                    multiply(plan, g, arguments.packedWeights, units, products, f, pair * 2,
                             end - begin);
            backward({&plan, &g, 0, g.outBlocks, begin, end}, products.output, to, n * imageFloats);
        };
        if (!pool.parallelFor(g.chunks, work))
            return false;
    }
    return true;
}

} // namespace fusescope::kernels
#endif
