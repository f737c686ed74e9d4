#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/hwytargets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/prepare.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/vectormath-inl.h"
#include <algorithm>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// `count` pixels, `stride` pixels apart in the source.
template <bool kAffine>
HWY_INLINE void copyBlocked(const PrepareRow& how, const float* from, std::int64_t stride,
                            std::int64_t count, float* to)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    if constexpr (kAffine) {
        const FloatVec scale = hn::LoadU(d, how.scale);
        const FloatVec shift = hn::LoadU(d, how.shift);
        for (std::int64_t i = 0; i < count; ++i) {
            FloatVec x = hn::MulAdd(hn::LoadU(d, from + i * stride * lanes), scale, shift);
            if (how.relu)
                x = reluOf(x);
            hn::StoreU(x, d, to + i * lanes);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i)
            hn::StoreU(hn::LoadU(d, from + i * stride * lanes), d, to + i * lanes);
    }
}

void prepare(const PrepareRow& how, const float* from, float* to)
{
    const auto lanes = how.plain ? 1 : static_cast<std::int64_t>(hn::Lanes(FloatTag()));
    const std::int64_t perPhase = how.length / how.phases;
    const std::int64_t stride = how.phases * how.sample;
    for (std::int64_t phase = 0; phase < how.phases; ++phase) {
        // Position q reads column q * stride + start.
        const std::int64_t start = phase * how.sample - how.pad;
        const std::int64_t first =
            std::clamp<std::int64_t>(start >= 0 ? 0 : (-start + stride - 1) / stride, 0, perPhase);
        const std::int64_t last = std::clamp<std::int64_t>(
            how.width > start ? (how.width - start + stride - 1) / stride : 0, first, perPhase);
        std::fill_n(to, first * lanes, 0.0F);
        // Nothing of the row may be inside: then no source is pointed to.
        const float* source = last > first ? from + (first * stride + start) * lanes : from;
        float* target = to + first * lanes;
        if (how.plain) {
            for (std::int64_t i = 0; i < last - first; ++i)
                target[i] = source[i * stride];
        } else if (how.scale) {
            copyBlocked<true>(how, source, stride, last - first, target);
        } else {
            copyBlocked<false>(how, source, stride, last - first, target);
        }
        std::fill_n(to + last * lanes, (perPhase - last) * lanes, 0.0F);
        to += perPhase * lanes;
    }
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(prepare);

void prepareRow(const PrepareRow& how, const float* from, float* to)
{
    HWY_DYNAMIC_DISPATCH(prepare)(how, from, to);
}

} // namespace fusescope::kernels
#endif
