#include "exec/kernels/reduce.h"

#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/hwytargets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/reduce.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/rows-inl.h"
#include <algorithm>
#include <hwy/highway.h>
#include <limits>

// Outside the namespaces of the instruction sets.
#ifndef FUSESCOPE_REDUCE_JOB
#define FUSESCOPE_REDUCE_JOB
namespace fusescope::kernels {

struct ReduceJob
{
    const float* x;
    std::int64_t axis, inner;
    std::int64_t count; // columns, if inner > 1
    float divisor;
    float* y;
};

} // namespace fusescope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// How one kind joins values; Mean is a Sum that is divided afterwards.
struct SumOf
{
    static constexpr float kStart = 0.0F;
    static HWY_INLINE FloatVec map(FloatVec v) { return v; }
    static HWY_INLINE FloatVec join(FloatVec a, FloatVec b) { return hn::Add(a, b); }
};
struct SquaresOf : SumOf
{
    static HWY_INLINE FloatVec map(FloatVec v) { return hn::Mul(v, v); }
};
struct MagnitudesOf : SumOf
{
    static HWY_INLINE FloatVec map(FloatVec v) { return hn::Abs(v); }
};
struct ProductOf
{
    static constexpr float kStart = 1.0F;
    static HWY_INLINE FloatVec map(FloatVec v) { return v; }
    static HWY_INLINE FloatVec join(FloatVec a, FloatVec b) { return hn::Mul(a, b); }
};
struct HighestOf
{
    static constexpr float kStart = -std::numeric_limits<float>::infinity();
    static HWY_INLINE FloatVec map(FloatVec v) { return v; }
    static HWY_INLINE FloatVec join(FloatVec a, FloatVec b) { return maxOf(a, b); }
};
struct LowestOf
{
    static constexpr float kStart = std::numeric_limits<float>::infinity();
    static HWY_INLINE FloatVec map(FloatVec v) { return v; }
    static HWY_INLINE FloatVec join(FloatVec a, FloatVec b) { return minOf(a, b); }
};

template <class Kind>
void reduceWith(const ReduceJob& job)
{
    if (job.inner == 1) {
        const float total = foldRow(
            job.x, job.axis, Kind::kStart, [](FloatVec v) HWY_ATTR { return Kind::map(v); },
            [](FloatVec a, FloatVec b) HWY_ATTR { return Kind::join(a, b); }, Kind::kStart);
        *job.y = total / job.divisor;
        return;
    }
    const std::int64_t lanes = rowLanes();
    for (std::int64_t column = 0; column < job.count; column += lanes) {
        const std::int64_t present = std::min(lanes, job.count - column);
        FloatVec total = splat(Kind::kStart);
        for (std::int64_t i = 0; i < job.axis; ++i)
            total = Kind::join(total, Kind::map(loadPart(job.x + i * job.inner + column, present)));
        storePart(hn::Div(total, splat(job.divisor)), present, job.y + column);
    }
}

void reduceOne(ReduceKind kind, const ReduceJob& job)
{
    switch (kind) {
    case ReduceKind::Sum:
    case ReduceKind::Mean:
        return reduceWith<SumOf>(job);
    case ReduceKind::Max:
        return reduceWith<HighestOf>(job);
    case ReduceKind::Min:
        return reduceWith<LowestOf>(job);
    case ReduceKind::SumSquare:
        return reduceWith<SquaresOf>(job);
    case ReduceKind::SumAbs:
        return reduceWith<MagnitudesOf>(job);
    case ReduceKind::Prod:
        return reduceWith<ProductOf>(job);
    }
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(reduceOne);

bool runReduce(ReduceKind kind, std::int64_t outer, std::int64_t axis, std::int64_t inner,
               const float* input, float* output, ThreadPool& pool)
{
    if (outer * inner == 0)
        return !pool.stopped();
    const float divisor = kind == ReduceKind::Mean ? static_cast<float>(axis) : 1.0F;
    if (inner == 1) {
        const std::int64_t rows = std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, axis));
        return pool.parallelFor(ceilDivide(outer, rows), [&](std::int64_t chunk, int) {
            for (std::int64_t r = chunk * rows; r < std::min(outer, (chunk + 1) * rows); ++r)
                HWY_DYNAMIC_DISPATCH(reduceOne)
            (kind, {input + r * axis, axis, 1, 1, divisor, output + r});
        });
    }
    constexpr std::int64_t kColumns = 64;
    const std::int64_t parts = ceilDivide(inner, kColumns);
    return pool.parallelFor(outer * parts, [&](std::int64_t chunk, int) {
        const std::int64_t n = chunk / parts;
        const std::int64_t column = chunk % parts * kColumns;
        HWY_DYNAMIC_DISPATCH(reduceOne)
        (kind, {input + n * axis * inner + column, axis, inner, std::min(kColumns, inner - column),
                divisor, output + n * inner + column});
    });
}

} // namespace fusescope::kernels
#endif
