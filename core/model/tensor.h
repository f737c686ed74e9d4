#pragma once

#include "base/message.h"
#include "model/dtype.h"
#include "model/float_types.h"

#include <array>
#include <cassert>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fusescope {

// The C++ type that stands for an element type in memory.
template <class T>
constexpr DType dtypeOf();
template <> constexpr DType dtypeOf<float>() { return DType::float32; }
template <> constexpr DType dtypeOf<double>() { return DType::float64; }
template <> constexpr DType dtypeOf<Float16>() { return DType::float16; }
template <> constexpr DType dtypeOf<BFloat16>() { return DType::bfloat16; }
template <> constexpr DType dtypeOf<std::int8_t>() { return DType::int8; }
template <> constexpr DType dtypeOf<std::int16_t>() { return DType::int16; }
template <> constexpr DType dtypeOf<std::int32_t>() { return DType::int32; }
template <> constexpr DType dtypeOf<std::int64_t>() { return DType::int64; }
template <> constexpr DType dtypeOf<std::uint8_t>() { return DType::uint8; }
template <> constexpr DType dtypeOf<std::uint16_t>() { return DType::uint16; }
template <> constexpr DType dtypeOf<std::uint32_t>() { return DType::uint32; }
template <> constexpr DType dtypeOf<std::uint64_t>() { return DType::uint64; }
template <> constexpr DType dtypeOf<bool>() { return DType::boolean; }
template <> constexpr DType dtypeOf<std::complex<float>>() { return DType::complex64; }
template <> constexpr DType dtypeOf<std::complex<double>>() { return DType::complex128; }

class Tensor;
using TensorPtr = std::shared_ptr<const Tensor>;

// Contiguous elements; keeps the storage alive when it had to be copied for alignment.
template <class T>
class AlignedView
{
public:
    AlignedView(std::span<const T> elements, std::shared_ptr<const void> owner)
        : m_elements(elements), m_owner(std::move(owner))
    {
    }
    std::size_t size() const { return m_elements.size(); }
    const T* data() const { return m_elements.data(); }
    const T& operator[](std::size_t i) const { return m_elements[i]; }
    auto begin() const { return m_elements.begin(); }
    auto end() const { return m_elements.end(); }
    std::span<const T> span() const { return m_elements; }

private:
    std::span<const T> m_elements;
    std::shared_ptr<const void> m_owner;
};

// Element type, shape and storage, row-major. The storage is one of: bytes owned here (64-byte
// aligned), bytes mapped from a file (often unaligned), a splat (one element for all), strings, or
// nothing at all, when the file's external data is missing. A Tensor is filled while it is built and
// immutable once it is a TensorPtr. Elements under eight bits are packed as raw data has them.
class Tensor
{
public:
    Tensor() = default;

    // Zero-filled. The caller has checked that the size is reasonable; dimensions are ≥ 0.
    static Tensor allocate(DType type, std::vector<std::int64_t> shape);
    // Bytes as raw data holds them, kept alive by `owner`; `size` must be byteSize() of the type.
    static Tensor mapped(DType type, std::vector<std::int64_t> shape, const std::byte* data,
                         std::shared_ptr<const void> owner);
    // Every element equals the bytes at `element` (bitsOf(type)/8 bytes; not for packed types).
    static Tensor splat(DType type, std::vector<std::int64_t> shape, const void* element);
    static Tensor strings(std::vector<std::int64_t> shape, std::vector<std::string> elements);
    // Shape and type without bytes; `why` says what is missing.
    static Tensor unavailable(DType type, std::vector<std::int64_t> shape, Message why);

    template <class T>
    static Tensor of(std::vector<std::int64_t> shape, std::span<const T> elements)
    {
        Tensor t = allocate(dtypeOf<T>(), std::move(shape));
        assert(t.elementCount() == static_cast<std::int64_t>(elements.size()));
        if (!elements.empty())
            std::memcpy(t.mutableData(), elements.data(), elements.size_bytes());
        return t;
    }
    template <class T>
    static Tensor of(std::vector<std::int64_t> shape, const std::vector<T>& elements)
    {
        return of<T>(std::move(shape), std::span<const T>(elements));
    }
    template <class T>
    static Tensor scalar(T value)
    {
        return of<T>({}, std::span<const T>(&value, 1));
    }
    // A 1-D int64 tensor, the usual shape vector.
    static Tensor vector(const std::vector<std::int64_t>& values);

