#include "ops/element_map.h"
#include "ops/elementwise/elementwise.h"

namespace fusescope::elementwise {

namespace {

constexpr int legacy = 7; // the first version with multidirectional broadcasting

using Term = std::optional<Dim>;

Result<void> inferArithmetic(InferenceContext& c, Term (*f)(const Dim&, const Dim&))
{
    FUSESCOPE_TRY(inferBinary(c, legacy));
    propagateBinary(c, f);
    return {};
}

Result<void> inferAdd(InferenceContext& c)
{
    return inferArithmetic(c, [](const Dim& a, const Dim& b) -> Term { return a + b; });
}

Result<void> inferSub(InferenceContext& c)
{
    return inferArithmetic(c, [](const Dim& a, const Dim& b) -> Term { return a - b; });
}

Result<void> inferMul(InferenceContext& c)
{
    return inferArithmetic(c, [](const Dim& a, const Dim& b) -> Term { return a * b; });
}

// Integer division truncates: that is floordiv only where nothing is negative.
Term truncatedQuotient(const Dim& a, const Dim& b)
{
    if (provablyNonNegative(a) && provablyPositive(b))
        return floordiv(a, b);
    if (a.isConstant() && b.isConstant() && *b.constant() != 0 && *b.constant() != -1)
        return Dim(*a.constant() / *b.constant());
    return std::nullopt;
}

Result<void> inferDiv(InferenceContext& c)
{
    if (isFloatingPoint(c.dtype(0))) // the quotient need not be whole
        return inferBinary(c, legacy);
    FUSESCOPE_TRY(inferBinary(c, legacy));
    propagateBinary(c, [](const Dim& a, const Dim& b) -> Term {
        // A size that is divided by another one is used as if that were not 0.
        if (provablyNonNegative(a) && provablyNonNegative(b) && b != Dim(0))
            return floordiv(a, b);
        return truncatedQuotient(a, b);
    });
    return {};
}

Result<void> inferMod(InferenceContext& c)
{
    return inferArithmetic(c, [](const Dim& a, const Dim& b) -> Term {
        if (provablyNonNegative(a) && provablyPositive(b))
            return mod(a, b);
        return std::nullopt;
    });
}

Result<void> runAdd(KernelContext& c)
{
    return mapPairs<void>(c, NumericTypes{}, legacy,
                          [](auto a, auto b) { return wrappingAdd(a, b); });
}

Result<void> runSub(KernelContext& c)
{
    return mapPairs<void>(c, NumericTypes{}, legacy,
                          [](auto a, auto b) { return wrappingSub(a, b); });
}

Result<void> runMul(KernelContext& c)
{
    return mapPairs<void>(c, NumericTypes{}, legacy,
                          [](auto a, auto b) { return wrappingMul(a, b); });
}

// An integer divisor may not be 0 anywhere.
Result<void> refuseZeroDivisor(const KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* dividend, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* divisor, c.tensor(1));
    if (!isInteger(divisor->dtype()) || dividend->elementCount() == 0)
        return {};
    if (const std::int64_t zero = firstZero(*divisor); zero >= 0)
        return c.wrong({"ops.division-by-zero", {{"index", zero}}});
    return {};
}

Result<void> runDiv(KernelContext& c)
{
    FUSESCOPE_TRY(refuseZeroDivisor(c));
    return mapPairs<void>(c, NumericTypes{}, legacy, [](auto a, auto b) {
        using V = decltype(a);
        if constexpr (std::is_signed_v<V> && std::is_integral_v<V>)
            return b == V(-1) ? wrappingSub(V(0), a) : static_cast<V>(a / b);
        else
            return static_cast<V>(a / b);
    });
}

double floorMod(double a, double b)
{
    if (std::isinf(b) && std::isfinite(a))
        return a == 0.0 ? std::copysign(0.0, b) : std::signbit(a) == std::signbit(b) ? a : b;
    const double m = std::fmod(a, b);
    if (m == 0.0)
        return std::copysign(0.0, b);
    return (m < 0.0) != (b < 0.0) ? m + b : m;
}

Result<void> runMod(KernelContext& c)
{
    FUSESCOPE_TRY(refuseZeroDivisor(c));
    const bool truncates = c.attributes().getInt("fmod", 0) != 0;
    return mapPairs<void>(c, NumericTypes{}, legacy, [truncates](auto a, auto b) {
        using V = decltype(a);
        if constexpr (std::is_floating_point_v<V>) {
            return truncates ? std::fmod(a, b) : floorMod(a, b);
        } else {
            if constexpr (std::is_signed_v<V>) {
                if (b == V(-1))
                    return V(0);
                const auto m = static_cast<V>(a % b);
                return m != 0 && !truncates && (m < 0) != (b < 0) ? static_cast<V>(m + b) : m;
            } else {
                return static_cast<V>(a % b);
            }
        }
    });
}

Result<void> inferPow(InferenceContext& c)
{
    if (c.sinceVersion() < legacy)
        return inferLegacyBroadcast(c, c.dtype(0));
    return inferBroadcastOf(c, c.dtype(0));
}

// Powers of whole numbers wrap; a negative exponent leaves 0 but for 1 and -1.
template <class V>
V integerPower(V base, std::int64_t exponent)
{
    if (exponent < 0) {
        if (base == V(1))
            return base;
        if constexpr (std::is_signed_v<V>) {
            if (base == V(-1))
                return exponent % 2 == 0 ? V(1) : V(-1);
        }
        return V(0);
    }
    V result = 1;
    for (auto e = static_cast<std::uint64_t>(exponent); e != 0; e >>= 1) {
        if ((e & 1) != 0)
            result = wrappingMul(result, base);
        base = wrappingMul(base, base);
    }
    return result;
}

Result<void> runPow(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const BinaryOperands operands, binaryOperands(c, legacy));
    const Tensor& a = operands.a;
    const Tensor& b = operands.b;
    const bool floatExponent = isFloatingPoint(b.dtype());
    if (!floatExponent && !isInteger(b.dtype()))
        return c.wrong(unsupportedType(c, b.dtype()));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(a.dtype(), operands.shape));
    std::optional<std::int64_t> bad;
    FUSESCOPE_TRY(dispatch(c, NumericTypes{}, a.dtype(), [&]<class T>() -> Result<void> {
        const auto x = a.aligned<T>();
        T* out = output.mutableElements<T>();
        const auto power = [&](T base, std::int64_t i) {
            if constexpr (isFloatElement<T>) {
                return elementOf<T>(std::pow(computeValue(base), b.asDouble(i)));
            } else if (floatExponent) {
                return saturatingInteger<T>(std::pow(static_cast<double>(base), b.asDouble(i)));
            } else {
                const std::int64_t exponent = b.asInt(i);
                if (base == 0 && exponent < 0 && b.dtype() != DType::uint64)
                    bad = i;
                return integerPower<T>(base, b.dtype() == DType::uint64
                                                 ? std::max<std::int64_t>(exponent, 0)
                                                 : exponent);
            }
        };
        forEachRun<2>(
            operands.shape,
            {broadcastStrides(a.shape(), operands.shape),
             broadcastStrides(b.shape(), operands.shape)},
            [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                for (std::int64_t j = 0; j < count; ++j)
                    out[first + j] = power(x[static_cast<std::size_t>(at[0] + j * step[0])],
                                           at[1] + j * step[1]);
            });
        return {};
    }));
    if (bad)
        return c.wrong({"ops.negative-exponent", {{"index", *bad}}});
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Add", 1, inferAdd, runAdd},  {"", "Sub", 1, inferSub, runSub},
    {"", "Mul", 1, inferMul, runMul},  {"", "Div", 1, inferDiv, runDiv},
    {"", "Mod", 10, inferMod, runMod}, {"", "Pow", 1, inferPow, runPow},
};

} // namespace

std::span<const OpEntry> binary()
{
    return entries;
}

} // namespace fusescope::elementwise
