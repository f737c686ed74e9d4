#include "ops/convolution/conv.h"

#include "ops/convolution/convolve.h"
#include "ops/families.h"

namespace fusescope {

namespace {

// Shapes and attributes that Conv and ConvInteger share.
struct ConvCall
{
    ConvolutionShape shape;
    std::int64_t batch = 0, channels = 0, filters = 0, groups = 1;
    Sizes outputSizes;
};

Result<ConvCall> readCall(const KernelContext& context, const Tensor& x, const Tensor& w)
{
    FUSESCOPE_TRY(requireRank(context, x, 0, 3));
    FUSESCOPE_TRY(requireRank(context, w, 1, static_cast<int>(x.rank()),
                              static_cast<int>(x.rank())));
    ConvCall call;
    call.batch = x.shape()[0];
    call.channels = x.shape()[1];
    call.filters = w.shape()[0];
    call.groups = context.attributes().getInt("group", 1);
    if (call.groups < 1 || call.filters % call.groups != 0 ||
        w.shape()[1] * call.groups != call.channels)
        return context.wrong(Message("ops.conv-channels", {{"channels", call.channels},
                                                           {"weights", shapeText(w.shape())},
                                                           {"groups", call.groups}}));
    FUSESCOPE_ASSIGN(call.shape.window,
                     readWindow(context.attributes(), Sizes(w.shape().begin() + 2, w.shape().end())));
    call.shape.input.assign(x.shape().begin() + 2, x.shape().end());
    const auto output = resolveWindow(call.shape.window, call.shape.input);
    if (!output)
        return context.wrong(Message("ops.window-too-large", {{"shape", shapeText(x.shape())}}));
    call.shape.output = *output;
    call.outputSizes = {call.batch, call.filters};
    call.outputSizes.insert(call.outputSizes.end(), output->begin(), output->end());
    return call;
}

// finish(m, sum) rounds one output channel's sums into place.
template <class Acc, class Load, class Weight, class Start, class Finish>
Result<void> run(KernelContext& context, const ConvCall& call, const Load& load,
                 const Weight& weight, const Start& start, const Finish& finish)
{
    const std::int64_t perGroup = call.channels / call.groups;
    const std::int64_t filtersPerGroup = call.filters / call.groups;
    const std::int64_t plane = productOf(call.shape.input);
    const std::int64_t outPlane = productOf(call.shape.output);
    const std::int64_t taps = productOf(call.shape.window.kernel);
    if (outPlane == 0 || call.batch == 0)
        return {};
    const ConvolutionShape shape = flattened(call.shape);
    std::vector<Acc> x(static_cast<std::size_t>(perGroup * plane));
    std::vector<Acc> w(static_cast<std::size_t>(perGroup * taps));
    std::vector<Acc> sum(static_cast<std::size_t>(outPlane));
    for (std::int64_t n = 0; n < call.batch; ++n) {
        for (std::int64_t g = 0; g < call.groups; ++g) {
            const std::int64_t first = (n * call.channels + g * perGroup) * plane;
            for (std::int64_t i = 0; i < perGroup * plane; ++i)
                x[static_cast<std::size_t>(i)] = load(first + i);
            for (std::int64_t f = 0; f < filtersPerGroup; ++f) {
                if (context.stopRequested())
                    return cancelled();
                const std::int64_t m = g * filtersPerGroup + f;
                for (std::int64_t i = 0; i < perGroup * taps; ++i)
                    w[static_cast<std::size_t>(i)] = weight(m, m * perGroup * taps + i);
                std::fill(sum.begin(), sum.end(), start(m));
                convolvePlanes(shape, x.data(), w.data(), perGroup, sum.data());
                finish((n * call.filters + m) * outPlane, sum);
            }
        }
    }
    return {};
}

template <class T>
Result<void> convOf(KernelContext& context, const ConvCall& call, const Tensor& x, const Tensor& w,
                    const Tensor* bias, Tensor& y)
{
    const auto xs = x.aligned<T>();
    const auto ws = w.aligned<T>();
    T* out = y.mutableElements<T>();
    return run<double>(
        context, call,
        [&](std::int64_t i) { return static_cast<double>(widen(xs[static_cast<std::size_t>(i)])); },
        [&](std::int64_t, std::int64_t i) {
            return static_cast<double>(widen(ws[static_cast<std::size_t>(i)]));
        },
        [&](std::int64_t m) { return bias ? bias->asDouble(m) : 0.0; },
        [&](std::int64_t at, const std::vector<double>& sum) {
            for (std::size_t i = 0; i < sum.size(); ++i)
                out[at + static_cast<std::int64_t>(i)] = narrow<T>(sum[i]);
        });
}

Result<void> conv(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, context.tensor(1));
    const Tensor* bias = context.optionalTensor(2);
    FUSESCOPE_ASSIGN(const ConvCall call, readCall(context, *x, *w));
    for (const Tensor* other : {w, bias}) {
        if (other && other->dtype() != x->dtype())
            return context.wrong(wrongType(other == w ? 1 : 2, std::string(nameOf(x->dtype())),
                                           std::string(nameOf(other->dtype()))));
    }
    FUSESCOPE_TRY(requireCount(context, bias, 2, call.filters));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), call.outputSizes));
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() {
        return convOf<T>(context, call, *x, *w, bias, y);
    }));
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> convInteger(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, context.tensor(1));
    const Tensor* xZero = context.optionalTensor(2);
    const Tensor* wZero = context.optionalTensor(3);
    FUSESCOPE_ASSIGN(const ConvCall call, readCall(context, *x, *w));
    FUSESCOPE_TRY(requireCount(context, xZero, 2, 1));
    if (wZero && wZero->elementCount() != 1)
        FUSESCOPE_TRY(requireCount(context, wZero, 3, call.filters));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(DType::int32, call.outputSizes));
    auto* out = y.mutableElements<std::int32_t>();
    const std::int64_t shift = xZero ? xZero->asInt(0) : 0;
    FUSESCOPE_TRY(run<std::int64_t>(
        context, call, [&](std::int64_t i) { return x->asInt(i) - shift; },
        [&](std::int64_t m, std::int64_t i) {
            const std::int64_t zero =
                wZero ? wZero->asInt(wZero->elementCount() == 1 ? 0 : m) : 0;
            return w->asInt(i) - zero;
        },
        [](std::int64_t) { return std::int64_t{0}; },
        [&](std::int64_t at, const std::vector<std::int64_t>& sum) {
            for (std::size_t i = 0; i < sum.size(); ++i)
                out[at + static_cast<std::int64_t>(i)] = static_cast<std::int32_t>(sum[i]);
        }));
    context.setOutput(0, std::move(y));
    return {};
}

constexpr OpEntry table[] = {
    {"", "Conv", 1, inferConv, conv},
    {"", "ConvInteger", 10, inferConvInteger, convInteger},
    {"", "ConvTranspose", 1, inferConvTranspose, runConvTranspose},
    {"", "DeformConv", 19, inferDeformConv, runDeformConv},
    {"", "Col2Im", 18, inferCol2Im, runCol2Im},
    {"", "CausalConvWithState", 27, inferCausalConv, runCausalConv},
};

} // namespace

namespace families {

std::span<const OpEntry> convolution()
{
    return table;
}

} // namespace families

} // namespace fusescope
