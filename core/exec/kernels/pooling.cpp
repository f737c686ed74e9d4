#include "exec/kernels/pooling.h"

#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/hwytargets.h"
#include "exec/kernels/reorder.h"
#include "exec/kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/pooling.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/vectormath-inl.h"
#include <algorithm>
#include <cmath>
#include <hwy/highway.h>
#include <limits>
#include <vector>

// The positions of one window along one axis; outside the namespaces of the instruction sets.
#ifndef FUSESCOPE_POOL_WINDOW
#define FUSESCOPE_POOL_WINDOW
namespace fusescope::kernels {

struct PoolWindow
{
    std::int64_t first = 0;   // input position of the first one inside the input
    std::int64_t inside = 0;  // how many are inside the input
    std::int64_t counted = 0; // how many are inside the padded input
};

inline PoolWindow poolWindow(const PoolShape& s, int axis, std::int64_t result)
{
    const std::int64_t start = result * s.stride[axis] - s.padBefore[axis];
    const std::int64_t dilation = s.dilation[axis];
    PoolWindow window;
    const auto upTo = [&](std::int64_t limit) {
        const std::int64_t count = limit > start ? ceilDivide(limit - start, dilation) : 0;
        return std::min(s.kernel[axis], count);
    };
    const std::int64_t skipped =
        std::min(s.kernel[axis], start < 0 ? ceilDivide(-start, dilation) : 0);
    window.first = start + skipped * dilation;
    window.inside = std::max<std::int64_t>(0, upTo(s.input[axis]) - skipped);
    window.counted = upTo(s.input[axis] + s.padAfter[axis]);
    return window;
}

// One row of results of one plane or block.
struct PoolRow
{
    const PoolShape* shape;
    const float* source;
    PoolWindow z, y;
    const PoolWindow* x; // one for each column
    float* output;
};

} // namespace fusescope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// A window's result from its sum or maximum.
HWY_INLINE float divisorOf(const PoolRow& r, const PoolWindow& x)
{
    const std::int64_t count = r.shape->kind == PoolKind::Average
                                   ? r.z.inside * r.y.inside * x.inside
                                   : r.z.counted * r.y.counted * x.counted;
    return static_cast<float>(count);
}

void poolBlockedRow(const PoolRow& r)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const PoolShape& s = *r.shape;
    const bool maximum = s.kind == PoolKind::Max;
    for (std::int64_t column = 0; column < s.output[2]; ++column) {
        const PoolWindow& x = r.x[column];
        FloatVec result = splat(maximum ? -std::numeric_limits<float>::infinity() : 0.0F);
        for (std::int64_t kz = 0; kz < r.z.inside; ++kz)
            for (std::int64_t ky = 0; ky < r.y.inside; ++ky) {
                const std::int64_t row =
                    (r.z.first + kz * s.dilation[0]) * s.input[1] + r.y.first + ky * s.dilation[1];
                const float* from = r.source + (row * s.input[2] + x.first) * lanes;
                const std::int64_t step = s.dilation[2] * lanes;
                if (maximum)
                    for (std::int64_t kx = 0; kx < x.inside; ++kx)
                        result = maxOf(result, hn::LoadU(d, from + kx * step));
                else
                    for (std::int64_t kx = 0; kx < x.inside; ++kx)
                        result = hn::Add(result, hn::LoadU(d, from + kx * step));
            }
        if (!maximum)
            result = hn::Div(result, splat(divisorOf(r, x)));
        hn::StoreU(result, d, r.output + column * lanes);
    }
}

HWY_INLINE float pooled(const PoolRow& r, const PoolWindow& x)
{
    const PoolShape& s = *r.shape;
    const bool maximum = s.kind == PoolKind::Max;
    float result = maximum ? -std::numeric_limits<float>::infinity() : 0.0F;
    for (std::int64_t kz = 0; kz < r.z.inside; ++kz)
        for (std::int64_t ky = 0; ky < r.y.inside; ++ky) {
            const std::int64_t row =
                (r.z.first + kz * s.dilation[0]) * s.input[1] + r.y.first + ky * s.dilation[1];
            const float* from = r.source + row * s.input[2] + x.first;
            for (std::int64_t kx = 0; kx < x.inside; ++kx) {
                const float value = from[kx * s.dilation[2]];
                if (!maximum)
                    result += value;
                else if (result < value || value != value)
                    result = value;
            }
        }
    return maximum ? result : result / divisorOf(r, x);
}

void poolPlainRow(const PoolRow& r)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const PoolShape& s = *r.shape;
    const bool maximum = s.kind == PoolKind::Max;
    const std::int64_t span = (s.kernel[2] - 1) * s.dilation[2];
    for (std::int64_t column = 0; column < s.output[2];) {
        const std::int64_t start = column - s.padBefore[2];
        const bool vector = s.stride[2] == 1 && start >= 0 && start + lanes + span <= s.input[2] &&
                            column + lanes <= s.output[2];
        if (!vector) {
            r.output[column] = pooled(r, r.x[column]);
            ++column;
            continue;
        }
        FloatVec result = splat(maximum ? -std::numeric_limits<float>::infinity() : 0.0F);
        for (std::int64_t kz = 0; kz < r.z.inside; ++kz)
            for (std::int64_t ky = 0; ky < r.y.inside; ++ky) {
                const std::int64_t row =
                    (r.z.first + kz * s.dilation[0]) * s.input[1] + r.y.first + ky * s.dilation[1];
                const float* from = r.source + row * s.input[2] + start;
                for (std::int64_t kx = 0; kx < s.kernel[2]; ++kx) {
                    const FloatVec value = hn::LoadU(d, from + kx * s.dilation[2]);
                    result = maximum ? maxOf(result, value) : hn::Add(result, value);
                }
            }
        if (!maximum)
            result = hn::Div(result, splat(divisorOf(r, r.x[column])));
        hn::StoreU(result, d, r.output + column);
        column += lanes;
    }
}

