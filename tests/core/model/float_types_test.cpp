#include "model/float_types.h"
#include "support/test_class.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace fusescope;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The value of a code, straight from the definition of its format.
double defined(int exponentBits, int mantissaBits, int bias, std::uint32_t code)
{
    const std::uint32_t exponent = (code >> mantissaBits) & ((1U << exponentBits) - 1);
    const std::uint32_t mantissa = code & ((1U << mantissaBits) - 1);
    const double sign = (code >> (exponentBits + mantissaBits)) & 1U ? -1 : 1;
    const double fraction = mantissa / std::pow(2.0, mantissaBits);
    return exponent == 0 ? sign * std::pow(2.0, 1 - bias) * fraction
                         : sign * std::pow(2.0, static_cast<int>(exponent) - bias) * (1 + fraction);
}

bool sameBits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

struct Narrow
{
    DType type;
    int exponentBits, mantissaBits, bias;
    bool hasInfinity;
    std::vector<std::uint8_t> nans;
    double largest;
};

const std::vector<Narrow> narrowTypes = {
    {DType::float8e4m3fn, 4, 3, 7, false, {0x7F, 0xFF}, 448},
    {DType::float8e4m3fnuz, 4, 3, 8, false, {0x80}, 240},
    {DType::float8e5m2, 5, 2, 15, true, {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF}, 57344},
    {DType::float8e5m2fnuz, 5, 2, 16, false, {0x80}, 57344},
    {DType::float6e2m3, 2, 3, 1, false, {}, 7.5},
    {DType::float6e3m2, 3, 2, 3, false, {}, 28},
    {DType::float4e2m1, 2, 1, 1, false, {}, 6},
};

} // namespace

class FloatTypesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHalf()
    {
        for (std::uint32_t code = 0; code < 0x10000; ++code) {
            const Float16 half{static_cast<std::uint16_t>(code)};
            const double value = static_cast<double>(toFloat(half));
            if ((code & 0x7C00) == 0x7C00) {
                QCOMPARE(std::isnan(value), (code & 0x3FF) != 0);
                QCOMPARE(std::isinf(value), (code & 0x3FF) == 0);
            } else {
                QVERIFY(sameBits(value, defined(5, 10, 15, code)));
            }
            const Float16 back = float16FromDouble(value);
            if (std::isnan(value))
                QVERIFY(std::isnan(toFloat(back)));
            else
                QCOMPARE(back.bits, half.bits);
        }
    }

    void everyBfloat()
    {
        for (std::uint32_t code = 0; code < 0x10000; ++code) {
            const BFloat16 narrow{static_cast<std::uint16_t>(code)};
            const float value = toFloat(narrow);
            QCOMPARE(std::bit_cast<std::uint32_t>(value), code << 16);
            const BFloat16 back = bfloat16FromDouble(static_cast<double>(value));
            if (std::isnan(value))
                QVERIFY(std::isnan(toFloat(back)));
            else
                QCOMPARE(back.bits, narrow.bits);
        }
    }

    // Between two neighbours the nearer one is taken, halfway the even one.
    void halvesRoundToEven()
    {
        for (std::uint32_t code = 0; code < 0x7BFF; ++code) {
            const double low = defined(5, 10, 15, code);
            const double high = defined(5, 10, 15, code + 1);
            const double middle = (low + high) / 2;
            QCOMPARE(float16FromDouble(middle).bits,
                     static_cast<std::uint16_t>(code % 2 == 0 ? code : code + 1));
            QCOMPARE(float16FromDouble(std::nextafter(middle, low)).bits,
                     static_cast<std::uint16_t>(code));
            QCOMPARE(float16FromDouble(std::nextafter(middle, high)).bits,
                     static_cast<std::uint16_t>(code + 1));
        }
        QCOMPARE(float16FromDouble(65519.99).bits, std::uint16_t{0x7BFF});
        QCOMPARE(float16FromDouble(65520).bits, std::uint16_t{0x7C00});
        QCOMPARE(float16FromDouble(-1e300).bits, std::uint16_t{0xFC00});
        QCOMPARE(float16FromDouble(1e-300).bits, std::uint16_t{0});
        QCOMPARE(bfloat16FromDouble(3.4e38).bits, std::uint16_t{0x7F80});
    }

    void everyNarrowCode()
    {
        for (const Narrow& n : narrowTypes) {
            const std::uint32_t codes = 1U << (1 + n.exponentBits + n.mantissaBits);
            for (std::uint32_t code = 0; code < codes; ++code) {
                const auto bits = static_cast<std::uint8_t>(code);
                const double value = narrowToDouble(n.type, bits);
                const bool isNan = std::find(n.nans.begin(), n.nans.end(), bits) != n.nans.end();
                QCOMPARE(std::isnan(value), isNan);
                if (isNan) {
                    QVERIFY(std::isnan(narrowToDouble(n.type, narrowFromDouble(n.type, value))));
                    continue;
                }
                const std::uint32_t exponent = (code >> n.mantissaBits) & ((1U << n.exponentBits) - 1);
                if (n.hasInfinity && exponent + 1 == (1U << n.exponentBits)) {
                    QVERIFY(std::isinf(value));
                    QCOMPARE(narrowFromDouble(n.type, value, false), bits);
                    continue;
                }
                QVERIFY(sameBits(value, defined(n.exponentBits, n.mantissaBits, n.bias, code)));
                QVERIFY(std::fabs(value) <= n.largest);
                QCOMPARE(narrowFromDouble(n.type, value), bits);
                QCOMPARE(narrowFromDouble(n.type, value, false), bits);
            }
        }
    }

    void overflowSaturatesOrNot()
    {
        for (const Narrow& n : narrowTypes) {
            for (const double huge : {n.largest * 4, infinity}) {
                QCOMPARE(narrowToDouble(n.type, narrowFromDouble(n.type, huge)), n.largest);
                QCOMPARE(narrowToDouble(n.type, narrowFromDouble(n.type, -huge)), -n.largest);
                const double open = narrowToDouble(n.type, narrowFromDouble(n.type, huge, false));
                if (n.hasInfinity)
                    QVERIFY(std::isinf(open));
                else if (!n.nans.empty())
                    QVERIFY(std::isnan(open));
                else
                    QCOMPARE(open, n.largest);
            }
            // A tie between two codes goes to the even one.
            const double one = narrowToDouble(n.type, narrowFromDouble(n.type, 1));
            QCOMPARE(one, 1.0);
            const double step = std::ldexp(1.0, -n.mantissaBits);
            QCOMPARE(narrowToDouble(n.type, narrowFromDouble(n.type, 1 + step / 2)), 1.0);
            QCOMPARE(narrowToDouble(n.type, narrowFromDouble(n.type, 1 + step * 1.5)), 1 + 2 * step);
        }
        // Values from the table of the ONNX documentation of eight-bit floats.
        QCOMPARE(narrowToDouble(DType::float8e4m3fn, 0x01), std::ldexp(1.0, -9));
        QCOMPARE(narrowToDouble(DType::float8e5m2, 0x01), std::ldexp(1.0, -16));
        QCOMPARE(narrowToDouble(DType::float8e4m3fnuz, 0x7F), 240.0);
    }

    void exponentsAlone()
    {
        for (int code = 0; code < 0xFF; ++code) {
            const double value = narrowToDouble(DType::float8e8m0, static_cast<std::uint8_t>(code));
            QCOMPARE(value, std::ldexp(1.0, code - 127));
            QCOMPARE(narrowFromDouble(DType::float8e8m0, value), static_cast<std::uint8_t>(code));
        }
        QVERIFY(std::isnan(narrowToDouble(DType::float8e8m0, 0xFF)));
        QCOMPARE(narrowFromDouble(DType::float8e8m0, infinity), std::uint8_t{0xFE});
        QCOMPARE(narrowFromDouble(DType::float8e8m0, infinity, false), std::uint8_t{0xFF});
    }
};

FUSESCOPE_TEST(FloatTypesTest, float_types_test)
#include "float_types_test.moc"
