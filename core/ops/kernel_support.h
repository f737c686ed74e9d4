#pragma once

#include "ops/axes.h"
#include "ops/inference.h"
#include "ops/kernel.h"

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

// What all families of operators share: dispatch over element types, reading and writing elements,
// axes, and the errors that name what was expected and what was found.
namespace fusescope {

// A stored bool: any byte but 0 is true, so that bytes of a file are never an invalid bool.
struct Bool8
{
    std::uint8_t raw = 0;
    constexpr explicit operator bool() const { return raw != 0; }
};
template <> constexpr DType dtypeOf<Bool8>() { return DType::boolean; }

template <class... Ts>
struct Types
{
};
template <class... As, class... Bs>
constexpr Types<As..., Bs...> operator+(Types<As...>, Types<Bs...>)
{
    return {};
}

using FloatTypes = Types<float, double, Float16, BFloat16>;
using SignedTypes = Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using UnsignedTypes = Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using IntegerTypes = decltype(SignedTypes{} + UnsignedTypes{});
using NumericTypes = decltype(FloatTypes{} + IntegerTypes{});
using NumericAndBoolTypes = decltype(NumericTypes{} + Types<Bool8>{});

// Arithmetic of an element type: narrow floats compute in float and round after each operation.
template <class T>
struct ComputeOf
{
    using type = T;
};
template <> struct ComputeOf<Float16> { using type = float; };
template <> struct ComputeOf<BFloat16> { using type = float; };
template <> struct ComputeOf<Bool8> { using type = bool; };
template <class T>
using Compute = typename ComputeOf<T>::type;

template <class T>
inline Compute<T> widen(T value)
{
    return value;
}
inline float widen(Float16 value) { return toFloat(value); }
inline float widen(BFloat16 value) { return toFloat(value); }
inline bool widen(Bool8 value) { return value.raw != 0; }

// Rounds once to the element type. From a floating number to an integer the caller has made sure
// that it fits; integers wrap.
template <class T, class C>
inline T narrow(C value)
{
    if constexpr (std::is_same_v<T, Float16>)
        return float16FromDouble(static_cast<double>(value));
    else if constexpr (std::is_same_v<T, BFloat16>)
        return bfloat16FromDouble(static_cast<double>(value));
    else if constexpr (std::is_same_v<T, Bool8>)
        return Bool8{static_cast<std::uint8_t>(static_cast<bool>(value) ? 1 : 0)};
    else
        return static_cast<T>(value);
}

template <class T>
inline constexpr bool isFloatElement = std::is_floating_point_v<Compute<T>>;

// What a long sum of T is kept in: double for floats, the wrapping 64-bit integer else.
template <class T>
using Accumulator =
    std::conditional_t<isFloatElement<T>, double,
                       std::conditional_t<std::is_unsigned_v<Compute<T>>, std::uint64_t, std::int64_t>>;

// Calls f.template operator()<T>() for the type of the list that `type` is: a generic lambda
// []<class T>() {…}. False when none is.
template <class... Ts, class F>
bool dispatchType(Types<Ts...>, DType type, F&& f)
{
    return ((type == dtypeOf<Ts>() ? (f.template operator()<Ts>(), true) : false) || ...);
}

Message unsupportedType(const KernelContext& context, DType type);

// As dispatchType, for f that gives a Result<void>; an error names a type that is not in the list.
template <class List, class F>
Result<void> dispatch(const KernelContext& context, List list, DType type, F&& f)
{
    Result<void> result;
    const bool known =
        dispatchType(list, type, [&]<class T>() { result = f.template operator()<T>(); });
    if (!known)
        return context.wrong(unsupportedType(context, type));
    return result;
}

// As normalizeAxis, with the error of a node; `inclusive` allows rank itself, as where an axis splits
// a shape.
Result<std::size_t> axisOf(const InferenceContext& context, std::int64_t axis, std::size_t rank,
                           bool inclusive = false);
Result<std::size_t> axisOf(const KernelContext& context, std::int64_t axis, std::size_t rank,
                           bool inclusive = false);

std::int64_t productOf(std::span<const std::int64_t> sizes);
// Row-major strides in elements.
std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> shape);
std::string shapeText(std::span<const std::int64_t> shape);

// Sentences that several families need; each is wrapped by context.wrong(…).
Message wrongRank(std::size_t input, std::string expected, std::size_t found);
Message wrongShape(std::size_t input, std::string expected, std::string found);
Message wrongType(std::size_t input, std::string expected, std::string found);
Message wrongAttribute(std::string name, std::string expected, std::string found);
Message missingAttribute(std::string name);
Message missingInput(std::size_t input);
Message wrongValue(std::string what, std::string expected, std::string found);
// A list, an attribute or an input, of another length.
Message wrongLength(std::string name, std::size_t expected, std::size_t found);
Message wrongDivisor(std::string attribute, std::int64_t of, std::int64_t found);
Message wrongSize(std::size_t input, std::size_t axis, std::string expected, std::string shape);
// An element of an input outside what it may be.
Message wrongElement(std::size_t input, std::string expected, std::int64_t found);
Message notSquare(std::size_t input, std::string shape);
// An inner graph that does not make what its node asks of it.
Message wrongBodyOutputs(std::string attribute, std::size_t expected, std::size_t found);

// Refuses a known rank outside [low, high]; high < 0 means no upper bound.
Result<void> requireRank(const InferenceContext& context, std::size_t input, int low, int high = -1);
Result<void> requireRank(const KernelContext& context, const Tensor& tensor, std::size_t input,
                         int low, int high = -1);
// Refuses a tensor, where there is one, that has another number of elements.
Result<void> requireCount(const KernelContext& context, const Tensor* tensor, std::size_t input,
                          std::int64_t count);

// Output i has the type and shape of input `from`.
void copyType(InferenceContext& context, std::size_t i = 0, std::size_t from = 0);
Result<void> inferSame(InferenceContext& context); // output 0 like input 0

} // namespace fusescope
