#include "model/id_pool.h"

#include <algorithm>

namespace fusescope {

IdPool::IdPool(const Graph& opened)
    : m_nextNode(opened.nodeLimit()), m_nextValue(opened.valueLimit()),
      m_nextBody(opened.bodyLimit())
{
    for (std::uint32_t i = 1; i < opened.valueLimit(); ++i) {
        const Value* value = opened.value(ValueId{i});
        if (value && !value->name.empty())
            m_openedNames.insert(value->name);
    }
}

bool IdPool::isNameTaken(const Graph& now, const std::string& name) const
{
    if (m_openedNames.contains(name))
        return true;
    const auto made = m_madeNames.find(name);
    if (made == m_madeNames.end())
        return false;
    return std::ranges::any_of(made->second, [&](ValueId id) {
        const Value* value = now.value(id);
        return value && value->name == name;
    });
}

void IdPool::noteName(const std::string& name, ValueId value)
{
    auto& values = m_madeNames[name];
    if (std::ranges::find(values, value) == values.end())
        values.push_back(value);
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
