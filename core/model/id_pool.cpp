#include "model/id_pool.h"

namespace fusescope {

IdPool::IdPool(const Graph& opened)
    : m_nextNode(opened.nodeLimit()), m_nextValue(opened.valueLimit()),
      m_nextBody(opened.bodyLimit())
{
}

std::uint32_t IdPool::take(std::map<Key, std::uint32_t>& ids, std::uint32_t& next,
                           std::string_view rule, NodeId root, std::uint32_t ordinal)
{
    const auto [at, isNew] = ids.try_emplace(Key{rule, root.value, ordinal}, next);
    if (isNew)
        ++next;
    return at->second;
}

NodeId IdPool::node(std::string_view rule, NodeId root, std::uint32_t ordinal)
{
    return {take(m_nodes, m_nextNode, rule, root, ordinal)};
}

ValueId IdPool::value(std::string_view rule, NodeId root, std::uint32_t ordinal)
{
    return {take(m_values, m_nextValue, rule, root, ordinal)};
}

BodyId IdPool::body(std::string_view rule, NodeId root, std::uint32_t ordinal)
{
    return {take(m_bodies, m_nextBody, rule, root, ordinal)};
}

} // namespace fusescope
