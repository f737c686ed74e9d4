#include "exec/fused/memory.h"

#include <sys/mman.h>

namespace fusescope::fused {

namespace {

constexpr std::int64_t hugePage = std::int64_t{2} << 20;

} // namespace

void MemoryBlock::Unmap::operator()(std::byte* data) const
{
    munmap(data, length);
}

MemoryBlock MemoryBlock::allocate(std::int64_t bytes)
{
    MemoryBlock block;
    if (bytes <= 0)
        return block;
    // Room to begin at a huge page, when the block is worth one.
    const bool huge = bytes >= hugePage;
    const std::int64_t length = huge ? (bytes + 2 * hugePage - 1) / hugePage * hugePage : bytes;
    void* const mapped = mmap(nullptr, static_cast<std::size_t>(length), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return block;
    auto* begin = static_cast<std::byte*>(mapped);
    std::int64_t kept = length;
    if (huge) {
        const auto address = reinterpret_cast<std::uintptr_t>(begin);
        const auto skipped = static_cast<std::int64_t>((hugePage - address % hugePage) % hugePage);
        if (skipped > 0)
            munmap(begin, static_cast<std::size_t>(skipped));
        begin += skipped;
        kept -= skipped;
        madvise(begin, static_cast<std::size_t>(kept), MADV_HUGEPAGE);
    }
    block.m_data = std::unique_ptr<std::byte, Unmap>(begin, Unmap{static_cast<std::size_t>(kept)});
    block.m_size = bytes;
    return block;
}

} // namespace fusescope::fused
