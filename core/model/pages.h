#pragma once

#include "base/sharing.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fusescope {

// A table from small indices to T in pages that copies share, in two levels: a copy costs a pointer
// for 4,096 entries, a write copies the one page it touches and the one list of pages above it, if
// others share them.
// T{} stands where nothing was set.
template <class T>
class Pages
{
public:
    const T& get(std::uint32_t index) const
    {
        static const T nothing{};
        const std::size_t chunk = index / chunkEntries;
        if (chunk >= m_chunks.size() || !m_chunks[chunk])
            return nothing;
        const auto& page = (*m_chunks[chunk])[index / pageEntries % chunkPages];
        return page ? (*page)[index % pageEntries] : nothing;
    }

    T& edit(std::uint32_t index)
    {
        const std::size_t chunk = index / chunkEntries;
        if (chunk >= m_chunks.size())
            m_chunks.resize(chunk + 1);
        auto& page = ownCopy(m_chunks[chunk])[index / pageEntries % chunkPages];
        if (index >= m_limit)
            m_limit = index + 1;
        return ownCopy(page)[index % pageEntries];
    }

    // One past the highest index that was set.
    std::uint32_t limit() const { return m_limit; }

private:
    static constexpr std::size_t pageEntries = 64;
    static constexpr std::size_t chunkPages = 64;
    static constexpr std::size_t chunkEntries = pageEntries * chunkPages;
    using Page = std::array<T, pageEntries>;
    using Chunk = std::array<std::shared_ptr<Page>, chunkPages>;

    std::vector<std::shared_ptr<Chunk>> m_chunks;
    std::uint32_t m_limit = 0;
};

} // namespace fusescope
