#include "ops/element_map.h"
#include "ops/quantization/quantization.h"

#include <fmt/format.h>

#include <limits>

namespace fusescope::quantization {

namespace {

// Which scale belongs to an element: one for all, one for each index of an axis, or one a block.
class ScaleIndex
{
public:
    static Result<ScaleIndex> of(const KernelContext& c, const Tensor& input, const Tensor& scale)
    {
        ScaleIndex index;
        if (scale.elementCount() == 1 && scale.rank() <= 1)
            return index;
        FUSESCOPE_ASSIGN(const std::size_t axis,
                         axisOf(c, c.attributes().getInt("axis", 1), input.rank()));
        index.m_size = input.shape()[axis];
        index.m_inner = productOf(std::span(input.shape()).subspan(axis + 1));
        if (scale.rank() == 1 && scale.shape()[0] == index.m_size) {
            index.m_kind = Kind::axis;
            return index;
        }
        bool fits = scale.rank() == input.rank();
        for (std::size_t a = 0; fits && a < input.rank(); ++a)
            fits = a == axis || scale.shape()[a] == input.shape()[a];
        if (!fits)
            return c.wrong(wrongShape(1, shapeText(input.shape()), shapeText(scale.shape())));
        if (scale.shape()[axis] == 0 && index.m_size > 0)
            return c.wrong(wrongSize(1, axis, "1 … " + std::to_string(index.m_size),
                                     shapeText(scale.shape())));
        index.m_kind = Kind::block;
        index.m_blocks = scale.shape()[axis];
        const std::int64_t least =
            index.m_blocks == 0 ? 1 : (index.m_size + index.m_blocks - 1) / index.m_blocks;
        index.m_block = c.attributes().getInt("block_size", 0);
        if (index.m_block == 0)
            index.m_block = std::max<std::int64_t>(least, 1);
        // Each block holds something: of D elements in S blocks ceil(D/S) … ceil(D/(S−1)) − 1.
        const std::int64_t most =
            index.m_blocks < 2 ? std::numeric_limits<std::int64_t>::max()
                               : (index.m_size + index.m_blocks - 2) / (index.m_blocks - 1) - 1;
        if (index.m_block < least || index.m_block > std::max(most, least))
            return c.wrong(wrongAttribute("block_size",
                                          index.m_blocks < 2
                                              ? fmt::format(">= {}", least)
                                              : fmt::format("{} … {}", least, std::max(most, least)),
                                          std::to_string(index.m_block)));
        return index;
    }

    std::int64_t at(std::int64_t i) const
    {
        if (m_kind == Kind::one)
            return 0;
        const std::int64_t along = i / m_inner % m_size;
        if (m_kind == Kind::axis)
            return along;
        return (i / (m_inner * m_size) * m_blocks + along / m_block) * m_inner + i % m_inner;
    }

private:
    enum class Kind { one, axis, block };
    Kind m_kind = Kind::one;
    std::int64_t m_size = 1, m_inner = 1, m_blocks = 1, m_block = 1;
};

Result<void> checkZeroPoint(const KernelContext& c, const Tensor& scale, const Tensor* zero)
{
    if (zero && zero->shape() != scale.shape() &&
        !(zero->elementCount() == 1 && scale.elementCount() == 1))
        return c.wrong(wrongShape(2, shapeText(scale.shape()), shapeText(zero->shape())));
    return {};
}

template <class C>
DType quantizedType(const C& c, DType zeroPoint)
{
    const DType named = dtypeAttribute(c.attributes(), "output_dtype", DType::undefined);
    if (named != DType::undefined)
        return named;
    return zeroPoint == DType::undefined ? DType::uint8 : zeroPoint;
}

Result<void> inferQuantize(InferenceContext& c)
{
    const DType named = dtypeAttribute(c.attributes(), "output_dtype", DType::undefined);
    if (c.hasInput(2) && c.dtype(2) == DType::undefined && named == DType::undefined) {
        c.setTensor(0, DType::undefined, c.shape(0));
        return {};
    }
    c.setTensor(0, quantizedType(c, c.dtype(2)), c.shape(0));
    return {};
}

// A number rounded to an element type.
double roundedTo(DType type, double value)
{
    switch (type) {
    case DType::float32:
        return static_cast<double>(static_cast<float>(value));
    case DType::float16:
        return static_cast<double>(toFloat(float16FromDouble(value)));
    case DType::bfloat16:
        return static_cast<double>(toFloat(bfloat16FromDouble(value)));
    default:
        return value;
    }
}

Result<void> runQuantize(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* scale, c.tensor(1));
    const Tensor* zero = c.optionalTensor(2);
    FUSESCOPE_TRY(checkZeroPoint(c, *scale, zero));
    FUSESCOPE_ASSIGN(const ScaleIndex index, ScaleIndex::of(c, *input, *scale));
    const DType type = quantizedType(c, zero ? zero->dtype() : DType::undefined);
    const DType precision = dtypeAttribute(c.attributes(), "precision", scale->dtype());
    const bool saturate = c.attributes().getInt("saturate", 1) != 0;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, input->shape()));
    const bool toInteger = isInteger(type);
    if (!toInteger && (!isFloatingPoint(type) || bitsOf(type) > 8))
        return c.wrong(unsupportedType(c, type));
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        const std::int64_t s = index.at(i);
        const double quotient = roundedTo(precision, input->asDouble(i) / scale->asDouble(s));
        const double origin = zero ? zero->asDouble(zero->elementCount() == 1 ? 0 : s) : 0.0;
        if (toInteger)
            output.storeInt(
                i, static_cast<std::int64_t>(saturateTo(type, std::nearbyint(quotient) + origin)));
        else if (bitsOf(type) == 8)
            output.mutableElements<std::uint8_t>()[i] =
                narrowFromDouble(type, quotient + origin, saturate);
        else
            output.store(i, quotient + origin);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferDequantize(InferenceContext& c)
{
    c.setTensor(0, dtypeAttribute(c.attributes(), "output_dtype", c.dtype(1)), c.shape(0));
    return {};
}

