#include "model/tensor.h"

#include <cmath>
#include <limits>
#include <new>

namespace fusescope {

namespace {

constexpr std::size_t alignment = 64;

std::shared_ptr<std::byte> allocateBytes(std::int64_t size)
{
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(size, 1));
    auto* memory = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment}));
    std::memset(memory, 0, bytes);
    return {memory, [](std::byte* p) { ::operator delete(p, std::align_val_t{alignment}); }};
}

template <class T>
std::int64_t truncate(T value)
{
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    if (std::isnan(value))
        return 0;
    if (value >= static_cast<T>(high))
        return high;
    if (value <= static_cast<T>(low))
        return low;
    return static_cast<std::int64_t>(value);
}

bool isPacked(DType type)
{
    const int bits = bitsOf(type);
    return bits > 0 && bits < 8;
}

std::int64_t signExtend(std::uint64_t bits, int width)
{
    const std::uint64_t sign = 1ULL << (width - 1);
    return static_cast<std::int64_t>((bits ^ sign)) - static_cast<std::int64_t>(sign);
}

} // namespace

std::optional<std::int64_t> elementCountOf(std::span<const std::int64_t> shape)
{
    std::int64_t count = 1;
    bool empty = false;
    for (const std::int64_t d : shape) {
        if (d < 0)
            return std::nullopt;
        empty = empty || d == 0;
    }
    if (empty)
        return 0;
    for (const std::int64_t d : shape) {
        if (count > std::numeric_limits<std::int64_t>::max() / d)
            return std::nullopt;
        count *= d;
    }
    return count;
}

Tensor Tensor::allocate(DType type, std::vector<std::int64_t> shape)
{
    Tensor t;
    t.m_dtype = type;
    t.m_count = elementCountOf(shape).value_or(0);
    t.m_shape = std::move(shape);
    if (type == DType::string) {
        t.m_kind = Storage::strings;
        t.m_strings =
            std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(t.m_count));
        return t;
    }
    t.m_owned = allocateBytes(bytesOf(type, t.m_count).value_or(0));
    t.m_owner = t.m_owned;
    t.m_data = t.m_owned.get();
    return t;
}

Tensor Tensor::mapped(DType type, std::vector<std::int64_t> shape, const std::byte* data,
                      std::shared_ptr<const void> owner)
{
    Tensor t;
    t.m_dtype = type;
    t.m_kind = Storage::mapped;
    t.m_count = elementCountOf(shape).value_or(0);
    t.m_shape = std::move(shape);
    t.m_data = data;
    t.m_owner = std::move(owner);
    return t;
}

Tensor Tensor::splat(DType type, std::vector<std::int64_t> shape, const void* element)
{
    assert(!isPacked(type) && type != DType::string);
    Tensor t;
    t.m_dtype = type;
    t.m_kind = Storage::splat;
    t.m_count = elementCountOf(shape).value_or(0);
    t.m_shape = std::move(shape);
    std::memcpy(t.m_element.data(), element, static_cast<std::size_t>(bitsOf(type)) / 8);
    return t;
}

Tensor Tensor::strings(std::vector<std::int64_t> shape, std::vector<std::string> elements)
{
    Tensor t = allocate(DType::string, std::move(shape));
    assert(t.m_count == static_cast<std::int64_t>(elements.size()));
    *t.m_strings = std::move(elements);
    return t;
}

Tensor Tensor::unavailable(DType type, std::vector<std::int64_t> shape, Message why)
{
    Tensor t;
    t.m_dtype = type;
    t.m_kind = Storage::unavailable;
    t.m_count = elementCountOf(shape).value_or(0);
    t.m_shape = std::move(shape);
    t.m_why = std::move(why);
    return t;
}

