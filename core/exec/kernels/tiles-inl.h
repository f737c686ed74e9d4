// The register tile that convolution, Winograd and matrix product share. Per-target include guard:
#if defined(FUSESCOPE_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef FUSESCOPE_TILES_INL_H
#undef FUSESCOPE_TILES_INL_H
#else
#define FUSESCOPE_TILES_INL_H
#endif

#include "exec/kernels/tiles.h"
#include "exec/kernels/vectormath-inl.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// Two blocks times so many pixels of accumulators, two weights and an input fit the registers.
constexpr int kLanes = HWY_LANES(float);
constexpr int kTilePixels = kLanes == 16 ? 14 : kLanes == 8 ? 6 : 4;
static_assert(2 * kTilePixels <= kMaxTileVectors);

template <int kBlocks, int kPixels>
using Accumulators = FloatVec[kBlocks][kPixels];

// One input lane of every pixel times its weights. `w` is one vector per block.
template <int kBlocks, int kPixels, int kPixel>
HWY_INLINE void multiplyLane(FloatVec (&sum)[kBlocks][kPixels], const float* HWY_RESTRICT s,
                             const float* HWY_RESTRICT w)
{
    const FloatTag d;
    FloatVec weight[kBlocks];
#pragma GCC unroll 2
    for (int o = 0; o < kBlocks; ++o)
        weight[o] = hn::LoadU(d, w + o * kLanes);
#pragma GCC unroll 16
    for (int p = 0; p < kPixels; ++p) {
        const FloatVec x = hn::Set(d, s[p * kPixel]);
#pragma GCC unroll 2
        for (int o = 0; o < kBlocks; ++o)
            sum[o][p] = hn::MulAdd(weight[o], x, sum[o][p]);
    }
}

// The first `present` floats, and zeros.
HWY_INLINE FloatVec loadFirst(const float* from, std::int64_t present)
{
    if (present >= kLanes)
        return hn::LoadU(FloatTag(), from);
    alignas(64) float padded[kLanes] = {};
    for (std::int64_t i = 0; i < present; ++i)
        padded[i] = from[i];
    return hn::Load(FloatTag(), padded);
}

// Whether the tile can be finished in registers.
HWY_INLINE bool finishesInRegisters(const TileRow& row)
{
    return row.to->simple && !row.to->rowBias &&
           (row.to->wholeBlocks || row.channel + row.blocks * kLanes <= row.to->channels);
}

template <int kBlocks, int kPixels>
HWY_INLINE void storeTile(const TileRow& row, std::int64_t first, FloatVec (&sum)[kBlocks][kPixels])
{
    const FloatTag d;
    if (!finishesInRegisters(row)) {
        alignas(64) float tile[kBlocks * kPixels * kLanes];
#pragma GCC unroll 2
        for (int o = 0; o < kBlocks; ++o)
#pragma GCC unroll 16
            for (int p = 0; p < kPixels; ++p)
                hn::Store(sum[o][p], d, tile + (o * kPixels + p) * kLanes);
        finishTile(row, tile, first, kPixels, true);
        return;
    }
    const std::int64_t start = row.output + first * row.pixelStride;
    const ActivationSpec& activation = row.to->epilogue.activation;
    if (row.to->epilogue.residual) {
        const float* residual = row.to->epilogue.residual + start;
#pragma GCC unroll 2
        for (int o = 0; o < kBlocks; ++o)
#pragma GCC unroll 16
            for (int p = 0; p < kPixels; ++p)
                sum[o][p] = hn::Add(
                    sum[o][p], hn::LoadU(d, residual + o * row.blockStride + p * row.pixelStride));
    }
    if (activation.kind == Activation::Relu) {
#pragma GCC unroll 2
        for (int o = 0; o < kBlocks; ++o)
#pragma GCC unroll 16
            for (int p = 0; p < kPixels; ++p)
                sum[o][p] = reluOf(sum[o][p]);
    } else if (activation.kind == Activation::Clip) {
        const FloatVec low = splat(activation.alpha);
        const FloatVec high = splat(activation.beta);
#pragma GCC unroll 2
        for (int o = 0; o < kBlocks; ++o)
#pragma GCC unroll 16
            for (int p = 0; p < kPixels; ++p)
                sum[o][p] = clampOf(sum[o][p], low, high);
    }
    float* output = row.to->output + start;
    if (row.firstLane > 0 || row.endLane < kLanes) {
        // The lanes of other groups stay what they are; no other thread works on this block.
        alignas(64) float chosen[kLanes] = {};
        std::fill(chosen + row.firstLane, chosen + row.endLane, 1.0F);
        const auto mine = hn::Ne(hn::Load(d, chosen), hn::Zero(d));
#pragma GCC unroll 2
        for (int o = 0; o < kBlocks; ++o)
#pragma GCC unroll 16
            for (int p = 0; p < kPixels; ++p) {
                const float* old = output + o * row.blockStride + p * row.pixelStride;
                sum[o][p] = hn::IfThenElse(mine, sum[o][p], hn::LoadU(d, old));
            }
    }
#pragma GCC unroll 2
    for (int o = 0; o < kBlocks; ++o)
#pragma GCC unroll 16
        for (int p = 0; p < kPixels; ++p)
            hn::StoreU(sum[o][p], d, output + o * row.blockStride + p * row.pixelStride);
}

