#pragma once

#include "ops/infer_support.h"

// Kernels that compute each element for itself. Floats of every width compute in double and are
// rounded once: for + - * / and sqrt of narrower types that is the correctly rounded result.
namespace fusescope {

// An element as the value that functions compute with.
template <class T>
auto computeValue(T element)
{
    if constexpr (isFloatElement<T>)
        return static_cast<double>(widen(element));
    else
        return widen(element);
}

// A computed value that a float or integer result of any width may have.
template <class T, class V>
T elementOf(V value)
{
    if constexpr (std::is_same_v<T, float>)
        return static_cast<float>(value);
    else
        return narrow<T>(value);
}

// out[i] = f(in[i]), of the same type.
template <class List, class F>
Result<void> mapElements(KernelContext& c, List list, F f)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
    FUSESCOPE_TRY(dispatch(c, list, input->dtype(), [&]<class T>() -> Result<void> {
        const auto in = input->template aligned<T>();
        T* out = output.template mutableElements<T>();
        for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = elementOf<T>(f(computeValue(in[i])));
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

// Operand 1 as versions before 7 broadcast it: its dimensions lie on those of operand 0 from `axis`
// on, or at the end.
Result<Tensor> legacyOperand(const KernelContext& c, const Tensor& a, const Tensor& b);
Result<void> inferLegacyBroadcast(InferenceContext& c, DType type);

// Inference of two operands of one type; `legacy` is the first version with today's broadcasting,
// `result` the element type of the result if it is another.
Result<void> inferBinary(InferenceContext& c, int legacy, DType result = DType::undefined);

struct BinaryOperands
{
    Tensor a, b;
    Sizes shape;
};
Result<BinaryOperands> binaryOperands(const KernelContext& c, int legacy);

// out[i] = f(a[i], b[i]) with broadcasting, both operands of one type. Out is the element type of
// the result, void for that of the operands; `legacy` as for inferBinary.
template <class Out, class List, class F>
Result<void> mapPairs(KernelContext& c, List list, int legacy, F f)
{
    FUSESCOPE_ASSIGN(const BinaryOperands operands, binaryOperands(c, legacy));
    const Tensor& a = operands.a;
    const Tensor& b = operands.b;
    if (b.dtype() != a.dtype())
        return c.wrong(
            wrongType(1, std::string(nameOf(a.dtype())), std::string(nameOf(b.dtype()))));
    DType type = a.dtype();
    if constexpr (!std::is_void_v<Out>)
        type = dtypeOf<Out>();
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, operands.shape));
    FUSESCOPE_TRY(dispatch(c, list, a.dtype(), [&]<class T>() -> Result<void> {
        using R = std::conditional_t<std::is_void_v<Out>, T, Out>;
        const auto x = a.template aligned<T>();
        const auto y = b.template aligned<T>();
        R* out = output.template mutableElements<R>();
        forEachRun<2>(
            operands.shape,
            {broadcastStrides(a.shape(), operands.shape),
             broadcastStrides(b.shape(), operands.shape)},
            [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                const T* px = x.data() + at[0];
                const T* py = y.data() + at[1];
                for (std::int64_t j = 0; j < count; ++j)
                    out[first + j] = elementOf<R>(
                        f(computeValue(px[j * step[0]]), computeValue(py[j * step[1]])));
            });
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

// Whether an integer tensor has a zero; the index of the first, else -1.
std::int64_t firstZero(const Tensor& tensor);

// Arithmetic that wraps for integers.
template <class V>
V wrappingAdd(V a, V b)
{
    if constexpr (std::is_integral_v<V>)
        return static_cast<V>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else
        return a + b;
}
template <class V>
V wrappingSub(V a, V b)
{
    if constexpr (std::is_integral_v<V>)
        return static_cast<V>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    else
        return a - b;
}
template <class V>
V wrappingMul(V a, V b)
{
    if constexpr (std::is_integral_v<V>)
        return static_cast<V>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else
        return a * b;
}

// A floating number as an integer type: NaN is 0, what is out of range saturates.
template <class I>
I saturatingInteger(double value)
{
    if (std::isnan(value))
        return 0;
    constexpr double low = static_cast<double>(std::numeric_limits<I>::min());
    constexpr double high = static_cast<double>(std::numeric_limits<I>::max());
    if (value <= low)
        return std::numeric_limits<I>::min();
    if (value >= high)
        return std::numeric_limits<I>::max();
    return static_cast<I>(value);
}

} // namespace fusescope
