#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fusescope::fused {

// Zeroed pages, advised to be huge ones; empty when they cannot be had.
class MemoryBlock
{
public:
    MemoryBlock() = default;
    static MemoryBlock allocate(std::int64_t bytes);

    std::byte* data() const { return m_data.get(); }
    std::int64_t size() const { return m_size; }
    explicit operator bool() const { return m_data != nullptr; }

private:
    struct Unmap
    {
        std::size_t length;
        Unmap() : length(0) {}
        explicit Unmap(std::size_t bytes) : length(bytes) {}
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Unmap> m_data;
    std::int64_t m_size = 0;
};

} // namespace fusescope::fused
