#include "ops/convolution/conv.h"
#include "ops/convolution/convolve.h"
#include "ops/infer_support.h"
#include "ops/quantization/quantization.h"
#include "ops/shape_messages.h"

namespace fusescope::quantization {

namespace {

// A scale and its zero point: one for all, or one for each row, column or filter.
struct Quantizer
{
    const Tensor* scale = nullptr;
    const Tensor* zero = nullptr;

    double scaleAt(std::int64_t i) const
    {
        return scale->asDouble(scale->elementCount() == 1 ? 0 : i);
    }
    double zeroAt(std::int64_t i) const
    {
        return zero->asDouble(zero->elementCount() == 1 ? 0 : i);
    }
};

// The quantizer of two inputs; each must hold 1 or `count` elements.
Result<Quantizer> quantizerOf(const KernelContext& c, std::size_t input, std::int64_t count)
{
    Quantizer quantizer;
    FUSESCOPE_ASSIGN(quantizer.scale, c.tensor(input));
    FUSESCOPE_ASSIGN(quantizer.zero, c.tensor(input + 1));
    for (const std::size_t i : {input, input + 1}) {
        const Tensor& tensor = i == input ? *quantizer.scale : *quantizer.zero;
        if (tensor.elementCount() != 1 && tensor.elementCount() != count)
            return c.wrong(
                wrongShape(i, "[" + std::to_string(count) + "]", shapeText(tensor.shape())));
    }
    return quantizer;
}

void storeQuantized(Tensor& output, std::int64_t i, double value, double zero)
{
    if (isInteger(output.dtype()))
        output.storeInt(
            i, static_cast<std::int64_t>(saturateTo(output.dtype(), std::nearbyint(value) + zero)));
    else
        output.store(i, value + zero);
}

Result<void> inferQLinearConv(InferenceContext& c)
{
    FUSESCOPE_ASSIGN(Shape shape, convShape(c, 0, 3));
    c.setTensor(0, c.dtype(7), std::move(shape));
    return {};
}

Result<void> runQLinearConv(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* x, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, c.tensor(3));
    FUSESCOPE_TRY(requireRank(c, *x, 0, 3));
    const int rank = static_cast<int>(x->rank());
    FUSESCOPE_TRY(requireRank(c, *w, 3, rank, rank));
    const std::int64_t filters = w->shape()[0];
    FUSESCOPE_ASSIGN(const Quantizer qx, quantizerOf(c, 1, 1));
    FUSESCOPE_ASSIGN(const Quantizer qw, quantizerOf(c, 4, filters));
    FUSESCOPE_ASSIGN(const Quantizer qy, quantizerOf(c, 6, 1));
    const Tensor* bias = c.optionalTensor(8);
    FUSESCOPE_TRY(requireCount(c, bias, 8, filters));
    const std::int64_t groups = c.attributes().getInt("group", 1);
    const std::int64_t channels = x->shape()[1];
    if (groups < 1 || filters % groups != 0)
        return c.wrong(wrongDivisor("group", filters, groups));
    if (w->shape()[1] * groups != channels)
        return c.wrong(wrongShape(3, "[M, " + std::to_string(channels) + " / group, …]",
                                  shapeText(w->shape())));
    ConvolutionShape shape;
    FUSESCOPE_ASSIGN(shape.window,
                     readWindow(c.attributes(), Sizes(w->shape().begin() + 2, w->shape().end())));
    shape.input.assign(x->shape().begin() + 2, x->shape().end());
    const auto output = resolveWindow(shape.window, shape.input);
    if (!output)
        return c.wrong(wrongShape(0, ">= kernel", shapeText(x->shape())));
    shape.output = *output;
    std::vector<std::int64_t> sizes{x->shape()[0], filters};
    sizes.insert(sizes.end(), output->begin(), output->end());
    FUSESCOPE_ASSIGN(Tensor y, c.allocate(qy.zero->dtype(), sizes));
    const std::int64_t perGroup = channels / groups;
    const std::int64_t plane = productOf(shape.input);
    const std::int64_t outPlane = productOf(shape.output);
    const std::int64_t taps = productOf(shape.window.kernel);
    std::vector<std::int64_t> from(static_cast<std::size_t>(perGroup * plane));
    std::vector<std::int64_t> weights(static_cast<std::size_t>(perGroup * taps));
    std::vector<std::int64_t> sum(static_cast<std::size_t>(outPlane));
    for (std::int64_t n = 0; y.elementCount() > 0 && n < x->shape()[0] * filters; ++n) {
        if (c.stopRequested())
            return cancelled();
        const std::int64_t m = n % filters;
        const std::int64_t group = m / (filters / groups);
        const std::int64_t first = (n / filters * channels + group * perGroup) * plane;
        const std::int64_t zeroX = qx.zero->asInt(0);
        const auto zeroW = static_cast<std::int64_t>(qw.zeroAt(m));
        for (std::size_t i = 0; i < from.size(); ++i)
            from[i] = x->asInt(first + static_cast<std::int64_t>(i)) - zeroX;
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] = w->asInt(m * perGroup * taps + static_cast<std::int64_t>(i)) - zeroW;
        std::ranges::fill(sum, bias ? bias->asInt(m) : 0);
        convolvePlanes(shape, from.data(), weights.data(), perGroup, sum.data());
        const double scale = qx.scaleAt(0) * qw.scaleAt(m) / qy.scaleAt(0);
        for (std::int64_t i = 0; i < outPlane; ++i)
            storeQuantized(y, n * outPlane + i,
                           static_cast<double>(sum[static_cast<std::size_t>(i)]) * scale,
                           qy.zeroAt(0));
    }
    c.setOutput(0, std::move(y));
    return {};
}

