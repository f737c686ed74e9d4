#include "model/element_text.h"
#include "ops/casting/casting.h"
#include "ops/element_map.h"

#include <fmt/format.h>

#include <charconv>

namespace fusescope::casting {

namespace {

// To E8M0, a bare exponent: 2^(bits - 127), 255 is NaN.
std::uint8_t toExponent(double value, const CastRules& rules)
{
    constexpr std::uint8_t nan = 255;
    constexpr int greatest = 254;
    if (std::isnan(value) || value < 0.0)
        return nan;
    if (value == 0.0)
        return rules.saturate ? 0 : nan;
    if (std::isinf(value))
        return rules.saturate ? greatest : nan;
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent) * 2.0; // in [1, 2)
    exponent += 126;
    if (rules.roundMode == "up" ? mantissa > 1.0 : rules.roundMode == "nearest" && mantissa >= 1.5)
        ++exponent;
    if (exponent > greatest)
        return rules.saturate ? greatest : nan;
    if (exponent < 0)
        return rules.saturate ? 0 : nan;
    return static_cast<std::uint8_t>(exponent);
}

// As Python writes numbers: the shortest digits that read back, with a point in whole ones.
template <class T>
std::string floatText(T value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

std::string textOf(const Tensor& tensor, std::int64_t i)
{
    switch (tensor.dtype()) {
    case DType::float64:
        return floatText(tensor.load<double>(i));
    case DType::float16:
    case DType::bfloat16: {
        // The shortest digits that give the same bits when read as this type.
        const double value = tensor.asDouble(i);
        for (int digits = 1; digits < 9 && std::isfinite(value); ++digits) {
            const std::string written = fmt::format("{:.{}g}", value, digits);
            double read = 0;
            std::from_chars(written.data(), written.data() + written.size(), read);
            const bool same = tensor.dtype() == DType::float16
                                  ? float16FromDouble(read).bits == tensor.load<Float16>(i).bits
                                  : bfloat16FromDouble(read).bits == tensor.load<BFloat16>(i).bits;
            if (same)
                return floatText(read);
        }
        return floatText(value);
    }
    case DType::boolean:
        return tensor.asInt(i) != 0 ? "True" : "False";
    default:
        if (isFloatingPoint(tensor.dtype()))
            return floatText(static_cast<float>(tensor.asDouble(i)));
        return integerText(tensor, i);
    }
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view spaces = " \t\r\n";
    const auto first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::optional<double> numberOf(std::string_view text)
{
    text = trimmed(text);
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {
        const bool tiny = text.find("e-") != text.npos || text.find("E-") != text.npos;
        const double sign = text.front() == '-' ? -1.0 : 1.0;
        return sign * (tiny ? 0.0 : std::numeric_limits<double>::infinity());
    }
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(value)
               : std::nullopt;
}

template <class I>
std::optional<I> wholeNumber(std::string_view text)
{
    I value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return isWhole ? std::optional(value) : std::nullopt;
}

Result<void> parseInto(const KernelContext& c, const Tensor& input, Tensor& output)
{
    for (std::int64_t i = 0; i < input.elementCount(); ++i) {
        const std::string_view text = trimmed(input.loadString(i));
        if (isInteger(output.dtype())) {
            std::optional<std::int64_t> whole = wholeNumber<std::int64_t>(text);
            if (!whole && output.dtype() == DType::uint64)
                whole = static_cast<std::optional<std::int64_t>>(wholeNumber<std::uint64_t>(text));
            if (whole) {
                output.storeInt(i, *whole);
                continue;
            }
        }
        const auto value = numberOf(text);
        if (!value)
            return c.wrong({"ops.not-a-number", {{"text", std::string(text)}}});
        if (output.dtype() == DType::boolean)
            output.storeInt(i, *value != 0.0 ? 1 : 0);
        else
            output.store(i, *value);
    }
    return {};
}

template <class To, class From>
To converted(From from)
{
    const auto value = widen(from);
    if constexpr (std::is_same_v<To, Bool8>)
        return narrow<Bool8>(value != decltype(value)(0));
    else if constexpr (std::is_integral_v<To> && isFloatElement<From>)
        return saturatingInteger<To>(static_cast<double>(value));
    else
        return narrow<To>(value);
}

void storeOther(const Tensor& input, Tensor& output, const CastRules& rules)
{
    const DType to = output.dtype();
    const bool fromFloat = isFloatingPoint(input.dtype());
    const bool isNarrow = bitsOf(to) == 8 && isFloatingPoint(to);
    for (std::int64_t i = 0; i < input.elementCount(); ++i) {
        if (to == DType::float8e8m0)
            output.mutableElements<std::uint8_t>()[i] = toExponent(input.asDouble(i), rules);
        else if (isNarrow)
            output.mutableElements<std::uint8_t>()[i] =
                narrowFromDouble(to, input.asDouble(i), rules.saturate);
        else if (to == DType::boolean)
            output.storeInt(i, input.asDouble(i) != 0.0 ? 1 : 0);
        else if (fromFloat && isFloatingPoint(to) && std::isnan(input.asDouble(i)))
            output.store(i, bitsOf(to) < 8 ? -0.0 : input.asDouble(i)); // no NaN under eight bits
        else if (fromFloat)
            output.store(i, input.asDouble(i));
        else
            output.storeInt(i, input.asInt(i));
    }
}

} // namespace

Result<Tensor> castTensor(const KernelContext& c, const Tensor& input, DType type,
                          const CastRules& rules)
{
    if (type == input.dtype())
        return input;
    const auto isComplex = [](DType t) { return t == DType::complex64 || t == DType::complex128; };
    if (!isKnown(type) || isComplex(type) || isComplex(input.dtype()))
        return c.wrong(unsupportedType(c, isComplex(input.dtype()) ? input.dtype() : type));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, input.shape()));
    if (input.isString()) {
        FUSESCOPE_TRY(parseInto(c, input, output));
        return output;
    }
    if (type == DType::string) {
        for (std::int64_t i = 0; i < input.elementCount(); ++i)
            output.mutableStrings()[static_cast<std::size_t>(i)] = textOf(input, i);
        return output;
    }
    bool done = false;
    dispatchType(NumericAndBoolTypes{}, input.dtype(), [&]<class From>() {
        done = dispatchType(NumericAndBoolTypes{}, type, [&]<class To>() {
            const auto in = input.aligned<From>();
            To* out = output.mutableElements<To>();
            for (std::size_t i = 0; i < in.size(); ++i)
                out[i] = converted<To>(in[i]);
        });
    });
    if (!done)
        storeOther(input, output, rules);
    return output;
}

} // namespace fusescope::casting
