#include "ops/convolution/conv.h"
#include "ops/convolution/convolve.h"
#include "ops/element_map.h"

#include <cmath>

namespace fusescope {

namespace {

// A plane at a fractional position: multilinear in the neighbours, zero outside.
template <class Read>
double sampleAt(const Read& read, const Sizes& size, const std::vector<double>& position)
{
    const std::size_t rank = size.size();
    double total = 0;
    for (std::size_t corner = 0; corner < (std::size_t{1} << rank); ++corner) {
        double weight = 1;
        std::int64_t index = 0;
        bool inside = true;
        for (std::size_t axis = 0; axis < rank && inside; ++axis) {
            const double low = std::floor(position[axis]);
            const bool high = (corner >> axis & 1) != 0;
            const double at = low + (high ? 1 : 0);
            weight *= high ? position[axis] - low : 1 - (position[axis] - low);
            inside = at >= 0 && at < static_cast<double>(size[axis]);
            index = inside ? index * size[axis] + static_cast<std::int64_t>(at) : 0;
        }
        if (inside && weight != 0)
            total += weight * read(index);
    }
    return total;
}

Result<void> requireShape(const KernelContext& context, const Tensor* tensor, std::size_t input,
                          const Sizes& shape)
{
    if (tensor && tensor->shape() != shape)
        return context.wrong(wrongShape(input, shapeText(shape), shapeText(tensor->shape())));
    return {};
}

template <class T>
inline constexpr bool isComplexElement =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

} // namespace

Result<void> runDeformConv(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, context.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* offset, context.tensor(2));
    const Tensor* bias = context.optionalTensor(3);
    const Tensor* mask = context.optionalTensor(4);
    FUSESCOPE_TRY(requireRank(context, *x, 0, 3, 16));
    const auto rankOfX = static_cast<int>(x->rank());
    FUSESCOPE_TRY(requireRank(context, *w, 1, rankOfX, rankOfX));
    FUSESCOPE_TRY(requireRank(context, *offset, 2, rankOfX, rankOfX));
    ConvolutionShape shape;
    FUSESCOPE_ASSIGN(shape.window, readWindow(context.attributes(),
                                              Sizes(w->shape().begin() + 2, w->shape().end())));
    shape.input.assign(x->shape().begin() + 2, x->shape().end());
    const auto resolved = resolveWindow(shape.window, shape.input);
    const std::int64_t groups = context.attributes().getInt("group", 1);
    const std::int64_t offsetGroups = context.attributes().getInt("offset_group", 1);
    const std::int64_t batch = x->shape()[0], channels = x->shape()[1], filters = w->shape()[0];
    const std::int64_t taps = productOf(shape.window.kernel);
    const auto rank = static_cast<std::int64_t>(shape.window.rank());
    if (!resolved || groups < 1 || offsetGroups < 1 || filters % groups != 0 ||
        w->shape()[1] * groups != channels || channels % offsetGroups != 0)
        return context.wrong(Message("ops.conv-channels", {{"channels", channels},
                                                           {"weights", shapeText(w->shape())},
                                                           {"groups", groups}}));
    shape.output = *resolved;
    const std::int64_t plane = productOf(shape.input), outPlane = productOf(shape.output);
    Sizes shifts = {batch, offsetGroups * taps * rank};
    shifts.insert(shifts.end(), shape.output.begin(), shape.output.end());
    FUSESCOPE_TRY(requireShape(context, offset, 2, shifts));
    FUSESCOPE_TRY(requireCount(context, bias, 3, filters));
    shifts[1] = offsetGroups * taps;
    FUSESCOPE_TRY(requireShape(context, mask, 4, shifts));
    Sizes sizes = {batch, filters};
    sizes.insert(sizes.end(), shape.output.begin(), shape.output.end());
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), std::move(sizes)));
    const std::int64_t perGroup = channels / groups, filtersPerGroup = filters / groups;
    std::vector<double> sum(static_cast<std::size_t>(filters));
    std::vector<double> position(static_cast<std::size_t>(rank));
    for (std::int64_t n = 0; n < batch; ++n) {
        for (std::int64_t o = 0; o < outPlane; ++o) {
            if (context.stopRequested())
                return cancelled();
            for (std::int64_t f = 0; f < filters; ++f)
                sum[static_cast<std::size_t>(f)] = bias ? bias->asDouble(f) : 0.0;
            for (std::int64_t c = 0; c < channels; ++c) {
                const std::int64_t og = n * offsetGroups + c / (channels / offsetGroups);
                forEachTap(shape.window.kernel, [&](std::int64_t k, auto tap) {
                    std::int64_t rest = o;
                    for (std::int64_t a = rank; a-- > 0;) {
                        const auto axis = static_cast<std::size_t>(a);
                        const std::int64_t at = rest % shape.output[axis];
                        rest /= shape.output[axis];
                        position[axis] =
                            static_cast<double>(at * shape.window.strides[axis] -
                                                shape.window.padBegin[axis] +
                                                tap[axis] * shape.window.dilations[axis]) +
                            offset->asDouble(((og * taps + k) * rank + a) * outPlane + o);
                    }
                    double value = sampleAt(
                        [&](std::int64_t i) {
                            return x->asDouble((n * channels + c) * plane + i);
                        },
                        shape.input, position);
                    if (mask)
                        value *= mask->asDouble((og * taps + k) * outPlane + o);
                    const std::int64_t g = c / perGroup;
                    for (std::int64_t f = 0; f < filtersPerGroup; ++f) {
                        const std::int64_t m = g * filtersPerGroup + f;
                        sum[static_cast<std::size_t>(m)] +=
                            value * w->asDouble((m * perGroup + c % perGroup) * taps + k);
                    }
                });
            }
            for (std::int64_t f = 0; f < filters; ++f)
                y.store((n * filters + f) * outPlane + o, sum[static_cast<std::size_t>(f)]);
        }
    }
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> runCol2Im(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* image, context.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* block, context.tensor(2));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 3, 3));
    ConvolutionShape shape;
    FUSESCOPE_ASSIGN(shape.window, readWindow(context.attributes(), block->asInts()));
    shape.input = image->asInts(); // the image is what a convolution would read
    if (shape.input.size() != shape.window.rank())
        return context.wrong(wrongShape(1, shapeText(block->shape()), shapeText(image->shape())));
    if (!elementCountOf(shape.input))
        return context.wrong(wrongValue("image_shape", ">= 0, < 2^63", shapeText(shape.input)));
    const auto positions = resolveWindow(shape.window, shape.input);
    const std::int64_t taps = productOf(shape.window.kernel);
    if (!positions || x->shape()[1] % taps != 0 || productOf(*positions) != x->shape()[2])
        return context.wrong(Message("ops.windows", {{"found", shapeText(x->shape())}}));
    shape.output = *positions;
    const std::int64_t channels = x->shape()[1] / taps, columns = x->shape()[2];
    Sizes sizes = {x->shape()[0], channels};
    sizes.insert(sizes.end(), shape.input.begin(), shape.input.end());
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), std::move(sizes)));
    const std::int64_t plane = productOf(shape.input);
    constexpr auto types = NumericAndBoolTypes{} + Types<std::complex<float>, std::complex<double>>{};
    FUSESCOPE_TRY(dispatch(context, types, x->dtype(), [&]<class T>() -> Result<void> {
        using Sum = std::conditional_t<
            std::is_same_v<T, Bool8>, std::int64_t,
            std::conditional_t<isComplexElement<T>, std::complex<double>, Accumulator<T>>>;
        const auto xs = x->aligned<T>();
        T* out = y.mutableElements<T>();
        std::vector<Sum> sum(static_cast<std::size_t>(plane));
        for (std::int64_t nc = 0; nc < x->shape()[0] * channels; ++nc) {
            std::fill(sum.begin(), sum.end(), Sum{0});
            forEachTap(shape.window.kernel, [&](std::int64_t k, auto tap) {
                const std::int64_t base = (nc * taps + k) * columns;
                forEachTapRun(shape, shape.output, shape.input, tap,
                              [&](std::int64_t o, std::int64_t i, std::int64_t count,
                                  std::int64_t step) {
                                  for (std::int64_t j = 0; j < count; ++j) {
                                      Sum& to = sum[static_cast<std::size_t>(i + j * step)];
                                      to = wrappingAdd(to, static_cast<Sum>(widen(xs[
                                                               static_cast<std::size_t>(base + o +
                                                                                        j)])));
                                  }
                              });
            });
            for (std::int64_t i = 0; i < plane; ++i)
                out[nc * plane + i] = narrow<T>(sum[static_cast<std::size_t>(i)]);
        }
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

// A depthwise convolution along the last axis that sees only the past: `past_state` (zeros without
// it) stands before the input, and the last taps − 1 columns of both become `present_state`.
Result<void> runCausalConv(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, context.tensor(1));
    const Tensor* bias = context.optionalTensor(2);
    const Tensor* past = context.optionalTensor(3);
    FUSESCOPE_TRY(requireRank(context, *x, 0, 3, 3));
    FUSESCOPE_TRY(requireRank(context, *w, 1, 3, 3));
    const std::int64_t batch = x->shape()[0], channels = x->shape()[1], length = x->shape()[2];
    const std::int64_t taps = w->shape()[2], memory = taps - 1;
    if (w->shape()[0] != channels || w->shape()[1] != 1 || taps < 1)
        return context.wrong(wrongShape(1, "[" + std::to_string(channels) + ", 1, k >= 1]",
                                        shapeText(w->shape())));
    FUSESCOPE_TRY(requireCount(context, bias, 2, channels));
    if (past && past->shape() != Sizes{batch, channels, memory})
        return context.wrong(wrongShape(3, shapeText(Sizes{batch, channels, memory}),
                                        shapeText(past->shape())));
    const std::string activation = context.attributes().getString("activation", "none");
    const bool silu = activation == "silu" || activation == "swish";
    if (!silu && activation != "none" && !activation.empty())
        return context.wrong(wrongAttribute("activation", "none, silu, swish", activation));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), x->shape()));
    FUSESCOPE_ASSIGN(Tensor state, context.allocate(x->dtype(), {batch, channels, memory}));
    std::vector<double> line(static_cast<std::size_t>(memory + length));
    for (std::int64_t row = 0; row < batch * channels; ++row) {
        if (context.stopRequested())
            return cancelled();
        const std::int64_t c = row % channels;
        for (std::int64_t i = 0; i < memory; ++i)
            line[static_cast<std::size_t>(i)] = past ? past->asDouble(row * memory + i) : 0.0;
        for (std::int64_t i = 0; i < length; ++i)
            line[static_cast<std::size_t>(memory + i)] = x->asDouble(row * length + i);
        for (std::int64_t i = 0; i < length; ++i) {
            double sum = bias ? bias->asDouble(c) : 0.0;
            for (std::int64_t k = 0; k < taps; ++k)
                sum += line[static_cast<std::size_t>(i + k)] * w->asDouble(c * taps + k);
            y.store(row * length + i, silu ? sum / (1 + std::exp(-sum)) : sum);
        }
        for (std::int64_t i = 0; i < memory; ++i)
            state.store(row * memory + i, line[static_cast<std::size_t>(length + i)]);
    }
    context.setOutput(0, std::move(y));
    context.setOutput(1, std::move(state));
    return {};
}

} // namespace fusescope
