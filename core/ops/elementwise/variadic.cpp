#include "ops/element_map.h"
#include "ops/elementwise/elementwise.h"

namespace fusescope::elementwise {

namespace {

Result<void> inferVariadic(InferenceContext& c)
{
    for (std::size_t i = 1; i < c.inputCount(); ++i) {
        if (c.dtype(0) != DType::undefined && c.dtype(i) != DType::undefined &&
            c.dtype(i) != c.dtype(0))
            return c.wrong(
                wrongType(i, std::string(nameOf(c.dtype(0))), std::string(nameOf(c.dtype(i)))));
    }
    return inferBroadcastOf(c);
}

Result<void> inferMin(InferenceContext& c)
{
    FUSESCOPE_TRY(inferVariadic(c));
    propagateBinary(c, [](const Dim& a, const Dim& b) { return std::optional<Dim>(min(a, b)); });
    return {};
}

Result<void> inferMax(InferenceContext& c)
{
    FUSESCOPE_TRY(inferVariadic(c));
    propagateBinary(c, [](const Dim& a, const Dim& b) { return std::optional<Dim>(max(a, b)); });
    return {};
}

// Combines all inputs element by element: the first is taken as it is, `f` adds each other one, and
// `finish` gives the result. Versions before 8 know no broadcasting, which this includes.
template <class List, class F, class Finish>
Result<void> foldInputs(KernelContext& c, List list, F f, Finish finish)
{
    std::vector<const Tensor*> inputs;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Tensor* tensor, c.tensor(i));
        if (!inputs.empty() && tensor->dtype() != inputs[0]->dtype())
            return c.wrong(wrongType(i, std::string(nameOf(inputs[0]->dtype())),
                                     std::string(nameOf(tensor->dtype()))));
        inputs.push_back(tensor);
    }
    if (inputs.empty())
        return c.wrong(missingInput(0));
    FUSESCOPE_ASSIGN(const Sizes shape, broadcastTensors(c, inputs));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(inputs[0]->dtype(), shape));
    FUSESCOPE_TRY(dispatch(c, list, output.dtype(), [&]<class T>() -> Result<void> {
        using V = decltype(computeValue(T{}));
        std::vector<V> sums(static_cast<std::size_t>(output.elementCount()));
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const auto in = inputs[k]->template aligned<T>();
            forEachRun<1>(
                shape, {broadcastStrides(inputs[k]->shape(), shape)},
                [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                    for (std::int64_t j = 0; j < count; ++j) {
                        V& sum = sums[static_cast<std::size_t>(first + j)];
                        const V value = computeValue(in.data()[at[0] + j * step[0]]);
                        sum = k == 0 ? value : f(sum, value);
                    }
                });
        }
        T* out = output.template mutableElements<T>();
        for (std::size_t i = 0; i < sums.size(); ++i)
            out[i] = elementOf<T>(finish(sums[i], inputs.size()));
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

constexpr auto unchanged = [](auto v, std::size_t) { return v; };

Result<void> runMin(KernelContext& c)
{
    return foldInputs(
        c, NumericTypes{}, [](auto a, auto b) { return a != a || a < b ? a : b; }, unchanged);
}

Result<void> runMax(KernelContext& c)
{
    return foldInputs(
        c, NumericTypes{}, [](auto a, auto b) { return a != a || b < a ? a : b; }, unchanged);
}

Result<void> runSum(KernelContext& c)
{
    return foldInputs(
        c, FloatTypes{}, [](auto a, auto b) { return a + b; }, unchanged);
}

Result<void> runMean(KernelContext& c)
{
    return foldInputs(
        c, FloatTypes{}, [](auto a, auto b) { return a + b; },
        [](auto v, std::size_t n) { return v / static_cast<double>(n); });
}

constexpr OpEntry entries[] = {
    {"", "Min", 1, inferMin, runMin},
    {"", "Max", 1, inferMax, runMax},
    {"", "Sum", 1, inferVariadic, runSum},
    {"", "Mean", 1, inferVariadic, runMean},
};

} // namespace

std::span<const OpEntry> variadic()
{
    return entries;
}

} // namespace fusescope::elementwise