    DType dtype() const { return m_dtype; }
    const std::vector<std::int64_t>& shape() const { return m_shape; }
    std::size_t rank() const { return m_shape.size(); }
    std::int64_t elementCount() const { return m_count; }
    std::int64_t byteSize() const;    // of the elements, a splat written out; strings: their bytes
    std::int64_t storedBytes() const; // what this costs in memory or in a file: a splat one element

    bool isAvailable() const { return m_kind != Storage::unavailable; }
    const Message& whyUnavailable() const { return m_why; }
    bool isSplat() const { return m_kind == Storage::splat; }
    bool isMapped() const { return m_kind == Storage::mapped; }
    bool isString() const { return m_dtype == DType::string; }

    // The raw bytes; null for splats, strings and unavailable tensors.
    const std::byte* data() const { return m_data; }
    const void* splatElement() const { return m_element.data(); }
    // Only while building, only for owned storage.
    std::byte* mutableData() { return m_owned.get(); }
    template <class T>
    T* mutableElements()
    {
        return reinterpret_cast<T*>(m_owned.get());
    }
    std::vector<std::string>& mutableStrings() { return *m_strings; }

    // Element i as stored; T's size must be that of the type (uint8_t for the 8-bit floats).
    template <class T>
    T load(std::int64_t i) const
    {
        assert(bitsOf(m_dtype) == static_cast<int>(sizeof(T) * 8) && i >= 0 && i < m_count);
        T value;
        const void* from = m_kind == Storage::splat ? static_cast<const void*>(m_element.data())
                                                    : m_data + i * static_cast<std::int64_t>(sizeof(T));
        std::memcpy(&value, from, sizeof(T));
        return value;
    }
    const std::string& loadString(std::int64_t i) const
    {
        return (*m_strings)[m_strings->size() == 1 ? 0 : static_cast<std::size_t>(i)];
    }

    // Contiguous, aligned elements; copies (or writes out a splat) only if it must.
    template <class T>
    AlignedView<T> aligned() const
    {
        assert(bitsOf(m_dtype) == static_cast<int>(sizeof(T) * 8));
        const auto count = static_cast<std::size_t>(m_count);
        if (m_data && reinterpret_cast<std::uintptr_t>(m_data) % alignof(T) == 0)
            return {{reinterpret_cast<const T*>(m_data), count}, m_owner};
        const Tensor copy = materialized();
        return {{reinterpret_cast<const T*>(copy.m_data), count}, copy.m_owner};
    }

    // Element i as a number, of any numeric type (complex: the real part; bool: 0 or 1).
    double asDouble(std::int64_t i) const;
    // Exact for integers and bool; floats are truncated toward zero, saturating.
    std::int64_t asInt(std::int64_t i) const;
    // All elements of an integer tensor.
    std::vector<std::int64_t> asInts() const;
    // Rounds once to the element type; only for owned storage while building.
    void store(std::int64_t i, double value);
    void storeInt(std::int64_t i, std::int64_t value);

    // Owned, contiguous bytes of the same elements.
    Tensor materialized() const;
    // The same storage seen in another shape with as many elements.
    Tensor reshaped(std::vector<std::int64_t> shape) const;

    // Same type, shape and bits (so −0 differs from 0 and a NaN equals itself).
    bool bitwiseEquals(const Tensor& other) const;
    // Equal for bitwise equal tensors; reads the first element only.
    std::uint64_t hash() const;

private:
    enum class Storage { owned, mapped, splat, strings, unavailable };

    std::uint64_t loadPacked(std::int64_t i) const;
    void storePacked(std::int64_t i, std::uint64_t bits);

    DType m_dtype = DType::undefined;
    Storage m_kind = Storage::owned;
    std::vector<std::int64_t> m_shape{0};
    std::int64_t m_count = 0;
    const std::byte* m_data = nullptr;
    std::shared_ptr<std::byte> m_owned;
    std::shared_ptr<const void> m_owner;
    std::array<std::byte, 16> m_element{};
    std::shared_ptr<std::vector<std::string>> m_strings;
    Message m_why;
};

// The product of non-negative dimensions; nothing when one is negative or it passes 63 bits.
std::optional<std::int64_t> elementCountOf(std::span<const std::int64_t> shape);

} // namespace fusescope
