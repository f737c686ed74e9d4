#include "ops/element_copy.h"

namespace fusescope {

namespace {

unsigned loadBits(const std::byte* data, std::int64_t bit, std::int64_t width)
{
    unsigned value = 0;
    for (std::int64_t b = 0; b < width; ++b) {
        const std::int64_t at = bit + b;
        value |= ((std::to_integer<unsigned>(data[at / 8]) >> (at % 8)) & 1U) << b;
    }
    return value;
}

void storeBits(std::byte* data, std::int64_t bit, std::int64_t width, unsigned value)
{
    for (std::int64_t b = 0; b < width; ++b) {
        const std::int64_t at = bit + b;
        const auto mask = static_cast<std::byte>(1U << (at % 8));
        data[at / 8] = ((value >> b) & 1U) != 0 ? data[at / 8] | mask : data[at / 8] & ~mask;
    }
}

template <std::size_t Size>
void copyBytes(std::byte* to, std::int64_t toStep, const std::byte* from, std::int64_t fromStep,
               std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * toStep * static_cast<std::int64_t>(Size),
                    from + i * fromStep * static_cast<std::int64_t>(Size), Size);
}

} // namespace

ElementCopy::ElementCopy(Tensor& to, const Tensor& from)
    : m_to(to), m_from(from), m_bits(bitsOf(from.dtype())), m_splat(from.isSplat())
{
    assert(to.dtype() == from.dtype());
}

void ElementCopy::copy(std::int64_t to, std::int64_t from, std::int64_t count)
{
    if (count <= 0)
        return;
    if (m_bits >= 8 && !m_splat) {
        const std::int64_t size = m_bits / 8;
        std::memcpy(m_to.mutableData() + to * size, m_from.data() + from * size,
                    static_cast<std::size_t>(count * size));
        return;
    }
    copySteps(to, 1, from, 1, count);
}

void ElementCopy::fill(std::int64_t to, std::int64_t from, std::int64_t count)
{
    copySteps(to, 1, from, 0, count);
}

void ElementCopy::copySteps(std::int64_t to, std::int64_t toStep, std::int64_t from,
                            std::int64_t fromStep, std::int64_t count)
{
    if (count <= 0)
        return;
    if (m_from.isString()) {
        for (std::int64_t i = 0; i < count; ++i)
            m_to.mutableStrings()[static_cast<std::size_t>(to + i * toStep)] =
                m_from.loadString(from + i * fromStep);
        return;
    }
    if (m_bits < 8) {
        for (std::int64_t i = 0; i < count; ++i)
            storeBits(m_to.mutableData(), (to + i * toStep) * m_bits, m_bits,
                      loadBits(m_from.data(), (from + i * fromStep) * m_bits, m_bits));
        return;
    }
    const std::int64_t size = m_bits / 8;
    std::byte* target = m_to.mutableData() + to * size;
    const auto* source = m_splat ? static_cast<const std::byte*>(m_from.splatElement())
                                 : m_from.data() + from * size;
    const std::int64_t step = m_splat ? 0 : fromStep;
    switch (size) {
    case 1:
        return copyBytes<1>(target, toStep, source, step, count);
    case 2:
        return copyBytes<2>(target, toStep, source, step, count);
    case 4:
        return copyBytes<4>(target, toStep, source, step, count);
    case 8:
        return copyBytes<8>(target, toStep, source, step, count);
    default:
        return copyBytes<16>(target, toStep, source, step, count);
    }
}

void copyStrided(Tensor& to, const StridedSide& toSide, const Tensor& from,
                 const StridedSide& fromSide, std::span<const std::int64_t> shape)
{
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
        return; // before any product: the other sizes may be as large as they like
    // Axes that advance alike on both sides are walked as one.
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> toStrides;
    std::vector<std::int64_t> fromStrides;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t size = shape[axis];
        if (size == 1)
            continue;
        const std::int64_t a = toSide.strides[axis];
        const std::int64_t b = fromSide.strides[axis];
        if (!sizes.empty() && toStrides.back() == a * size && fromStrides.back() == b * size) {
            sizes.back() *= size;
            toStrides.back() = a;
            fromStrides.back() = b;
            continue;
        }
        sizes.push_back(size);
        toStrides.push_back(a);
        fromStrides.push_back(b);
    }
    ElementCopy mover(to, from);
    if (sizes.empty()) {
        mover.copy(toSide.offset, fromSide.offset);
        return;
    }
    const std::int64_t run = sizes.back();
    const std::int64_t toStep = toStrides.back();
    const std::int64_t fromStep = fromStrides.back();
    sizes.pop_back();
    forEachIndex(sizes, [&](std::int64_t, const std::vector<std::int64_t>& index) {
        std::int64_t a = toSide.offset;
        std::int64_t b = fromSide.offset;
        for (std::size_t k = 0; k < index.size(); ++k) {
            a += index[k] * toStrides[k];
            b += index[k] * fromStrides[k];
        }
        if (toStep == 1 && fromStep == 1)
            mover.copy(a, b, run);
        else
            mover.copySteps(a, toStep, b, fromStep, run);
    });
}

} // namespace fusescope
