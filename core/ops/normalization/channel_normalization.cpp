#include "ops/normalization/normalization.h"

#include <cmath>

namespace fusescope {

namespace {

// Normalises rows of `length` elements; scale(row, i) and bias(row, i) follow.
template <class Scale, class Bias>
Result<void> normalizeChannels(KernelContext& context, const Tensor& x, std::int64_t rows,
                               std::int64_t length, double epsilon, const Scale& scale,
                               const Bias& bias)
{
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x.dtype(), x.shape()));
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x.dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x.aligned<T>();
        T* out = y.mutableElements<T>();
        // With no elements there may be any number of rows.
        for (std::int64_t r = 0; length > 0 && r < rows; ++r) {
            if (context.stopRequested())
                return cancelled();
            const T* from = xs.data() + r * length;
            double sum = 0, squares = 0;
            for (std::int64_t i = 0; i < length; ++i)
                sum += static_cast<double>(widen(from[i]));
            const double mean = sum / static_cast<double>(length);
            for (std::int64_t i = 0; i < length; ++i) {
                const double d = static_cast<double>(widen(from[i])) - mean;
                squares += d * d;
            }
            const double inverse = 1 / std::sqrt(squares / static_cast<double>(length) + epsilon);
            for (std::int64_t i = 0; i < length; ++i)
                out[r * length + i] =
                    narrow<T>((static_cast<double>(widen(from[i])) - mean) * inverse * scale(r, i) +
                              bias(r, i));
        }
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace

Result<void> runInstanceNormalization(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* scale, context.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* bias, context.tensor(2));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    const std::int64_t channels = x->shape()[1], rows = x->shape()[0] * channels;
    FUSESCOPE_TRY(requireCount(context, scale, 1, channels));
    FUSESCOPE_TRY(requireCount(context, bias, 2, channels));
    return normalizeChannels(
        context, *x, rows, rows ? x->elementCount() / rows : 0,
        context.attributes().getFloat("epsilon", 1e-5F),
        [&](std::int64_t r, std::int64_t) { return scale->asDouble(r % channels); },
        [&](std::int64_t r, std::int64_t) { return bias->asDouble(r % channels); });
}

// Up to 18 scale and bias have one entry a group, from 21 on one a channel.
Result<void> runGroupNormalization(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* scale, context.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* bias, context.tensor(2));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    const std::int64_t groups = context.attributes().getInt("num_groups", 0);
    const std::int64_t batch = x->shape()[0], channels = x->shape()[1];
    if (groups < 1 || channels % groups != 0)
        return context.wrong(wrongDivisor("num_groups", channels, groups));
    const bool perGroup = context.sinceVersion() < 21;
    const std::int64_t entries = perGroup ? groups : channels;
    FUSESCOPE_TRY(requireCount(context, scale, 1, entries));
    FUSESCOPE_TRY(requireCount(context, bias, 2, entries));
    const std::int64_t planes = batch * channels;
    const std::int64_t plane = planes > 0 ? x->elementCount() / planes : 1;
    const std::int64_t width = channels / groups;
    const auto entry = [&](const Tensor& t, std::int64_t r, std::int64_t i) {
        const std::int64_t group = r % groups;
        return t.asDouble(perGroup ? group : group * width + i / std::max<std::int64_t>(plane, 1));
    };
    return normalizeChannels(
        context, *x, channels > 0 ? batch * groups : 0, width * plane,
        context.attributes().getFloat("epsilon", 1e-5F),
        [&](std::int64_t r, std::int64_t i) { return entry(*scale, r, i); },
        [&](std::int64_t r, std::int64_t i) { return entry(*bias, r, i); });
}