Result<void> inferQLinearMatMul(InferenceContext& c)
{
    const Shape& a = c.shape(0);
    const Shape& b = c.shape(3);
    if (!a.hasRank() || !b.hasRank() || a.rank() == 0 || b.rank() == 0) {
        c.setTensor(0, c.dtype(7), Shape::unranked());
        return {};
    }
    std::vector<Dim> left = a.dims();
    std::vector<Dim> right = b.dims();
    if (left.size() == 1)
        left.insert(left.begin(), 1);
    if (right.size() == 1)
        right.push_back(1);
    FUSESCOPE_TRY(wantMeet(c, left.back(), right[right.size() - 2], a.rank() - 1));
    const Shape batchA = Shape::of({left.begin(), left.end() - 2});
    const Shape batchB = Shape::of({right.begin(), right.end() - 2});
    const auto batch = broadcast(
        batchA, batchB, [&c](int axis) { return c.unknown(0, static_cast<std::size_t>(axis)); });
    if (!batch)
        return c.wrong(cannotBroadcast(3, batchB.text(), batchA.text()));
    std::vector<Dim> dims = batch->dims();
    if (a.rank() > 1)
        dims.push_back(left[left.size() - 2]);
    if (b.rank() > 1)
        dims.push_back(right.back());
    c.setTensor(0, c.dtype(7), Shape::of(std::move(dims)));
    return {};
}

Result<void> runQLinearMatMul(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* a, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* b, c.tensor(3));
    FUSESCOPE_TRY(requireRank(c, *a, 0, 1));
    FUSESCOPE_TRY(requireRank(c, *b, 3, 1));
    Sizes left = a->shape();
    Sizes right = b->shape();
    if (left.size() == 1)
        left.insert(left.begin(), 1);
    if (right.size() == 1)
        right.push_back(1);
    const std::int64_t rows = left[left.size() - 2];
    const std::int64_t depth = left.back();
    const std::int64_t columns = right.back();
    const Sizes batchA(left.begin(), left.end() - 2);
    const Sizes batchB(right.begin(), right.end() - 2);
    const auto batch = broadcastSizes(batchA, batchB);
    if (right[right.size() - 2] != depth)
        return c.wrong(innerSizesDiffer(3, shapeText(b->shape()), shapeText(a->shape())));
    if (!batch)
        return c.wrong(cannotBroadcast(3, shapeText(batchB), shapeText(batchA)));
    FUSESCOPE_ASSIGN(const Quantizer qa, quantizerOf(c, 1, rows));
    FUSESCOPE_ASSIGN(const Quantizer qb, quantizerOf(c, 4, columns));
    FUSESCOPE_ASSIGN(const Quantizer qy, quantizerOf(c, 6, rows));
    Sizes shape = *batch;
    if (a->rank() > 1)
        shape.push_back(rows);
    if (b->rank() > 1)
        shape.push_back(columns);
    FUSESCOPE_ASSIGN(Tensor y, c.allocate(qy.zero->dtype(), shape));
    forEachRun<2>(
        *batch, {broadcastStrides(batchA, *batch), broadcastStrides(batchB, *batch)},
        [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
            for (std::int64_t j = 0; j < count; ++j) {
                const std::int64_t fromA = (at[0] + j * step[0]) * rows * depth;
                const std::int64_t fromB = (at[1] + j * step[1]) * depth * columns;
                for (std::int64_t i = 0; i < rows * columns; ++i) {
                    const std::int64_t row = i / columns;
                    const std::int64_t column = i % columns;
                    double sum = 0.0; // exact: products of bytes stay far below 2^53
                    for (std::int64_t k = 0; k < depth; ++k)
                        sum += (a->asDouble(fromA + row * depth + k) - qa.zeroAt(row)) *
                               (b->asDouble(fromB + k * columns + column) - qb.zeroAt(column));
                    storeQuantized(y, (first + j) * rows * columns + i,
                                   sum * (qa.scaleAt(row) * qb.scaleAt(column) / qy.scaleAt(row)),
                                   qy.zeroAt(row));
                }
            }
        });
    c.setOutput(0, std::move(y));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "QLinearConv", 10, inferQLinearConv, runQLinearConv},
    {"", "QLinearMatMul", 10, inferQLinearMatMul, runQLinearMatMul},
};

} // namespace

std::span<const OpEntry> products()
{
    return entries;
}

} // namespace fusescope::quantization