template <bool kMaximum>
HWY_INLINE FloatVec joinOf(FloatVec a, FloatVec b)
{
    if constexpr (kMaximum)
        return maxOf(a, b);
    else
        return hn::Add(a, b);
}

// Sum or maximum of `count` vectors next to each other, in four interleaved parts.
template <bool kMaximum>
HWY_INLINE FloatVec joinAll(const float* from, std::int64_t count)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const FloatVec start = splat(kMaximum ? -std::numeric_limits<float>::infinity() : 0.0F);
    FloatVec a = start, b = start, c = start, e = start;
    std::int64_t i = 0;
    for (; i + 4 <= count; i += 4, from += 4 * lanes) {
        a = joinOf<kMaximum>(a, hn::LoadU(d, from));
        b = joinOf<kMaximum>(b, hn::LoadU(d, from + lanes));
        c = joinOf<kMaximum>(c, hn::LoadU(d, from + 2 * lanes));
        e = joinOf<kMaximum>(e, hn::LoadU(d, from + 3 * lanes));
    }
    for (; i < count; ++i, from += lanes)
        a = joinOf<kMaximum>(a, hn::LoadU(d, from));
    return joinOf<kMaximum>(joinOf<kMaximum>(a, b), joinOf<kMaximum>(c, e));
}

// One block: K results.
void globalBlocked(PoolKind kind, const float* from, std::int64_t spatial, float* to)
{
    const FloatTag d;
    if (kind == PoolKind::Max)
        hn::StoreU(joinAll<true>(from, spatial), d, to);
    else
        hn::StoreU(hn::Div(joinAll<false>(from, spatial), splat(static_cast<float>(spatial))), d,
                   to);
}

// One plane: one result.
void globalPlain(PoolKind kind, const float* from, std::int64_t spatial, float* to)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const bool maximum = kind == PoolKind::Max;
    const std::int64_t vectors = spatial / lanes;
    alignas(64) float parts[64];
    hn::StoreU(maximum ? joinAll<true>(from, vectors) : joinAll<false>(from, vectors), d, parts);
    float result = parts[0];
    const auto join = [&](float value) {
        if (!maximum)
            result += value;
        else if (result < value || value != value)
            result = value;
    };
    for (std::int64_t i = 1; i < lanes; ++i)
        join(parts[i]);
    for (std::int64_t i = vectors * lanes; i < spatial; ++i)
        join(from[i]);
    *to = maximum ? result : result / static_cast<float>(spatial);
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(poolBlockedRow);
HWY_EXPORT(poolPlainRow);
HWY_EXPORT(globalBlocked);
HWY_EXPORT(globalPlain);

bool runPool(const PoolShape& shape, bool blocked, const float* input, float* output,
             ThreadPool& pool)
{
    const std::int64_t lanes = blocked ? blockLanes() : 1;
    const std::int64_t planes =
        shape.batch * (blocked ? channelBlocks(shape.channels) : shape.channels);
    const std::int64_t rows = shape.output[0] * shape.output[1];
    const std::int64_t rowFloats = shape.output[2] * lanes;
    if (planes * rows * rowFloats == 0)
        return !pool.stopped();
    const auto compute =
        blocked ? HWY_DYNAMIC_DISPATCH(poolBlockedRow) : HWY_DYNAMIC_DISPATCH(poolPlainRow);
    std::vector<PoolWindow> columns;
    for (std::int64_t x = 0; x < shape.output[2]; ++x)
        columns.push_back(poolWindow(shape, 2, x));
    const std::int64_t perChunk = std::max<std::int64_t>(1, 2048 / rowFloats);
    const std::int64_t chunks = ceilDivide(rows, perChunk);
    // All planes of the first rows, then the next: threads share rows, not channels.
    return pool.parallelFor(planes * chunks, [&](std::int64_t chunk, int) {
        const std::int64_t plane = chunk % planes;
        const std::int64_t first = chunk / planes * perChunk;
        PoolRow row;
        row.shape = &shape;
        row.x = columns.data();
        row.source = input + plane * volume(shape.input) * lanes;
        for (std::int64_t i = first; i < std::min(rows, first + perChunk); ++i) {
            row.z = poolWindow(shape, 0, i / shape.output[1]);
            row.y = poolWindow(shape, 1, i % shape.output[1]);
            row.output = output + (plane * rows + i) * rowFloats;
            compute(row);
        }
    });
}

bool runGlobalPool(PoolKind kind, std::int64_t batch, std::int64_t channels, std::int64_t spatial,
                   bool blocked, bool blockedOutput, const float* input, float* output,
                   ThreadPool& pool)
{
    const std::int64_t lanes = blockLanes();
    const std::int64_t blocks = channelBlocks(channels);
    return pool.parallelFor(batch * blocks, [&](std::int64_t chunk, int) {
        const std::int64_t n = chunk / blocks;
        const std::int64_t first = chunk % blocks * lanes;
        const std::int64_t present = std::min(lanes, channels - first);
        float results[64] = {};
        if (blocked)
            HWY_DYNAMIC_DISPATCH(globalBlocked)
        (kind, input + chunk * spatial * lanes, spatial, results);
        else for (std::int64_t c = 0; c < present; ++c) HWY_DYNAMIC_DISPATCH(globalPlain)(
            kind, input + (n * channels + first + c) * spatial, spatial, results + c);
        if (blockedOutput)
            std::copy_n(results, lanes, output + chunk * lanes);
        else
            std::copy_n(results, present, output + n * channels + first);
    });
}

} // namespace fusescope::kernels
#endif
