#include "fuzz/random_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fusescope::test {

namespace {

constexpr std::int64_t oddIntegers[] = {std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max(),
                                        std::numeric_limits<std::int64_t>::min() + 1,
                                        std::numeric_limits<std::int32_t>::min(),
                                        std::numeric_limits<std::int32_t>::max(),
                                        std::int64_t{1} << 32,
                                        std::int64_t{1} << 40,
                                        std::int64_t{1} << 62,
                                        -(std::int64_t{1} << 33),
                                        -1,
                                        0,
                                        7,
                                        -7,
                                        64,
                                        127,
                                        -128,
                                        255,
                                        65536,
                                        100003}; // a prime: work in its square takes over 5 s
constexpr double oddNumbers[] = {std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 -0.0,
                                 std::numeric_limits<float>::max(),
                                 -std::numeric_limits<float>::max(),
                                 std::numeric_limits<double>::max(),
                                 std::numeric_limits<float>::denorm_min(),
                                 0x1p31,
                                 -0x1p31,
                                 0x1p63,
                                 -0x1p63,
                                 0x1p64,
                                 65536,
                                 1e10,
                                 -1e10,
                                 0.5,
                                 -0.5,
                                 1e-30};
constexpr std::string_view texts[] = {"",   "a",     "ab",   "1",     "-1.5", "nan",      "inf",
                                      " 7", "A b c", "1e99", "0x10",  "\xff", "\xc3\xa9", "aaaaaaaaaaaa",
                                      "99999999999999999999", "\xe4\xbd\xa0", "true", "b", "-", "1e-400"};
constexpr DType usual[] = {DType::float32, DType::float32, DType::float64, DType::float16,
                           DType::bfloat16, DType::int64, DType::int32,   DType::uint8,
                           DType::int8,     DType::boolean};
constexpr std::int64_t maxElements = 600;

std::string_view inside(std::string_view text, std::string_view before)
{
    return text.substr(before.size(), text.size() - before.size() - 1);
}

} // namespace

std::int64_t RandomValues::integer(IntegerRole role, std::size_t rank)
{
    if (odd()) {
        m_special = true;
        return m_dice.pick(oddIntegers);
    }
    const auto r = static_cast<std::int64_t>(rank);
    switch (role) {
    case IntegerRole::size: return m_dice.chance(5) ? m_dice.between(-1, 12) : m_dice.between(1, 4);
    case IntegerRole::axis: return r == 0 ? m_dice.between(-1, 0) : m_dice.between(-r, r - 1);
    case IntegerRole::dtype: return static_cast<std::int64_t>(dtype());
    case IntegerRole::flag: return m_dice.between(0, 1);
    case IntegerRole::any: break;
    }
    return m_dice.chance(70) ? m_dice.between(0, 2) : m_dice.between(-3, 5);
}

double RandomValues::number()
{
    if (odd()) {
        m_special = true;
        return m_dice.pick(oddNumbers);
    }
    return static_cast<double>(m_dice.between(-32, 32)) / 16.0;
}

std::string RandomValues::text(std::string_view attribute)
{
    const auto known = knownStrings(attribute);
    if (!known.empty() && !odd())
        return std::string(m_dice.pick(known));
    return std::string(m_dice.pick(texts));
}

DType RandomValues::dtype()
{
    if (m_dice.chance(75))
        return m_dice.pick(usual);
    if (odd())
        return static_cast<DType>(m_dice.between(-1, 40));
    return static_cast<DType>(m_dice.between(1, 28));
}

std::int64_t RandomValues::size()
{
    const std::uint64_t at = m_dice.below(100);
    return at < 5 ? 0 : at < 25 ? 1 : m_dice.between(2, 5);
}

std::vector<std::int64_t> RandomValues::shape(std::size_t maxRank)
{
    std::vector<std::int64_t> sizes(m_dice.below(maxRank + 1));
    std::int64_t count = 1;
    for (std::int64_t& s : sizes) {
        s = size();
        if (count * s > maxElements)
            s = 1;
        count *= std::max<std::int64_t>(s, 1);
    }
    return sizes;
}

Tensor RandomValues::numbers(DType type, const std::vector<std::int64_t>& shape, IntegerRole role,
                             std::size_t rank)
{
    Tensor t = Tensor::allocate(type, shape);
    const std::int64_t count = t.elementCount();
    if (type == DType::boolean) {
        for (std::int64_t i = 0; i < count; ++i)
            t.mutableData()[i] = static_cast<std::byte>(odd() ? m_dice.next() : m_dice.below(2));
    } else if (bitsOf(type) < 8 || bitsOf(type) == 128 || type == DType::complex64 ||
               (bitsOf(type) == 8 && isFloatingPoint(type))) {
        // Any bits; those of a complex number are as a rule no NaN.
        const bool complex = bitsOf(type) >= 64;
        for (std::int64_t i = 0; i < t.byteSize(); ++i)
            t.mutableData()[i] = static_cast<std::byte>(m_dice.next());
        for (std::int64_t i = 0; complex && i < count; ++i) {
            if (type == DType::complex64)
                t.mutableElements<std::complex<float>>()[i] = {static_cast<float>(number()),
                                                               static_cast<float>(number())};
            else
                t.mutableElements<std::complex<double>>()[i] = {number(), number()};
        }
    } else if (isFloatingPoint(type)) {
        for (std::int64_t i = 0; i < count; ++i)
            t.store(i, number());
    } else {
        std::int64_t start = m_dice.between(0, 3);
        const bool distinct = role == IntegerRole::axis && rank > 0;
        for (std::int64_t i = 0; i < count; ++i)
            t.storeInt(i, distinct && !odd() ? (start + i) % static_cast<std::int64_t>(rank)
                                             : integer(role, rank));
    }
    return t;
}

