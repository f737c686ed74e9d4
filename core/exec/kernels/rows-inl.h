// Loops over rows of floats of any length. Per-target include guard:
#if defined(FUSESCOPE_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef FUSESCOPE_ROWS_INL_H
#undef FUSESCOPE_ROWS_INL_H
#else
#define FUSESCOPE_ROWS_INL_H
#endif

#include "exec/kernels/vectormath-inl.h"

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

HWY_INLINE std::int64_t rowLanes()
{
    return static_cast<std::int64_t>(hn::Lanes(FloatTag()));
}

// The first `present` floats, the rest `filler`.
HWY_INLINE FloatVec loadPart(const float* from, std::int64_t present, float filler = 0.0F)
{
    if (present >= rowLanes())
        return hn::LoadU(FloatTag(), from);
    alignas(64) float padded[HWY_LANES(float)];
    hn::Store(splat(filler), FloatTag(), padded);
    for (std::int64_t i = 0; i < present; ++i)
        padded[i] = from[i];
    return hn::Load(FloatTag(), padded);
}

HWY_INLINE void storePart(FloatVec v, std::int64_t present, float* to)
{
    if (present >= rowLanes()) {
        hn::StoreU(v, FloatTag(), to);
        return;
    }
    alignas(64) float padded[HWY_LANES(float)];
    hn::Store(v, FloatTag(), padded);
    for (std::int64_t i = 0; i < present; ++i)
        to[i] = padded[i];
}

template <class Fn>
HWY_INLINE void mapRow(const float* x, std::int64_t count, float* y, Fn fn)
{
    const std::int64_t lanes = rowLanes();
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(fn(hn::LoadU(FloatTag(), x + i)), FloatTag(), y + i);
    if (i < count)
        storePart(fn(loadPart(x + i, count - i)), count - i, y + i);
}

template <class Fn>
HWY_INLINE void zipRow(const float* a, const float* b, std::int64_t count, float* y, Fn fn)
{
    const std::int64_t lanes = rowLanes();
    for (std::int64_t i = 0; i < count; i += lanes) {
        const std::int64_t present = std::min(lanes, count - i);
        storePart(fn(loadPart(a + i, present), loadPart(b + i, present)), present, y + i);
    }
}

// Joins all of fn(x[i]) with an associative operator, in an order that depends on nothing but the
// length and the vector width. fn must map `filler` to something that does not matter.
template <class Fn, class Join>
HWY_INLINE float foldRow(const float* x, std::int64_t count, float filler, Fn fn, Join join,
                         float start)
{
    const FloatTag d;
    const std::int64_t lanes = rowLanes();
    FloatVec a = splat(start), b = a, c = a, e = a;
    std::int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        a = join(a, fn(hn::LoadU(d, x + i)));
        b = join(b, fn(hn::LoadU(d, x + i + lanes)));
        c = join(c, fn(hn::LoadU(d, x + i + 2 * lanes)));
        e = join(e, fn(hn::LoadU(d, x + i + 3 * lanes)));
    }
    for (; i + lanes <= count; i += lanes)
        a = join(a, fn(hn::LoadU(d, x + i)));
    if (i < count) {
        // Lanes behind the end keep what they have.
        alignas(64) float inside[HWY_LANES(float)] = {};
        std::fill_n(inside, count - i, 1.0F);
        const auto mask = hn::Ne(hn::Load(d, inside), splat(0.0F));
        b = hn::IfThenElse(mask, join(b, fn(loadPart(x + i, count - i, filler))), b);
    }
    a = join(join(a, b), join(c, e));
    alignas(64) float parts[HWY_LANES(float)];
    hn::Store(a, d, parts);
    FloatVec total = splat(parts[0]);
    for (std::int64_t k = 1; k < lanes; ++k)
        total = join(total, splat(parts[k]));
    return hn::GetLane(total);
}

template <class Fn>
HWY_INLINE float sumRow(const float* x, std::int64_t count, Fn fn)
{
    return foldRow(
        x, count, 0.0F, fn, [](FloatVec a, FloatVec b) HWY_ATTR { return hn::Add(a, b); }, 0.0F);
}

HWY_INLINE float maxRow(const float* x, std::int64_t count)
{
    return foldRow(
        x, count, 0.0F, [](FloatVec v) HWY_ATTR { return v; },
        [](FloatVec a, FloatVec b) HWY_ATTR { return maxOf(a, b); },
        -std::numeric_limits<float>::infinity());
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#endif
