#include "ops/pooling/pool.h"

#include "ops/broadcast.h"
#include "ops/families.h"

#include <cmath>

namespace fusescope {

namespace {

struct PoolCall
{
    Window window;
    Sizes input, output, outputSizes;
    std::int64_t planes = 0;
};

Result<PoolCall> readCall(const KernelContext& context, const Tensor& x)
{
    FUSESCOPE_TRY(requireRank(context, x, 0, 3));
    auto kernel = context.attributes().getInts("kernel_shape");
    if (!kernel || kernel->size() + 2 != x.rank())
        return context.wrong(wrongAttribute("kernel_shape",
                                            std::to_string(x.rank() - 2) + " numbers",
                                            std::to_string(kernel ? kernel->size() : 0)));
    PoolCall call;
    FUSESCOPE_ASSIGN(call.window, readWindow(context.attributes(), *std::move(kernel)));
    call.input.assign(x.shape().begin() + 2, x.shape().end());
    const auto output = resolveWindow(call.window, call.input);
    if (!output)
        return context.wrong(Message("ops.window-too-large", {{"shape", shapeText(x.shape())}}));
    call.output = *output;
    call.planes = x.shape()[0] * x.shape()[1];
    call.outputSizes = {x.shape()[0], x.shape()[1]};
    call.outputSizes.insert(call.outputSizes.end(), output->begin(), output->end());
    return call;
}

// Calls f(offset) for each element of the plane that the window at `position` covers; gives how many
// positions of the window stand in the input or its pads (what count_include_pad divides by).
template <class F>
std::int64_t forEachInWindow(const PoolCall& call, const Sizes& position, F&& f)
{
    const std::size_t rank = call.window.rank();
    std::int64_t padded = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t start =
            position[axis] * call.window.strides[axis] - call.window.padBegin[axis];
        const std::int64_t end = call.input[axis] + call.window.padEnd[axis];
        const std::int64_t dilation = call.window.dilations[axis];
        std::int64_t count = 0;
        for (std::int64_t k = 0; k < call.window.kernel[axis]; ++k)
            count += start + k * dilation < end ? 1 : 0;
        padded *= count;
    }
    const auto walk = [&](const auto& self, std::size_t axis, std::int64_t offset) -> void {
        if (axis == rank) {
            f(offset);
            return;
        }
        const std::int64_t start =
            position[axis] * call.window.strides[axis] - call.window.padBegin[axis];
        for (std::int64_t k = 0; k < call.window.kernel[axis]; ++k) {
            const std::int64_t at = start + k * call.window.dilations[axis];
            if (at >= 0 && at < call.input[axis])
                self(self, axis + 1, offset * call.input[axis] + at);
        }
    };
    walk(walk, 0, 0);
    return padded;
}

// Calls f(plane, index in the output plane, position) for every output.
template <class F>
Result<void> forEachOutput(const KernelContext& context, const PoolCall& call, F&& f)
{
    const std::int64_t count = productOf(call.output);
    for (std::int64_t plane = 0; plane < call.planes; ++plane) {
        if (context.stopRequested())
            return cancelled();
        Sizes position(call.output.size(), 0);
        for (std::int64_t i = 0; i < count; ++i) {
            f(plane, i, position);
            for (std::size_t axis = position.size(); axis-- > 0;) {
                if (++position[axis] < call.output[axis])
                    break;
                position[axis] = 0;
            }
        }
    }
    return {};
}

// The offset in a plane as the standard counts it: column major when asked so.
std::int64_t storedIndex(const PoolCall& call, std::int64_t offset, bool columnMajor)
{
    if (!columnMajor)
        return offset;
    std::int64_t index = 0, stride = 1;
    Sizes at(call.input.size());
    for (std::size_t axis = call.input.size(); axis-- > 0;) {
        at[axis] = offset % call.input[axis];
        offset /= call.input[axis];
    }
    for (std::size_t axis = 0; axis < call.input.size(); ++axis) {
        index += at[axis] * stride;
        stride *= call.input[axis];
    }
    return index;
}

Result<void> maxPool(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const PoolCall call, readCall(context, *x));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), call.outputSizes));
    Tensor indices;
    const bool wantsIndices = context.wantsOutput(1);
    if (wantsIndices) {
        FUSESCOPE_ASSIGN(indices, context.allocate(DType::int64, call.outputSizes));
    }
    const bool columnMajor = context.attributes().getInt("storage_order", 0) != 0;
    const std::int64_t plane = productOf(call.input), outPlane = productOf(call.output);
    FUSESCOPE_TRY(dispatch(context, NumericTypes{}, x->dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x->aligned<T>();
        T* out = y.mutableElements<T>();
        return forEachOutput(
            context, call, [&](std::int64_t p, std::int64_t o, const Sizes& position) {
                const T* from = xs.data() + p * plane;
                std::int64_t best = -1;
                forEachInWindow(call, position, [&](std::int64_t at) {
                    // A NaN wins, and the first of equals.
                    if (best < 0 || widen(from[at]) > widen(from[best]) ||
                        (widen(from[at]) != widen(from[at]) && widen(from[best]) == widen(from[best])))
                        best = at;
                });
                if (best >= 0) {
                    out[p * outPlane + o] = from[best];
                } else if constexpr (isFloatElement<T>) {
                    out[p * outPlane + o] =
                        narrow<T>(-std::numeric_limits<double>::infinity());
                } else {
                    out[p * outPlane + o] = std::numeric_limits<T>::lowest();
                }
                if (wantsIndices)
                    indices.mutableElements<std::int64_t>()[p * outPlane + o] =
                        best < 0 ? -1 : p * plane + storedIndex(call, best, columnMajor);
            });
    }));
    context.setOutput(0, std::move(y));
    if (wantsIndices)
        context.setOutput(1, std::move(indices));
    return {};
}

