#include "model/id_list.h"

#include "base/sharing.h"

namespace fusescope {

const ValueId& IdList::Iterator::operator*() const
{
    return (*(*m_list->m_blocks[m_block].leaves)[m_leaf].ids)[m_place];
}

IdList::Iterator& IdList::Iterator::operator++()
{
    const Block& leaves = *m_list->m_blocks[m_block].leaves;
    if (++m_place < leaves[m_leaf].ids->size())
        return *this;
    m_place = 0;
    if (++m_leaf < leaves.size())
        return *this;
    m_leaf = 0;
    ++m_block;
    return *this;
}

IdList::IdList(const std::vector<ValueId>& ids) : m_size(ids.size())
{
    for (std::size_t i = 0; i < ids.size();) {
        BlockEntry& block = m_blocks.emplace_back();
        block.leaves = std::make_shared<Block>();
        while (i < ids.size() && block.leaves->size() < blockLeaves) {
            const std::size_t end = std::min(i + leafIds, ids.size());
            Leaf& leaf = block.leaves->emplace_back();
            leaf.ids = std::make_shared<Ids>(ids.data() + i, ids.data() + end);
            for (; i < end; ++i) {
                leaf.range.take(ids[i]);
                block.range.take(ids[i]);
            }
            block.size += leaf.ids->size();
        }
    }
}

IdList::Iterator IdList::begin() const
{
    Iterator first;
    first.m_list = this;
    return first;
}

IdList::Iterator IdList::end() const
{
    Iterator last;
    last.m_list = this;
    last.m_block = m_blocks.size();
    return last;
}

ValueId IdList::operator[](std::size_t index) const
{
    for (const BlockEntry& block : m_blocks) {
        if (index >= block.size) {
            index -= block.size;
            continue;
        }
        for (const Leaf& leaf : *block.leaves) {
            if (index < leaf.ids->size())
                return (*leaf.ids)[index];
            index -= leaf.ids->size();
        }
    }
    return {};
}

bool IdList::contains(ValueId id) const
{
    return std::any_of(m_blocks.begin(), m_blocks.end(), [id](const BlockEntry& block) {
        return block.range.holds(id) &&
               std::any_of(block.leaves->begin(), block.leaves->end(), [id](const Leaf& leaf) {
                   return leaf.range.holds(id) &&
                          std::find(leaf.ids->begin(), leaf.ids->end(), id) != leaf.ids->end();
               });
    });
}

void IdList::push_back(ValueId id)
{
    ++m_size;
    const auto isFull = [](const Leaf& leaf) { return leaf.ids->size() >= leafIds; };
    if (m_blocks.empty() || (m_blocks.back().leaves->size() == blockLeaves &&
                             isFull(m_blocks.back().leaves->back())))
        m_blocks.emplace_back();
    BlockEntry& block = m_blocks.back();
    Block& leaves = ownCopy(block.leaves);
    if (leaves.empty() || isFull(leaves.back()))
        leaves.emplace_back();
    ownCopy(leaves.back().ids).push_back(id);
    leaves.back().range.take(id);
    block.range.take(id);
    ++block.size;
}

void IdList::erase(ValueId id)
{
    for (auto block = m_blocks.begin(); block != m_blocks.end(); ++block) {
        if (!block->range.holds(id))
            continue;
        for (std::size_t i = 0; i < block->leaves->size(); ++i) {
            const Leaf& found = (*block->leaves)[i];
            if (!found.range.holds(id))
                continue;
            const auto at = std::find(found.ids->begin(), found.ids->end(), id) - found.ids->begin();
            if (at == static_cast<std::ptrdiff_t>(found.ids->size()))
                continue;
            Block& leaves = ownCopy(block->leaves);
            const auto leaf = leaves.begin() + static_cast<std::ptrdiff_t>(i);
            if (leaf->ids->size() == 1) {
                leaves.erase(leaf);
            } else {
                Ids& ids = ownCopy(leaf->ids);
                ids.erase(ids.begin() + at);
            }
            --block->size;
            --m_size;
            if (leaves.empty())
                m_blocks.erase(block);
            return;
        }
    }
}

bool IdList::operator==(const IdList& other) const
{
    if (m_size != other.m_size)
        return false;
    const bool shared = std::equal(m_blocks.begin(), m_blocks.end(), other.m_blocks.begin(),
                                   other.m_blocks.end(), [](const BlockEntry& a, const BlockEntry& b) {
                                       return a.leaves == b.leaves;
                                   });
    return shared || std::equal(begin(), end(), other.begin());
}

} // namespace fusescope