Tensor Tensor::vector(const std::vector<std::int64_t>& values)
{
    return of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

std::int64_t Tensor::byteSize() const
{
    if (m_kind == Storage::strings) {
        std::int64_t total = 0;
        for (const std::string& s : *m_strings)
            total += static_cast<std::int64_t>(s.size());
        return total;
    }
    return bytesOf(m_dtype, m_count).value_or(0);
}

std::int64_t Tensor::storedBytes() const
{
    return m_kind == Storage::splat ? bitsOf(m_dtype) / 8 : byteSize();
}

std::uint64_t Tensor::loadPacked(std::int64_t i) const
{
    const int width = bitsOf(m_dtype);
    const std::int64_t bit = i * width;
    const std::int64_t last = bytesOf(m_dtype, m_count).value_or(0) - 1;
    std::uint64_t word = std::to_integer<std::uint64_t>(m_data[bit / 8]);
    if (bit / 8 < last)
        word |= std::to_integer<std::uint64_t>(m_data[bit / 8 + 1]) << 8;
    return (word >> (bit % 8)) & ((1ULL << width) - 1);
}

void Tensor::storePacked(std::int64_t i, std::uint64_t bits)
{
    const int width = bitsOf(m_dtype);
    for (int b = 0; b < width; ++b) {
        const std::int64_t at = i * width + b;
        const auto mask = static_cast<std::byte>(1U << (at % 8));
        std::byte& byte = m_owned.get()[at / 8];
        byte = ((bits >> b) & 1U) != 0 ? byte | mask : byte & ~mask;
    }
}

double Tensor::asDouble(std::int64_t i) const
{
    switch (m_dtype) {
    case DType::float32:
        return static_cast<double>(load<float>(i));
    case DType::float64:
        return load<double>(i);
    case DType::float16:
        return static_cast<double>(toFloat(load<Float16>(i)));
    case DType::bfloat16:
        return static_cast<double>(toFloat(load<BFloat16>(i)));
    case DType::uint64:
        return static_cast<double>(load<std::uint64_t>(i));
    case DType::complex64:
        return static_cast<double>(load<std::complex<float>>(i).real());
    case DType::complex128:
        return load<std::complex<double>>(i).real();
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz:
    case DType::float8e8m0:
        return narrowToDouble(m_dtype, load<std::uint8_t>(i));
    case DType::float4e2m1:
    case DType::float6e2m3:
    case DType::float6e3m2:
        return narrowToDouble(m_dtype, static_cast<std::uint8_t>(loadPacked(i)));
    default:
        return static_cast<double>(asInt(i));
    }
}

std::int64_t Tensor::asInt(std::int64_t i) const
{
    switch (m_dtype) {
    case DType::int64:
        return load<std::int64_t>(i);
    case DType::int32:
        return load<std::int32_t>(i);
    case DType::int16:
        return load<std::int16_t>(i);
    case DType::int8:
        return load<std::int8_t>(i);
    case DType::uint64:
        return static_cast<std::int64_t>(load<std::uint64_t>(i));
    case DType::uint32:
        return load<std::uint32_t>(i);
    case DType::uint16:
        return load<std::uint16_t>(i);
    case DType::uint8:
        return load<std::uint8_t>(i);
    case DType::boolean:
        return load<std::uint8_t>(i) != 0 ? 1 : 0;
    case DType::uint4:
    case DType::uint2:
        return static_cast<std::int64_t>(loadPacked(i));
    case DType::int4:
    case DType::int2:
        return signExtend(loadPacked(i), bitsOf(m_dtype));
    case DType::undefined:
    case DType::string:
        return 0;
    default:
        return truncate(asDouble(i));
    }
}

std::vector<std::int64_t> Tensor::asInts() const
{
    std::vector<std::int64_t> values(static_cast<std::size_t>(m_count));
    for (std::int64_t i = 0; i < m_count; ++i)
        values[static_cast<std::size_t>(i)] = asInt(i);
    return values;
}

void Tensor::store(std::int64_t i, double value)
{
    switch (m_dtype) {
    case DType::float32:
        mutableElements<float>()[i] = static_cast<float>(value);
        break;
    case DType::float64:
        mutableElements<double>()[i] = value;
        break;
    case DType::float16:
        mutableElements<Float16>()[i] = float16FromDouble(value);
        break;
    case DType::bfloat16:
        mutableElements<BFloat16>()[i] = bfloat16FromDouble(value);
        break;
    case DType::complex64:
        mutableElements<std::complex<float>>()[i] = static_cast<float>(value);
        break;
    case DType::complex128:
        mutableElements<std::complex<double>>()[i] = value;
        break;
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz:
    case DType::float8e8m0:
        mutableElements<std::uint8_t>()[i] = narrowFromDouble(m_dtype, value);
        break;
    case DType::float4e2m1:
    case DType::float6e2m3:
    case DType::float6e3m2:
        storePacked(i, narrowFromDouble(m_dtype, value));
        break;
    case DType::uint64:
        mutableElements<std::uint64_t>()[i] =
            value >= 0x1p64 ? std::numeric_limits<std::uint64_t>::max()
            : value > 0    ? static_cast<std::uint64_t>(value)
                           : static_cast<std::uint64_t>(truncate(value));
        break;
    default:
        storeInt(i, truncate(value));
        break;
    }
}

void Tensor::storeInt(std::int64_t i, std::int64_t value)
{
    switch (m_dtype) {
    case DType::int64:
    case DType::uint64:
        mutableElements<std::int64_t>()[i] = value;
        break;
    case DType::int32:
    case DType::uint32:
        mutableElements<std::uint32_t>()[i] = static_cast<std::uint32_t>(value);
        break;
    case DType::int16:
    case DType::uint16:
        mutableElements<std::uint16_t>()[i] = static_cast<std::uint16_t>(value);
        break;
    case DType::int8:
    case DType::uint8:
        mutableElements<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
        break;
    case DType::boolean:
        mutableElements<std::uint8_t>()[i] = value != 0 ? 1 : 0;
        break;
    case DType::uint4:
    case DType::int4:
    case DType::uint2:
    case DType::int2:
        storePacked(i, static_cast<std::uint64_t>(value));
        break;
    case DType::undefined:
    case DType::string:
        break;
    default:
        store(i, static_cast<double>(value));
        break;
    }
}

Tensor Tensor::materialized() const
{
    // A fill of any size is one element in a file: what it would come to when written out is not taken
    // from the machine unasked. Kernels that run into this end with an error.
    constexpr std::int64_t mostWrittenOut = std::int64_t{8} << 30;
    if (isSplat() && byteSize() > mostWrittenOut)
        throw std::bad_alloc();
    if (m_kind == Storage::strings) {
        Tensor copy = *this;
        copy.m_strings = std::make_shared<std::vector<std::string>>(*m_strings);
        return copy;
    }
    Tensor copy = allocate(m_dtype, m_shape);
    if (m_kind == Storage::splat) {
        const auto size = static_cast<std::size_t>(bitsOf(m_dtype)) / 8;
        for (std::int64_t i = 0; i < m_count; ++i)
            std::memcpy(copy.m_owned.get() + static_cast<std::size_t>(i) * size, m_element.data(),
                        size);
    } else if (m_data && m_count > 0) {
        std::memcpy(copy.m_owned.get(), m_data, static_cast<std::size_t>(byteSize()));
    }
    return copy;
}

Tensor Tensor::reshaped(std::vector<std::int64_t> shape) const
{
    assert(elementCountOf(shape) == m_count);
    Tensor t = *this;
    t.m_shape = std::move(shape);
    return t;
}

bool Tensor::bitwiseEquals(const Tensor& other) const
{
    if (m_dtype != other.m_dtype || m_shape != other.m_shape ||
        isAvailable() != other.isAvailable())
        return false;
    if (!isAvailable())
        return false;
    if (m_kind == Storage::strings)
        return *m_strings == *other.m_strings;
    if (m_count == 0)
        return true;
    const auto size = static_cast<std::size_t>(bitsOf(m_dtype)) / 8;
    if (isSplat() && other.isSplat())
        return std::memcmp(m_element.data(), other.m_element.data(), size) == 0;
    if (isSplat() || other.isSplat()) {
        const Tensor& splat = isSplat() ? *this : other;
        const Tensor& plain = isSplat() ? other : *this;
        for (std::int64_t i = 0; i < m_count; ++i) {
            if (std::memcmp(plain.m_data + static_cast<std::size_t>(i) * size,
                            splat.m_element.data(), size) != 0)
                return false;
        }
        return true;
    }
    return m_data == other.m_data ||
           std::memcmp(m_data, other.m_data, static_cast<std::size_t>(byteSize())) == 0;
}

std::uint64_t Tensor::hash() const
{
    // FNV-1a over type, shape and the first element: a splat and its written-out form hash alike,
    // and a full comparison follows on equal hashes.
    std::uint64_t h = 1469598103934665603ULL;
    const auto mix = [&h](const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i)
            h = (h ^ bytes[i]) * 1099511628211ULL;
    };
    mix(&m_dtype, sizeof m_dtype);
    mix(m_shape.data(), m_shape.size() * sizeof(std::int64_t));
    if (m_kind == Storage::strings) {
        for (const std::string& s : *m_strings)
            mix(s.data(), s.size() + 1);
        return h;
    }
    if (!isAvailable() || m_count == 0)
        return h;
    const auto size = static_cast<std::size_t>(bitsOf(m_dtype)) / 8;
    if (isSplat()) {
        mix(m_element.data(), size);
        return h;
    }
    const auto total = static_cast<std::size_t>(byteSize());
    mix(m_data, size == 0 ? std::min<std::size_t>(total, 1) : size);
    return h;
}

} // namespace fusescope