// Averages and p-norms: reduce(sum of map(x), elements, padded elements).
template <class Map, class Reduce>
Result<void> sumPool(KernelContext& context, const Map& map, const Reduce& reduce)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const PoolCall call, readCall(context, *x));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), call.outputSizes));
    const std::int64_t plane = productOf(call.input), outPlane = productOf(call.output);
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x->aligned<T>();
        T* out = y.mutableElements<T>();
        return forEachOutput(
            context, call, [&](std::int64_t p, std::int64_t o, const Sizes& position) {
                const T* from = xs.data() + p * plane;
                double sum = 0;
                std::int64_t count = 0;
                const std::int64_t padded = forEachInWindow(call, position, [&](std::int64_t at) {
                    sum += map(static_cast<double>(widen(from[at])));
                    ++count;
                });
                out[p * outPlane + o] = narrow<T>(reduce(sum, count, padded));
            });
    }));
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> averagePool(KernelContext& context)
{
    const bool includePad = context.attributes().getInt("count_include_pad", 0) != 0;
    return sumPool(
        context, [](double v) { return v; },
        [includePad](double sum, std::int64_t count, std::int64_t padded) {
            return sum / static_cast<double>(includePad ? padded : count);
        });
}

double exponentOf(const KernelContext& context)
{
    const Attribute* p = context.attributes().find("p");
    if (p && std::holds_alternative<float>(p->value))
        return std::get<float>(p->value);
    return static_cast<double>(context.attributes().getInt("p", 2));
}

Result<void> lpPool(KernelContext& context)
{
    const double p = exponentOf(context);
    return sumPool(
        context, [p](double v) { return std::pow(std::abs(v), p); },
        [p](double sum, std::int64_t, std::int64_t) { return std::pow(sum, 1 / p); });
}

// f(elements of one plane) for each plane.
template <class F>
Result<void> globalPool(KernelContext& context, F&& f)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    Sizes sizes(x->rank(), 1);
    sizes[0] = x->shape()[0];
    sizes[1] = x->shape()[1];
    const std::int64_t planes = sizes[0] * sizes[1];
    const std::int64_t plane = planes ? x->elementCount() / planes : 0;
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), std::move(sizes)));
    FUSESCOPE_TRY(dispatch(context, FloatTypes{}, x->dtype(), [&]<class T>() -> Result<void> {
        const auto xs = x->aligned<T>();
        for (std::int64_t p = 0; p < planes; ++p)
            y.mutableElements<T>()[p] = narrow<T>(f(xs.data() + p * plane, plane));
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> globalAverage(KernelContext& context)
{
    return globalPool(context, [](const auto* x, std::int64_t count) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += static_cast<double>(widen(x[i]));
        return sum / static_cast<double>(count);
    });
}

Result<void> globalMax(KernelContext& context)
{
    return globalPool(context, [](const auto* x, std::int64_t count) {
        double best = -std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < count; ++i) {
            const double v = static_cast<double>(widen(x[i]));
            if (v > best || std::isnan(v))
                best = v;
            if (std::isnan(v))
                break;
        }
        return best;
    });
}

Result<void> globalLp(KernelContext& context)
{
    const double p = exponentOf(context);
    return globalPool(context, [p](const auto* x, std::int64_t count) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += std::pow(std::abs(static_cast<double>(widen(x[i]))), p);
        return std::pow(sum, 1 / p);
    });
}

constexpr OpEntry table[] = {
    {"", "MaxPool", 1, inferPool, maxPool},
    {"", "AveragePool", 1, inferPool, averagePool},
    {"", "LpPool", 1, inferPool, lpPool},
    {"", "GlobalMaxPool", 1, inferGlobalPool, globalMax},
    {"", "GlobalAveragePool", 1, inferGlobalPool, globalAverage},
    {"", "GlobalLpPool", 1, inferGlobalPool, globalLp},
    {"", "MaxUnpool", 9, inferMaxUnpool, runMaxUnpool},
    {"", "MaxRoiPool", 1, inferMaxRoiPool, runMaxRoiPool},
};

} // namespace

namespace families {

std::span<const OpEntry> pooling()
{
    return table;
}

} // namespace families

} // namespace fusescope
