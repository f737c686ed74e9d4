#pragma once

#include "base/ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

namespace fusescope {

// A list of values in which copies share what they have in common: a copy, and a change at one
// place, cost a fraction of the length. Made for the initializers of a body: there are tens of
// thousands in a deep model, every state of it has the list, and a rewrite changes two or three.
// Looking for an id is quick while most of the list is in rising order, as files have it.
class IdList
{
public:
    class Iterator
    {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = ValueId;
        using difference_type = std::ptrdiff_t;
        using pointer = const ValueId*;
        using reference = const ValueId&;

        Iterator() = default;
        reference operator*() const;
        Iterator& operator++();
        Iterator operator++(int)
        {
            Iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(const Iterator&) const = default;

    private:
        friend class IdList;
        const IdList* m_list = nullptr;
        std::size_t m_block = 0, m_leaf = 0, m_place = 0;
    };
    using const_iterator = Iterator;
    using value_type = ValueId;

    IdList() = default;
    IdList(std::initializer_list<ValueId> ids) : IdList(std::vector<ValueId>(ids)) {}
    IdList(const std::vector<ValueId>& ids);

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    Iterator begin() const;
    Iterator end() const;
    ValueId front() const { return *begin(); }
    ValueId back() const { return m_blocks.back().leaves->back().ids->back(); }
    ValueId operator[](std::size_t index) const; // costs a look at each block before
    bool contains(ValueId id) const;
    std::vector<ValueId> toVector() const { return {begin(), end()}; }

    void push_back(ValueId id);
    void erase(ValueId id); // the first such; nothing when there is none
    void clear() { *this = IdList(); }

    bool operator==(const IdList& other) const;

    // Calls `visit` for every id that may not stand in `other`: for all of those, and for a few that
    // stand near one of them.
    template <class Visit>
    void forEachNear(const IdList& other, Visit visit) const
    {
        for (std::size_t b = 0; b < m_blocks.size(); ++b) {
            const Block* theirs = b < other.m_blocks.size() ? other.m_blocks[b].leaves.get() : nullptr;
            if (m_blocks[b].leaves.get() == theirs)
                continue;
            for (const Leaf& leaf : *m_blocks[b].leaves) {
                const bool shared =
                    theirs && std::any_of(theirs->begin(), theirs->end(),
                                          [&leaf](const Leaf& one) { return one.ids == leaf.ids; });
                if (!shared)
                    std::for_each(leaf.ids->begin(), leaf.ids->end(), visit);
            }
        }
    }

private:
    static constexpr std::size_t leafIds = 128;
    static constexpr std::size_t blockLeaves = 32;

    // The ids of a part lie between these; only ever widened.
    struct Range
    {
        std::uint32_t low = UINT32_MAX, high = 0;
        bool holds(ValueId id) const { return id.value >= low && id.value <= high; }
        void take(ValueId id)
        {
            low = std::min(low, id.value);
            high = std::max(high, id.value);
        }
    };
    using Ids = std::vector<ValueId>;
    struct Leaf
    {
        std::shared_ptr<Ids> ids; // never empty
        Range range;
    };
    using Block = std::vector<Leaf>;
    struct BlockEntry
    {
        std::shared_ptr<Block> leaves; // never empty
        std::size_t size = 0;          // ids in all of them
        Range range;
    };

    std::vector<BlockEntry> m_blocks;
    std::size_t m_size = 0;
};

} // namespace fusescope