TensorPtr RandomValues::tensor(DType type, std::vector<std::int64_t> shape, IntegerRole role,
                               std::size_t rank)
{
    if (!isKnown(type))
        type = DType::float32;
    const std::int64_t count = elementCountOf(shape).value_or(0);
    if (type == DType::string) {
        std::vector<std::string> elements(static_cast<std::size_t>(count));
        for (std::string& element : elements)
            element = text();
        return std::make_shared<const Tensor>(Tensor::strings(std::move(shape), std::move(elements)));
    }
    if (m_dice.chance(6) && bitsOf(type) >= 8) {
        const Tensor one = numbers(type, {1}, role, rank);
        return std::make_shared<const Tensor>(Tensor::splat(type, std::move(shape), one.data()));
    }
    Tensor made = numbers(type, shape, role, rank);
    if (m_wild > 0 && m_dice.chance(1))
        return std::make_shared<const Tensor>(
            Tensor::unavailable(type, std::move(shape), Message("model.no-body")));
    if (m_dice.chance(10)) {
        // As bytes of a file lie: at any address.
        const auto bytes = static_cast<std::size_t>(made.byteSize());
        auto storage = std::make_shared<std::vector<std::byte>>(bytes + 1);
        if (bytes > 0)
            std::memcpy(storage->data() + 1, made.data(), bytes);
        const std::byte* data = storage->data() + 1;
        return std::make_shared<const Tensor>(
            Tensor::mapped(type, std::move(shape), data, std::move(storage)));
    }
    return std::make_shared<const Tensor>(std::move(made));
}

RuntimeValue RandomValues::value(std::string_view type)
{
    if (type.starts_with("tensor("))
        return tensor(dtypeFromName(inside(type, "tensor(")).value_or(DType::float32), shape(4));
    if (type.starts_with("seq(")) {
        const std::string_view element = inside(type, "seq(");
        SequenceValue sequence{typeOfText(element), {}};
        const std::uint64_t count = m_dice.below(4);
        for (std::uint64_t i = 0; i < count; ++i)
            sequence.elements.push_back(std::make_shared<const RuntimeValue>(
                odd() ? value("tensor(int64)") : value(element)));
        return sequence;
    }
    if (type.starts_with("optional(")) {
        const std::string_view element = inside(type, "optional(");
        OptionalValue optional{typeOfText(element), nullptr};
        if (m_dice.chance(70))
            optional.held = std::make_shared<const RuntimeValue>(value(element));
        return optional;
    }
    if (type.starts_with("map(")) {
        MapValue map;
        const bool byText = type.starts_with("map(string");
        const std::string_view element = inside(type, byText ? "map(string," : "map(int64,");
        map.key = byText ? DType::string : DType::int64;
        // Of an empty map the type of the values is not known.
        const std::uint64_t count = 1 + m_dice.below(3);
        const DType elementType = dtypeFromName(element).value_or(DType::float32);
        if (byText)
            map.entries = std::map<std::string, RuntimeValue>();
        for (std::uint64_t i = 0; i < count; ++i) {
            RuntimeValue entry =
                tensor(elementType, odd() ? shape(2) : std::vector<std::int64_t>{});
            if (byText)
                std::get<1>(map.entries)[text()] = std::move(entry);
            else
                std::get<0>(map.entries)[integer(IntegerRole::any, 0)] = std::move(entry);
        }
        return map;
    }
    return tensor(DType::float32, shape(4));
}

Type typeOfText(std::string_view text)
{
    if (text.starts_with("tensor("))
        return Type::tensor(dtypeFromName(inside(text, "tensor(")).value_or(DType::undefined));
    if (text.starts_with("seq("))
        return Type::sequence(typeOfText(inside(text, "seq(")));
    if (text.starts_with("optional("))
        return Type::optional(typeOfText(inside(text, "optional(")));
    if (text.starts_with("map(")) {
        const std::string_view parts = inside(text, "map(");
        const std::size_t comma = parts.find(',');
        const std::string_view value = parts.substr(comma + 1);
        return Type::map(dtypeFromName(parts.substr(0, comma)).value_or(DType::int64),
                         Type::tensor(dtypeFromName(value).value_or(DType::undefined),
                                      Shape::scalar()));
    }
    return {};
}

} // namespace fusescope::test
