#include "ops/convolution/conv.h"
#include "ops/convolution/convolve.h"

#include <algorithm>
#include <limits>

namespace fusescope {

namespace {

// The pads and output sizes by the standard's formulas.
Result<Sizes> resolve(const KernelContext& context, Window& window, const Sizes& input)
{
    const std::size_t rank = window.rank();
    const auto padding = context.attributes().getInts("output_padding").value_or(Sizes(rank, 0));
    auto wanted = context.attributes().getInts("output_shape");
    if (wanted && wanted->size() == rank + 2)
        wanted->erase(wanted->begin(), wanted->begin() + 2);
    if (padding.size() != rank)
        return context.wrong(wrongAttribute("output_padding", std::to_string(rank) + " numbers",
                                            std::to_string(padding.size())));
    if (wanted && !wanted->empty() && wanted->size() != rank)
        return context.wrong(wrongAttribute("output_shape", std::to_string(rank) + " numbers",
                                            std::to_string(wanted->size())));
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto isSize = [](std::int64_t size) { return size >= 0 && size <= most; };
    if (!std::ranges::all_of(padding, isSize))
        return context.wrong(wrongAttribute("output_padding", ">= 0, < 2^31", shapeText(padding)));
    if (wanted && !std::ranges::all_of(*wanted, isSize))
        return context.wrong(wrongAttribute("output_shape", ">= 0, < 2^31", shapeText(*wanted)));
    if (const auto limit = mostOutputPadding(window, padding))
        return context.wrong(wrongAttribute("output_padding", "<= " + std::to_string(*limit),
                                            shapeText(padding)));
    const bool upper = window.autoPad == Window::AutoPad::sameUpper;
    const bool same = upper || window.autoPad == Window::AutoPad::sameLower;
    Sizes output(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t full =
            window.strides[i] * (input[i] - 1) + padding[i] + window.extent(i);
        if ((wanted && !wanted->empty()) || same) {
            output[i] = wanted && !wanted->empty() ? (*wanted)[i] : input[i] * window.strides[i];
            const std::int64_t total = std::max<std::int64_t>(0, full - output[i]);
            window.padBegin[i] = upper ? total / 2 : total - total / 2;
            window.padEnd[i] = total - window.padBegin[i];
        } else {
            output[i] = full - window.padBegin[i] - window.padEnd[i];
        }
        if (output[i] < 0)
            return context.wrong(Message("ops.window-too-large", {{"shape", shapeText(input)}}));
    }
    return output;
}

template <class T>
Result<void> transposed(KernelContext& context, const ConvolutionShape& shape, const Tensor& x,
                        const Tensor& w, const Tensor* bias, std::int64_t groups, Tensor& y)
{
    const auto xs = x.aligned<T>();
    const auto ws = w.aligned<T>();
    T* out = y.mutableElements<T>();
    const std::int64_t channels = x.shape()[1], perGroup = channels / groups;
    const std::int64_t filters = w.shape()[1];
    const std::int64_t plane = productOf(shape.input), outPlane = productOf(shape.output);
    const std::int64_t taps = productOf(shape.window.kernel);
    std::vector<double> sum(static_cast<std::size_t>(outPlane));
    std::vector<double> source(static_cast<std::size_t>(perGroup * plane));
    for (std::int64_t n = 0; n < x.shape()[0]; ++n) {
        for (std::int64_t g = 0; g < groups; ++g) {
            const std::int64_t first = (n * channels + g * perGroup) * plane;
            for (std::int64_t i = 0; i < perGroup * plane; ++i)
                source[static_cast<std::size_t>(i)] =
                    static_cast<double>(widen(xs[static_cast<std::size_t>(first + i)]));
            for (std::int64_t f = 0; f < filters; ++f) {
                if (context.stopRequested())
                    return cancelled();
                const std::int64_t m = g * filters + f;
                std::fill(sum.begin(), sum.end(), bias ? bias->asDouble(m) : 0.0);
                for (std::int64_t c = 0; c < perGroup; ++c) {
                    const std::int64_t base = ((g * perGroup + c) * filters + f) * taps;
                    forEachTap(shape.window.kernel, [&](std::int64_t k, auto tap) {
                        const double weight =
                            static_cast<double>(widen(ws[static_cast<std::size_t>(base + k)]));
                        forEachTapRun(shape, shape.input, shape.output, tap,
                                      [&](std::int64_t i, std::int64_t o, std::int64_t count,
                                          std::int64_t step) {
                                          const double* from = source.data() + c * plane + i;
                                          double* to = sum.data() + o;
                                          for (std::int64_t j = 0; j < count; ++j)
                                              to[j * step] += weight * from[j];
                                      });
                    });
                }
                T* row = out + (n * groups * filters + m) * outPlane;
                for (std::int64_t i = 0; i < outPlane; ++i)
                    row[i] = narrow<T>(sum[static_cast<std::size_t>(i)]);
            }
        }
    }
    return {};
}

} // namespace

Result<void> runConvTranspose(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, context.tensor(1));
    const Tensor* bias = context.optionalTensor(2);
    FUSESCOPE_TRY(requireRank(context, *x, 0, 3));
    FUSESCOPE_TRY(requireRank(context, *w, 1, static_cast<int>(x->rank()),
                              static_cast<int>(x->rank())));
    const std::int64_t groups = context.attributes().getInt("group", 1);
    if (groups < 1 || x->shape()[1] % groups != 0 || w->shape()[0] != x->shape()[1] ||
        w->dtype() != x->dtype())
        return context.wrong(Message("ops.conv-channels", {{"channels", x->shape()[1]},
                                                           {"weights", shapeText(w->shape())},
                                                           {"groups", groups}}));
    const std::int64_t filters = w->shape()[1] * groups;
    FUSESCOPE_TRY(requireCount(context, bias, 2, filters));
    ConvolutionShape shape;
    FUSESCOPE_ASSIGN(shape.window, readWindow(context.attributes(),
                                              Sizes(w->shape().begin() + 2, w->shape().end())));
    shape.input.assign(x->shape().begin() + 2, x->shape().end());
    FUSESCOPE_ASSIGN(shape.output, resolve(context, shape.window, shape.input));
    Sizes sizes = {x->shape()[0], filters};
    sizes.insert(sizes.end(), shape.output.begin(), shape.output.end());
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), std::move(sizes)));
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() {
        return transposed<T>(context, shape, *x, *w, bias, groups, y);
    }));
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