// Results [first, first + kPixels) of the row. See TileRow for kPixel and kStep.
template <int kBlocks, int kPixels, int kPixel, int kStep>
HWY_NOINLINE void computeTile(const TileRow& row, std::int64_t first)
{
    const FloatTag d;
    FloatVec sum[kBlocks][kPixels];
#pragma GCC unroll 2
    for (int o = 0; o < kBlocks; ++o) {
        FloatVec bias = hn::Zero(d);
        if (row.to->epilogue.bias) {
            const std::int64_t channel = row.channel + o * kLanes;
            bias = loadFirst(row.to->epilogue.bias + channel, row.to->channels - channel);
        }
#pragma GCC unroll 16
        for (int p = 0; p < kPixels; ++p)
            sum[o][p] = bias;
    }
    const float* w = row.weights;
    constexpr int kAhead = kBlocks * kLanes * 24;
    const std::int64_t start = row.source + first * kPixel;
    const std::int64_t* const taps = row.taps;
    const std::int64_t tapCount = row.tapCount;
    const TileUnit* const end = row.units + row.unitCount;
    for (const TileUnit* unit = row.units; unit != end; ++unit) {
        const float* const base = unit->base + start;
        const std::int64_t lanes = unit->lanes;
        if (kPixel == kLanes && lanes == kLanes) {
            for (std::int64_t t = 0; t < tapCount; ++t) {
                const float* s = base + taps[t];
#pragma GCC unroll 4
                for (int i = 0; i < kLanes; ++i) {
                    hwy::Prefetch(w + kAhead);
                    if (kBlocks * kLanes > 16)
                        hwy::Prefetch(w + kAhead + 16);
                    multiplyLane<kBlocks, kPixels, kPixel>(sum, s + i * kStep, w);
                    w += kBlocks * kLanes;
                }
            }
        } else {
            for (std::int64_t t = 0; t < tapCount; ++t) {
                const float* s = base + taps[t];
#pragma GCC unroll 4
                for (std::int64_t i = 0; i < lanes; ++i) {
                    hwy::Prefetch(w + kAhead);
                    if (kBlocks * kLanes > 16)
                        hwy::Prefetch(w + kAhead + 16);
                    multiplyLane<kBlocks, kPixels, kPixel>(sum, s, w);
                    s += kStep;
                    w += kBlocks * kLanes;
                }
            }
        }
    }
    storeTile<kBlocks, kPixels>(row, first, sum);
}

using TileFunction = void (*)(const TileRow&, std::int64_t);

template <int kBlocks, int kPixel, int kStep, int... kPixels>
constexpr std::array<TileFunction, sizeof...(kPixels)>
tileTable(std::integer_sequence<int, kPixels...>)
{
    return {computeTile<kBlocks, kPixels + 1, kPixel, kStep>...};
}

// Splits the row into tiles of nearly equal width: a narrow last tile would starve the multipliers.
template <int kPixel, int kStep>
HWY_INLINE void computeRow(const TileRow& row)
{
    using Widths = std::make_integer_sequence<int, kTilePixels>;
    static constexpr auto kOne = tileTable<1, kPixel, kStep>(Widths());
    static constexpr auto kTwo = tileTable<2, kPixel, kStep>(Widths());
    const std::int64_t tiles = (row.count + kTilePixels - 1) / kTilePixels;
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < tiles; ++i) {
        const std::int64_t end = row.count * (i + 1) / tiles;
        const auto width = static_cast<std::size_t>(end - first);
        (row.blocks == 2 ? kTwo : kOne)[width - 1](row, first);
        first = end;
    }
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#endif
