#include "exec/kernels/normalization.h"

#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/elements.h"
#include "exec/kernels/hwytargets.h"
#include "exec/kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/normalization.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/rows-inl.h"
#include <algorithm>
#include <cmath>
#include <hwy/highway.h>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

// y = scale x + shift; `scale` and `shift` are one vector (blocked) or one float (plain).
void affineBlock(const float* x, std::int64_t pixels, const float* scale, const float* shift,
                 bool relu, float* y)
{
    const FloatTag d;
    const FloatVec a = hn::LoadU(d, scale);
    const FloatVec b = hn::LoadU(d, shift);
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < pixels * lanes; i += lanes) {
        FloatVec v = hn::MulAdd(hn::LoadU(d, x + i), a, b);
        if (relu)
            v = reluOf(v);
        hn::StoreU(v, d, y + i);
    }
}

void affineRow(const float* x, std::int64_t count, float scale, float shift, bool relu, float* y)
{
    const FloatVec a = splat(scale);
    const FloatVec b = splat(shift);
    mapRow(x, count, y, [=](FloatVec v) HWY_ATTR {
        v = hn::MulAdd(v, a, b);
        return relu ? reluOf(v) : v;
    });
}

void softmaxRow(const float* x, std::int64_t count, bool logarithm, float* y)
{
    const float highest = maxRow(x, count);
    const FloatVec top = splat(highest);
    if (logarithm) {
        const float sum =
            sumRow(x, count, [=](FloatVec v) HWY_ATTR { return expOf(hn::Sub(v, top)); });
        const FloatVec scale = splat(std::log(sum));
        mapRow(x, count, y, [=](FloatVec v) HWY_ATTR { return hn::Sub(hn::Sub(v, top), scale); });
        return;
    }
    mapRow(x, count, y, [=](FloatVec v) HWY_ATTR { return expOf(hn::Sub(v, top)); });
    const float sum = sumRow(y, count, [](FloatVec v) HWY_ATTR { return v; });
    const FloatVec scale = splat(1.0F / sum);
    mapRow(y, count, y, [=](FloatVec v) HWY_ATTR { return hn::Mul(v, scale); });
}

// Softmax over `axis` rows that lie `inner` floats apart, for `count` columns next to each other.
void softmaxColumns(const float* x, std::int64_t axis, std::int64_t inner, std::int64_t count,
                    bool logarithm, float* y)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t column = 0; column < count; column += lanes) {
        const std::int64_t present = std::min(lanes, count - column);
        const auto load = [&](const float* from, std::int64_t i)
                              HWY_ATTR { return loadPart(from + i * inner + column, present); };
        FloatVec top = load(x, 0);
        for (std::int64_t i = 1; i < axis; ++i)
            top = maxOf(top, load(x, i));
        FloatVec sum = splat(0.0F);
        for (std::int64_t i = 0; i < axis; ++i) {
            const FloatVec e = expOf(hn::Sub(load(x, i), top));
            sum = hn::Add(sum, e);
            if (!logarithm)
                storePart(e, present, y + i * inner + column);
        }
        const FloatVec scale = logarithm ? logOf(sum) : hn::Div(splat(1.0F), sum);
        for (std::int64_t i = 0; i < axis; ++i) {
            const FloatVec v =
                logarithm ? hn::Sub(hn::Sub(load(x, i), top), scale) : hn::Mul(load(y, i), scale);
            storePart(v, present, y + i * inner + column);
        }
    }
}

// Mean, and 1 / sqrt(mean of squares + epsilon) of what is left after subtracting it.
struct Moments
{
    float mean, scale;
};
HWY_INLINE Moments momentsOf(const float* x, std::int64_t count, float epsilon, bool centred)
{
    const auto n = static_cast<float>(count);
    const float mean = centred ? sumRow(x, count, [](FloatVec v) HWY_ATTR { return v; }) / n : 0.0F;
    const FloatVec m = splat(mean);
    const float squares = sumRow(x, count, [=](FloatVec v) HWY_ATTR {
        const FloatVec c = hn::Sub(v, m);
        return hn::Mul(c, c);
    });
    return {mean, 1.0F / std::sqrt(squares / n + epsilon)};
}