Result<void> runLrn(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    const std::int64_t size = context.attributes().getInt("size", 0);
    if (size < 1)
        return context.wrong(wrongAttribute("size", "≥ 1", std::to_string(size)));
    const double alpha = context.attributes().getFloat("alpha", 1e-4F);
    const double beta = context.attributes().getFloat("beta", 0.75F);
    const double bias = context.attributes().getFloat("bias", 1.0F);
    const std::int64_t channels = x->shape()[1], planes = x->shape()[0] * channels;
    const std::int64_t plane = planes ? x->elementCount() / planes : 0;
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x->aligned<T>();
        T* out = y.mutableElements<T>();
        std::vector<double> squares(static_cast<std::size_t>(plane));
        for (std::int64_t p = 0; plane > 0 && p < planes; ++p) {
            if (context.stopRequested())
                return cancelled();
            const std::int64_t c = p % channels;
            const std::int64_t low = std::max<std::int64_t>(0, c - (size - 1) / 2);
            const std::int64_t high = std::min(channels - 1, c + size / 2);
            std::fill(squares.begin(), squares.end(), 0.0);
            for (std::int64_t k = low; k <= high; ++k) {
                const T* from = xs.data() + (p - c + k) * plane;
                for (std::size_t i = 0; i < squares.size(); ++i) {
                    const double v = static_cast<double>(widen(from[i]));
                    squares[i] += v * v;
                }
            }
            for (std::size_t i = 0; i < squares.size(); ++i) {
                const auto at = static_cast<std::size_t>(p * plane) + i;
                out[at] = narrow<T>(static_cast<double>(widen(xs[at])) /
                                    std::pow(bias + alpha / static_cast<double>(size) * squares[i],
                                             beta));
            }
        }
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> runLpNormalization(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(context, context.attributes().getInt("axis", -1), x->rank()));
    const std::int64_t p = context.attributes().getInt("p", 2);
    if (p != 1 && p != 2)
        return context.wrong(wrongAttribute("p", "1 or 2", std::to_string(p)));
    const std::span<const std::int64_t> shape = x->shape();
    const std::int64_t length = shape[axis], inner = productOf(shape.subspan(axis + 1));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    for (std::int64_t o = 0; o < productOf(shape.first(axis)); ++o) {
        for (std::int64_t k = 0; k < inner; ++k) {
            double norm = 0;
            const auto at = [&](std::int64_t i) { return (o * length + i) * inner + k; };
            for (std::int64_t i = 0; i < length; ++i) {
                const double v = x->asDouble(at(i));
                norm += p == 1 ? std::abs(v) : v * v;
            }
            norm = p == 1 ? norm : std::sqrt(norm);
            for (std::int64_t i = 0; i < length; ++i)
                y.store(at(i), norm == 0 ? 0 : x->asDouble(at(i)) / norm);
        }
    }
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> runMeanVarianceNormalization(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    const auto axes = context.attributes().getInts("axes").value_or(Sizes{0, 2, 3});
    Sizes kept = x->shape();
    for (const std::int64_t a : axes) {
        FUSESCOPE_ASSIGN(const std::size_t axis, axisOf(context, a, x->rank()));
        kept[axis] = 1;
    }
    const auto groups = static_cast<std::size_t>(productOf(kept));
    std::vector<double> sums(groups), squares(groups);
    const double count =
        groups ? static_cast<double>(x->elementCount()) / static_cast<double>(groups) : 1;
    const std::array<Sizes, 1> strides = {broadcastStrides(kept, x->shape())};
    const auto each = [&](const auto& f) {
        forEachRun<1>(x->shape(), strides,
                      [&](std::int64_t first, std::int64_t run, const auto& at, const auto& step) {
                          for (std::int64_t j = 0; j < run; ++j)
                              f(first + j, static_cast<std::size_t>(at[0] + j * step[0]));
                      });
    };
    each([&](std::int64_t i, std::size_t group) { sums[group] += x->asDouble(i); });
    each([&](std::int64_t i, std::size_t group) {
        const double d = x->asDouble(i) - sums[group] / count;
        squares[group] += d * d;
    });
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    each([&](std::int64_t i, std::size_t group) {
        y.store(i, (x->asDouble(i) - sums[group] / count) /
                       (std::sqrt(squares[group] / count) + 1e-9));
    });
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
