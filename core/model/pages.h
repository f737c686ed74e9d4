#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fusescope {

// A table from small indices to T in pages that copies share: a copy costs a pointer a page, a
// write copies the one page it touches. T{} stands where nothing was set.
template <class T, std::size_t PageSize = 64>
class Pages
{
public:
    const T& get(std::uint32_t index) const
    {
        static const T nothing{};
        const std::size_t page = index / PageSize;
        return page < m_pages.size() && m_pages[page] ? (*m_pages[page])[index % PageSize] : nothing;
    }

    T& edit(std::uint32_t index)
    {
        const std::size_t page = index / PageSize;
        if (page >= m_pages.size())
            m_pages.resize(page + 1);
        std::shared_ptr<Page>& slot = m_pages[page];
        if (!slot)
            slot = std::make_shared<Page>();
        else if (slot.use_count() != 1)
            slot = std::make_shared<Page>(*slot);
        return (*slot)[index % PageSize];
    }

    // One past the highest index that may be set.
    std::uint32_t limit() const { return static_cast<std::uint32_t>(m_pages.size() * PageSize); }

private:
    using Page = std::array<T, PageSize>;
    std::vector<std::shared_ptr<Page>> m_pages;
};

} // namespace fusescope