void layerNormRow(const LayerNormShape& shape, const float* x, const float* residual,
                  const float* scale, const float* shift, float* y, float* sum)
{
    const std::int64_t count = shape.width;
    if (residual) {
        float* const to = sum ? sum : y;
        zipRow(x, residual, count, to,
               [](FloatVec a, FloatVec b) HWY_ATTR { return hn::Add(a, b); });
        x = to;
    } else if (sum && sum != x) {
        mapRow(x, count, sum, [](FloatVec v) HWY_ATTR { return v; });
    }
    const Moments moments = momentsOf(x, count, shape.epsilon, !shape.rootMeanSquare);
    const FloatVec mean = splat(moments.mean);
    const FloatVec factor = splat(moments.scale);
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < count; i += lanes) {
        const std::int64_t present = std::min(lanes, count - i);
        FloatVec v = hn::Mul(hn::Sub(loadPart(x + i, present), mean), factor);
        if (scale)
            v = hn::Mul(v, loadPart(scale + i, present));
        if (shift)
            v = hn::Add(v, loadPart(shift + i, present));
        storePart(v, present, y + i);
    }
}

// `count` columns next to each other, whose elements lie `inner` floats apart.
void layerNormColumns(const LayerNormShape& shape, const float* x, std::int64_t count,
                      const float* scale, const float* shift, float* y)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const FloatVec share = splat(1.0F / static_cast<float>(shape.width));
    const FloatVec zero = splat(0.0F);
    for (std::int64_t column = 0; column < count; column += lanes) {
        const std::int64_t present = std::min(lanes, count - column);
        const auto load = [&](std::int64_t i)
                              HWY_ATTR { return loadPart(x + i * shape.inner + column, present); };
        FloatVec mean = zero;
        for (std::int64_t i = 0; i < shape.width && !shape.rootMeanSquare; ++i)
            mean = hn::Add(mean, load(i));
        mean = hn::Mul(mean, share);
        FloatVec squares = zero;
        for (std::int64_t i = 0; i < shape.width; ++i) {
            const FloatVec c = hn::Sub(load(i), mean);
            squares = hn::MulAdd(c, c, squares);
        }
        const FloatVec root = hn::Sqrt(hn::MulAdd(squares, share, splat(shape.epsilon)));
        const FloatVec factor = hn::Div(splat(1.0F), root);
        for (std::int64_t i = 0; i < shape.width; ++i) {
            FloatVec v = hn::Mul(hn::Sub(load(i), mean), factor);
            if (scale)
                v = hn::Mul(v, splat(scale[i]));
            if (shift)
                v = hn::Add(v, splat(shift[i]));
            storePart(v, present, y + i * shape.inner + column);
        }
    }
}

void addRow(const float* a, const float* b, std::int64_t count, float* to)
{
    zipRow(a, b, count, to, [](FloatVec x, FloatVec y) HWY_ATTR { return hn::Add(x, y); });
}

// One group: `channels` planes of `spatial` floats.
void groupNormRow(const float* x, std::int64_t channels, std::int64_t spatial, float epsilon,
                  const float* scale, const float* shift, float* y)
{
    const Moments moments = momentsOf(x, channels * spatial, epsilon, true);
    for (std::int64_t c = 0; c < channels; ++c) {
        const float factor = moments.scale * (scale ? scale[c] : 1.0F);
        const FloatVec a = splat(factor);
        const FloatVec m = splat(moments.mean);
        const FloatVec b = splat(shift ? shift[c] : 0.0F);
        mapRow(x + c * spatial, spatial, y + c * spatial,
               [=](FloatVec v) HWY_ATTR { return hn::MulAdd(hn::Sub(v, m), a, b); });
    }
}

