#include "ops/element_map.h"
#include "ops/shape_messages.h"

namespace fusescope {

Result<Tensor> legacyOperand(const KernelContext& c, const Tensor& a, const Tensor& b)
{
    if (c.attributes().getInt("broadcast", 0) == 0) {
        if (b.shape() != a.shape())
            return c.wrong(wrongShape(1, shapeText(a.shape()), shapeText(b.shape())));
        return b;
    }
    const auto rankA = static_cast<std::int64_t>(a.rank());
    const auto rankB = static_cast<std::int64_t>(b.rank());
    const std::int64_t axis = fromFront(c.attributes().getInt("axis", rankA - rankB), rankA);
    if (b.elementCount() == 1)
        return b.reshaped({});
    if (axis < 0 || axis > rankA - rankB)
        return c.wrong(rankB > rankA
                           ? cannotBroadcastTo(1, shapeText(b.shape()), shapeText(a.shape()))
                           : wrongAttribute("axis", "0 … " + std::to_string(rankA - rankB),
                                            std::to_string(axis)));
    std::vector<std::int64_t> shape = b.shape();
    shape.resize(static_cast<std::size_t>(rankA - axis), 1);
    if (!broadcastsToSizes(shape, a.shape()))
        return c.wrong(cannotBroadcastTo(1, shapeText(shape), shapeText(a.shape())));
    return b.reshaped(std::move(shape));
}

Result<void> inferLegacyBroadcast(InferenceContext& c, DType type)
{
    const Shape& a = c.shape(0);
    const Shape& b = c.shape(1);
    if (c.attributes().getInt("broadcast", 0) == 0 && a.hasRank() && b.hasRank()) {
        bool differ = a.rank() != b.rank();
        for (std::size_t i = 0; i < a.rank() && !differ; ++i)
            differ = provablyDifferent(a[i], b[i]);
        if (differ)
            return c.wrong(wrongShape(1, a.text(), b.text()));
    }
    c.setTensor(0, type == DType::undefined ? c.dtype(0) : type, a);
    return {};
}

Result<void> inferBinary(InferenceContext& c, int legacy, DType result)
{
    if (c.dtype(0) != DType::undefined && c.dtype(1) != DType::undefined &&
        c.dtype(0) != c.dtype(1))
        return c.wrong(
            wrongType(1, std::string(nameOf(c.dtype(0))), std::string(nameOf(c.dtype(1)))));
    if (c.sinceVersion() < legacy)
        return inferLegacyBroadcast(c, result);
    return inferBroadcastOf(c, result);
}

Result<BinaryOperands> binaryOperands(const KernelContext& c, int legacy)
{
    FUSESCOPE_ASSIGN(const Tensor* a, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* b, c.tensor(1));
    if (c.sinceVersion() < legacy) {
        FUSESCOPE_ASSIGN(Tensor operand, legacyOperand(c, *a, *b));
        return BinaryOperands{*a, std::move(operand), a->shape()};
    }
    auto shape = broadcastSizes(a->shape(), b->shape());
    if (!shape)
        return c.wrong(cannotBroadcast(1, shapeText(b->shape()), shapeText(a->shape())));
    return BinaryOperands{*a, *b, *std::move(shape)};
}

std::int64_t firstZero(const Tensor& tensor)
{
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i) {
        if (tensor.asInt(i) == 0)
            return i;
    }
    return -1;
}

} // namespace fusescope