Result<void> runDequantize(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* scale, c.tensor(1));
    const Tensor* zero = c.optionalTensor(2);
    FUSESCOPE_TRY(checkZeroPoint(c, *scale, zero));
    if (zero && zero->dtype() != input->dtype())
        return c.wrong(
            wrongType(2, std::string(nameOf(input->dtype())), std::string(nameOf(zero->dtype()))));
    FUSESCOPE_ASSIGN(const ScaleIndex index, ScaleIndex::of(c, *input, *scale));
    const DType type = dtypeAttribute(c.attributes(), "output_dtype", scale->dtype());
    if (!isFloatingPoint(type))
        return c.wrong(unsupportedType(c, type));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, input->shape()));
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        const std::int64_t s = index.at(i);
        const double origin = zero ? zero->asDouble(zero->elementCount() == 1 ? 0 : s) : 0.0;
        output.store(i, (input->asDouble(i) - origin) * scale->asDouble(s));
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferDynamic(InferenceContext& c)
{
    c.setTensor(0, DType::uint8, c.shape(0));
    c.setTensor(1, DType::float32, Shape::scalar());
    c.setTensor(2, DType::uint8, Shape::scalar());
    return {};
}

// The range of the data, widened to hold 0, is spread over 0 … 255; in single precision.
Result<void> runDynamic(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    if (input->dtype() != DType::float32)
        return c.wrong(unsupportedType(c, input->dtype()));
    const auto x = input->aligned<float>();
    float least = 0.0F;
    float greatest = 0.0F;
    for (const float v : x) {
        least = std::min(least, v);
        greatest = std::max(greatest, v);
    }
    const float scale = (greatest - least) / 255.0F;
    const double zero =
        scale == 0.0F
            ? 0.0
            : saturateTo(DType::uint8, std::nearbyint(static_cast<double>(-least / scale)));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::uint8, input->shape()));
    auto* out = output.mutableElements<std::uint8_t>();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double quotient = scale == 0.0F ? 0.0 : static_cast<double>(x[i] / scale);
        out[i] =
            static_cast<std::uint8_t>(saturateTo(DType::uint8, std::nearbyint(quotient) + zero));
    }
    c.setOutput(0, std::move(output));
    c.setOutput(1, Tensor::scalar<float>(scale));
    c.setOutput(2, Tensor::scalar<std::uint8_t>(static_cast<std::uint8_t>(zero)));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "QuantizeLinear", 10, inferQuantize, runQuantize},
    {"", "DequantizeLinear", 10, inferDequantize, runDequantize},
    {"", "DynamicQuantizeLinear", 11, inferDynamic, runDynamic},
};

} // namespace

double saturateTo(DType type, double value)
{
    if (std::isnan(value))
        return 0.0;
    const int bits = std::min(bitsOf(type), 32);
    const double low = isSigned(type) ? -std::ldexp(1.0, bits - 1) : 0.0;
    const double high = std::ldexp(1.0, isSigned(type) ? bits - 1 : bits) - 1.0;
    return std::clamp(value, low, high);
}

std::span<const OpEntry> linear()
{
    return entries;
}

} // namespace fusescope::quantization