// `count` positions of channel c of an image whose planes are `spatial` floats apart.
void lrnRow(const LrnShape& shape, const float* image, std::int64_t c, std::int64_t first,
            std::int64_t count, float* to)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t spatial = shape.image.spatial;
    const std::int64_t begin = std::max<std::int64_t>(0, c - (shape.size - 1) / 2);
    const std::int64_t end = std::min(shape.image.channels, c + shape.size / 2 + 1);
    const FloatVec factor = splat(shape.alpha / static_cast<float>(shape.size));
    for (std::int64_t i = first; i < first + count; i += lanes) {
        const std::int64_t present = std::min(lanes, first + count - i);
        FloatVec squares = splat(0.0F);
        for (std::int64_t k = begin; k < end; ++k) {
            const FloatVec v = loadPart(image + k * spatial + i, present);
            squares = hn::MulAdd(v, v, squares);
        }
        const FloatVec base = hn::MulAdd(squares, factor, splat(shape.bias));
        FloatVec divisor;
        if (shape.beta == 0.75F) {
            const FloatVec root = hn::Sqrt(base);
            divisor = hn::Mul(root, hn::Sqrt(root));
        } else if (shape.beta == 0.5F) {
            divisor = hn::Sqrt(base);
        } else {
            divisor = expOf(hn::Mul(splat(shape.beta), logOf(base)));
        }
        const FloatVec x = loadPart(image + c * spatial + i, present);
        storePart(hn::Div(x, divisor), present, to + c * spatial + i);
    }
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(affineBlock);
HWY_EXPORT(affineRow);
HWY_EXPORT(softmaxRow);
HWY_EXPORT(softmaxColumns);
HWY_EXPORT(layerNormRow);
HWY_EXPORT(layerNormColumns);
HWY_EXPORT(addRow);
HWY_EXPORT(groupNormRow);
HWY_EXPORT(lrnRow);

namespace {

constexpr std::int64_t kChunk = 4096; // floats

// An activation over `count` floats in place, whatever their number.
void activateRow(const ActivationSpec& activation, float* data, std::int64_t count)
{
    if (activation.kind == Activation::None)
        return;
    const ElementInstruction op{ElementOp::Activate, 0, 0, 0, activation};
    const std::int64_t lanes = blockLanes();
    const std::int64_t whole = count / lanes * lanes;
    evaluate(op, data, nullptr, nullptr, data, whole);
    if (whole == count)
        return;
    float rest[64] = {};
    std::copy(data + whole, data + count, rest);
    evaluate(op, rest, nullptr, nullptr, rest, lanes);
    std::copy_n(rest, count - whole, data + whole);
}

} // namespace

bool runChannelAffine(const ImageShape& shape, bool blocked, const float* scale, const float* shift,
                      const ActivationSpec& activation, const float* input, float* output,
                      ThreadPool& pool)
{
    const std::int64_t lanes = blocked ? blockLanes() : 1;
    const std::int64_t units = ceilDivide(shape.channels, lanes);
    const std::int64_t perChunk = std::max<std::int64_t>(1, kChunk / lanes);
    const std::int64_t parts = ceilDivide(shape.spatial, perChunk);
    const bool relu = activation.kind == Activation::Relu;
    return pool.parallelFor(shape.batch * units * parts, [&](std::int64_t chunk, int) {
        // Parts come first: threads share positions, not channels.
        const std::int64_t unit = chunk % units;
        const std::int64_t n = chunk / units % shape.batch;
        const std::int64_t begin = chunk / units / shape.batch * perChunk;
        const std::int64_t pixels = std::min(perChunk, shape.spatial - begin);
        const std::int64_t at = ((n * units + unit) * shape.spatial + begin) * lanes;
        if (blocked) {
            float affine[128];
            loadPrologue({scale, shift, false}, unit, shape.channels, static_cast<int>(lanes),
                         affine);
            HWY_DYNAMIC_DISPATCH(affineBlock)
            (input + at, pixels, affine, affine + lanes, relu, output + at);
        } else {
            HWY_DYNAMIC_DISPATCH(affineRow)
            (input + at, pixels, scale[unit], shift[unit], relu, output + at);
        }
        if (!relu)
            activateRow(activation, output + at, pixels * lanes);
    });
}

bool runSoftmax(std::int64_t outer, std::int64_t axis, std::int64_t inner, bool logarithm,
                const float* input, float* output, ThreadPool& pool)
{
    if (outer * axis * inner == 0)
        return !pool.stopped();
    if (inner == 1) {
        const std::int64_t rows = std::max<std::int64_t>(1, kChunk / axis);
        return pool.parallelFor(ceilDivide(outer, rows), [&](std::int64_t chunk, int) {
            for (std::int64_t r = chunk * rows; r < std::min(outer, (chunk + 1) * rows); ++r)
                HWY_DYNAMIC_DISPATCH(softmaxRow)
            (input + r * axis, axis, logarithm, output + r * axis);
        });
    }
    constexpr std::int64_t kColumns = 64;
    const std::int64_t parts = ceilDivide(inner, kColumns);
    return pool.parallelFor(outer * parts, [&](std::int64_t chunk, int) {
        const std::int64_t column = chunk % parts * kColumns;
        const std::int64_t at = chunk / parts * axis * inner + column;
        HWY_DYNAMIC_DISPATCH(softmaxColumns)
        (input + at, axis, inner, std::min(kColumns, inner - column), logarithm, output + at);
    });
}

