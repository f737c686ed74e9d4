#include "exec/kernels/reorder.h"

#include "exec/kernels/hwytargets.h"
#include "exec/kernels/target.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/reorder.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
// Transposes 4 rows of 4 floats, `fromApart` floats apart, to rows `toApart` floats apart.
HWY_INLINE void transposeFour(const float* from, std::int64_t fromApart, float* to,
                              std::int64_t toApart)
{
    const hn::FixedTag<float, 4> d;
    const hn::FixedTag<double, 2> pairs;
    const auto r0 = hn::LoadU(d, from);
    const auto r1 = hn::LoadU(d, from + fromApart);
    const auto r2 = hn::LoadU(d, from + 2 * fromApart);
    const auto r3 = hn::LoadU(d, from + 3 * fromApart);
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + toApart);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * toApart);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * toApart);
}

#else
// One lane a block: nothing to transpose, and never called.
void transposeFour(const float*, std::int64_t, float*, std::int64_t) {}
#endif

// `channels` planes, `apart` floats apart, to one block of K lanes; pixels [begin, end).
void blockFromPlanes(const float* planes, std::int64_t apart, std::int64_t channels,
                     std::int64_t begin, std::int64_t end, float* block)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<float>()));
    std::int64_t pixel = begin;
    if (channels == lanes && lanes >= 4)
        for (; pixel + 4 <= end; pixel += 4)
            for (std::int64_t c = 0; c < lanes; c += 4)
                transposeFour(planes + c * apart + pixel, apart, block + pixel * lanes + c, lanes);
    for (; pixel < end; ++pixel)
        for (std::int64_t c = 0; c < lanes; ++c)
            block[pixel * lanes + c] = c < channels ? planes[c * apart + pixel] : 0.0F;
}

void planesFromBlock(const float* block, std::int64_t apart, std::int64_t channels,
                     std::int64_t begin, std::int64_t end, float* planes)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<float>()));
    std::int64_t pixel = begin;
    if (channels == lanes && lanes >= 4)
        for (; pixel + 4 <= end; pixel += 4)
            for (std::int64_t c = 0; c < lanes; c += 4)
                transposeFour(block + pixel * lanes + c, lanes, planes + c * apart + pixel, apart);
    for (; pixel < end; ++pixel)
        for (std::int64_t c = 0; c < channels; ++c)
            planes[c * apart + pixel] = block[pixel * lanes + c];
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(blockFromPlanes);
HWY_EXPORT(planesFromBlock);

namespace {

// Calls fn(image and block, plane offset, channels in the block, first pixel, end) in parallel.
template <class Fn>
bool forBlocks(const ImageShape& shape, ThreadPool& pool, Fn fn)
{
    constexpr std::int64_t kPixels = 1024;
    const std::int64_t lanes = blockLanes();
    const std::int64_t blocks = channelBlocks(shape.channels);
    const std::int64_t parts = (shape.spatial + kPixels - 1) / kPixels;
    return pool.parallelFor(shape.batch * blocks * parts, [&](std::int64_t chunk, int) {
        const std::int64_t part = chunk % parts;
        const std::int64_t index = chunk / parts;
        const std::int64_t first = index % blocks * lanes;
        const std::int64_t plane = (index / blocks * shape.channels + first) * shape.spatial;
        fn(index, plane, std::min(lanes, shape.channels - first), part * kPixels,
           std::min(shape.spatial, (part + 1) * kPixels));
    });
}

} // namespace

std::int64_t channelBlocks(std::int64_t channels)
{
    const std::int64_t lanes = blockLanes();
    return (channels + lanes - 1) / lanes;
}

std::int64_t blockedFloats(const ImageShape& shape)
{
    return shape.batch * channelBlocks(shape.channels) * blockLanes() * shape.spatial;
}

bool toBlocked(const ImageShape& shape, const float* plain, float* blocked, ThreadPool& pool)
{
    const std::int64_t size = blockLanes() * shape.spatial;
    const auto convert = HWY_DYNAMIC_DISPATCH(blockFromPlanes);
    return forBlocks(shape, pool,
                     [=](std::int64_t index, std::int64_t plane, std::int64_t channels,
                         std::int64_t begin, std::int64_t end) {
                         convert(plain + plane, shape.spatial, channels, begin, end,
                                 blocked + index * size);
                     });
}

bool toPlain(const ImageShape& shape, const float* blocked, float* plain, ThreadPool& pool)
{
    const std::int64_t size = blockLanes() * shape.spatial;
    const auto convert = HWY_DYNAMIC_DISPATCH(planesFromBlock);
    return forBlocks(shape, pool,
                     [=](std::int64_t index, std::int64_t plane, std::int64_t channels,
                         std::int64_t begin, std::int64_t end) {
                         convert(blocked + index * size, shape.spatial, channels, begin, end,
                                 plain + plane);
                     });
}

} // namespace fusescope::kernels
#endif
