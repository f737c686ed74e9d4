#include "model/float_types.h"

#include <bit>
#include <cmath>
#include <limits>

namespace fusescope {

namespace {

// A binary format: exponent and mantissa bits, exponent bias and what its top codes mean.
struct Format
{
    int exponentBits;
    int mantissaBits;
    int bias;
    bool hasInfinity;
    bool hasNan;          // the all-ones code (with the exponent all ones) is NaN
    bool onlyUnsignedZero; // the pattern of -0 is the one NaN
};

Format formatOf(DType type)
{
    switch (type) {
    case DType::float16:
        return {5, 10, 15, true, true, false};
    case DType::bfloat16:
        return {8, 7, 127, true, true, false};
    case DType::float8e4m3fn:
        return {4, 3, 7, false, true, false};
    case DType::float8e4m3fnuz:
        return {4, 3, 8, false, false, true};
    case DType::float8e5m2:
        return {5, 2, 15, true, true, false};
    case DType::float8e5m2fnuz:
        return {5, 2, 16, false, false, true};
    case DType::float6e2m3:
        return {2, 3, 1, false, false, false};
    case DType::float6e3m2:
        return {3, 2, 3, false, false, false};
    default: // float4e2m1
        return {2, 1, 1, false, false, false};
    }
}

std::uint32_t signBit(const Format& f)
{
    return 1U << (f.exponentBits + f.mantissaBits);
}

// The largest finite magnitude's code.
std::uint32_t largestCode(const Format& f)
{
    const std::uint32_t all = signBit(f) - 1;
    if (f.hasInfinity)
        return (((1U << f.exponentBits) - 2U) << f.mantissaBits) | ((1U << f.mantissaBits) - 1U);
    return f.hasNan ? all - 1 : all;
}

double decode(const Format& f, std::uint32_t bits)
{
    const bool negative = (bits & signBit(f)) != 0;
    const std::uint32_t code = bits & (signBit(f) - 1);
    const auto exponent = static_cast<int>(code >> f.mantissaBits);
    const auto mantissa = static_cast<int>(code & ((1U << f.mantissaBits) - 1U));
    const int topExponent = (1 << f.exponentBits) - 1;
    if (f.onlyUnsignedZero && negative && code == 0)
        return std::numeric_limits<double>::quiet_NaN();
    if (f.hasInfinity && exponent == topExponent) {
        if (mantissa != 0)
            return std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0);
        return negative ? -std::numeric_limits<double>::infinity()
                        : std::numeric_limits<double>::infinity();
    }
    if (!f.hasInfinity && f.hasNan && code == signBit(f) - 1)
        return std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0);
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, 1 - f.bias - f.mantissaBits)
                      : std::ldexp(mantissa + (1 << f.mantissaBits), exponent - f.bias - f.mantissaBits);
    return negative ? -magnitude : magnitude;
}

std::uint32_t nanCode(const Format& f, bool negative)
{
    if (f.onlyUnsignedZero)
        return signBit(f);
    const std::uint32_t sign = negative ? signBit(f) : 0;
    if (f.hasInfinity)
        return sign | (((1U << f.exponentBits) - 1U) << f.mantissaBits) |
               (1U << (f.mantissaBits - 1));
    if (f.hasNan)
        return sign | (signBit(f) - 1);
    return sign | largestCode(f); // no NaN in the format: the largest value, by OCP's rule
}

std::uint32_t encode(const Format& f, double value, bool saturate)
{
    const bool negative = std::signbit(value);
    if (std::isnan(value))
        return nanCode(f, negative);
    const std::uint32_t sign = negative ? signBit(f) : 0;
    const double magnitude = std::fabs(value);
    std::uint32_t code = 0;
    bool overflow = std::isinf(magnitude);
    if (!overflow && magnitude > 0) {
        int exponent = std::ilogb(magnitude);
        exponent = std::max(exponent, 1 - f.bias);
        const double scaled = std::ldexp(magnitude, f.mantissaBits - exponent);
        // nearbyint under the default rounding mode is to nearest, ties to even.
        const double rounded = std::nearbyint(scaled);
        const double limit = std::ldexp(2.0, f.mantissaBits);
        if (rounded >= limit && exponent + 1 + f.bias >= (1 << f.exponentBits)) {
            overflow = true;
        } else {
            const auto mantissa = static_cast<std::uint32_t>(rounded);
            const auto hidden = 1U << f.mantissaBits;
            const std::int64_t whole =
                static_cast<std::int64_t>(exponent + f.bias - 1) * hidden + mantissa;
            overflow = whole > static_cast<std::int64_t>(largestCode(f));
            code = overflow ? 0 : static_cast<std::uint32_t>(whole);
        }
    }
    if (overflow) {
        if (f.hasInfinity && !saturate)
            return sign | (((1U << f.exponentBits) - 1U) << f.mantissaBits);
        if (!saturate && (f.hasNan || f.onlyUnsignedZero))
            return nanCode(f, negative);
        return sign | largestCode(f);
    }
    if (f.onlyUnsignedZero && code == 0)
        return 0;
    return sign | code;
}

} // namespace

float toFloat(Float16 value)
{
    const std::uint32_t sign = (value.bits & 0x8000U) << 16;
    const std::uint32_t exponent = (value.bits >> 10) & 0x1FU;
    const std::uint32_t mantissa = value.bits & 0x3FFU;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
}

float toFloat(BFloat16 value)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

Float16 float16FromDouble(double value)
{
    return {static_cast<std::uint16_t>(encode(formatOf(DType::float16), value, false))};
}

BFloat16 bfloat16FromDouble(double value)
{
    return {static_cast<std::uint16_t>(encode(formatOf(DType::bfloat16), value, false))};
}

double narrowToDouble(DType type, std::uint8_t bits)
{
    if (type == DType::float8e8m0) {
        return bits == 0xFF ? std::numeric_limits<double>::quiet_NaN()
                            : std::ldexp(1.0, static_cast<int>(bits) - 127);
    }
    return decode(formatOf(type), bits);
}

std::uint8_t narrowFromDouble(DType type, double value, bool saturate)
{
    if (type == DType::float8e8m0) {
        // A power of two without a sign; rounds the exponent to nearest, up on a tie.
        if (std::isnan(value))
            return 0xFF;
        const double magnitude = std::fabs(value);
        if (magnitude == 0)
            return 0;
        if (std::isinf(magnitude))
            return saturate ? 0xFE : 0xFF;
        int exponent = std::ilogb(magnitude);
        if (magnitude >= std::ldexp(1.5, exponent))
            ++exponent;
        if (exponent > 127)
            return saturate ? 0xFE : 0xFF;
        return static_cast<std::uint8_t>(std::max(exponent, -127) + 127);
    }
    return static_cast<std::uint8_t>(encode(formatOf(type), value, saturate));
}

} // namespace fusescope