bool runLayerNorm(const LayerNormShape& shape, const float* input, const float* residual,
                  const float* scale, const float* shift, float* output, float* sum,
                  ThreadPool& pool)
{
    if (shape.rows * shape.width * shape.inner == 0)
        return !pool.stopped();
    if (shape.inner > 1) {
        const std::int64_t all = shape.rows * shape.width * shape.inner;
        if (residual) {
            float* const to = sum ? sum : output;
            const bool ran = pool.parallelFor(ceilDivide(all, kChunk), [&](std::int64_t chunk, int) {
                const std::int64_t at = chunk * kChunk;
                HWY_DYNAMIC_DISPATCH(addRow)
                (input + at, residual + at, std::min(kChunk, all - at), to + at);
            });
            if (!ran)
                return false;
            input = to;
        }
        constexpr std::int64_t kColumns = 64;
        const std::int64_t parts = ceilDivide(shape.inner, kColumns);
        return pool.parallelFor(shape.rows * parts, [&](std::int64_t chunk, int) {
            const std::int64_t column = chunk % parts * kColumns;
            const std::int64_t at = chunk / parts * shape.width * shape.inner + column;
            HWY_DYNAMIC_DISPATCH(layerNormColumns)
            (shape, input + at, std::min(kColumns, shape.inner - column), scale, shift,
             output + at);
        });
    }
    const std::int64_t rows = std::max<std::int64_t>(1, kChunk / shape.width);
    return pool.parallelFor(ceilDivide(shape.rows, rows), [&](std::int64_t chunk, int) {
        for (std::int64_t r = chunk * rows; r < std::min(shape.rows, (chunk + 1) * rows); ++r) {
            const std::int64_t at = r * shape.width;
            const std::int64_t row = shape.residualRows > 0 ? r % shape.residualRows : r;
            HWY_DYNAMIC_DISPATCH(layerNormRow)
            (shape, input + at, residual ? residual + row * shape.width : nullptr, scale, shift,
             output + at, sum ? sum + at : nullptr);
        }
    });
}

bool runGroupNorm(const ImageShape& shape, std::int64_t groups, float epsilon, const float* scale,
                  const float* shift, const ActivationSpec& activation, const float* input,
                  float* output, ThreadPool& pool)
{
    if (shape.batch * shape.channels * shape.spatial == 0)
        return !pool.stopped();
    const std::int64_t channels = shape.channels / groups;
    return pool.parallelFor(shape.batch * groups, [&](std::int64_t chunk, int) {
        const std::int64_t first = chunk % groups * channels;
        const std::int64_t at = chunk * channels * shape.spatial;
        HWY_DYNAMIC_DISPATCH(groupNormRow)
        (input + at, channels, shape.spatial, epsilon, scale ? scale + first : nullptr,
         shift ? shift + first : nullptr, output + at);
        activateRow(activation, output + at, channels * shape.spatial);
    });
}

bool runLrn(const LrnShape& shape, const float* input, float* output, ThreadPool& pool)
{
    constexpr std::int64_t kPositions = 512;
    const std::int64_t parts = ceilDivide(shape.image.spatial, kPositions);
    const std::int64_t image = shape.image.channels * shape.image.spatial;
    return pool.parallelFor(shape.image.batch * parts, [&](std::int64_t chunk, int) {
        const std::int64_t at = chunk / parts * image;
        const std::int64_t first = chunk % parts * kPositions;
        for (std::int64_t c = 0; c < shape.image.channels; ++c)
            HWY_DYNAMIC_DISPATCH(lrnRow)
        (shape, input + at, c, first, std::min(kPositions, shape.image.spatial - first),
         output + at);
    });
}

} // namespace fusescope::kernels
#endif
