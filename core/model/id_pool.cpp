#include "model/id_pool.h"

#include <algorithm>
#include <utility>

namespace fusescope {

std::size_t IdPool::KeyHash::operator()(const Key& key) const
{
    // A root has few rules and ordinals: they go where the numbers of roots do not reach.
    const std::uint64_t packed = std::uint64_t{key.root} ^ (std::uint64_t{key.rule} << 32) ^
                                 (std::uint64_t{key.ordinal} << 48);
    return std::hash<std::uint64_t>()(packed);
}

IdPool::IdPool(const Graph& opened)
    : m_opened(opened), m_nextNode(opened.nodeLimit()), m_nextValue(opened.valueLimit()),
      m_nextBody(opened.bodyLimit())
{
}

void IdPool::readNames() const
{
    m_sameName.resize(m_opened.valueLimit());
    m_openedNames.reserve(m_opened.valueLimit());
    for (std::uint32_t i = 1; i < m_opened.valueLimit(); ++i) {
        const Value* value = m_opened.value(ValueId{i});
        if (value && !value->name.empty())
            m_sameName[i] = std::exchange(m_openedNames[value->name], ValueId{i});
    }
}

ValueId IdPool::lastOpened(const std::string& name) const
{
    if (m_sameName.empty())
        readNames();
    const auto found = m_openedNames.find(name);
    return found == m_openedNames.end() ? ValueId{} : found->second;
}

bool IdPool::isNameTaken(const Graph& now, const std::string& name) const
{
    if (lastOpened(name))
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

std::uint32_t IdPool::take(Ids& ids, std::uint32_t& next, std::string_view rule, NodeId root,
                           std::uint32_t ordinal)
{
    const auto known = std::ranges::find(m_rules, rule);
    const auto place = static_cast<std::uint32_t>(known - m_rules.begin());
    if (known == m_rules.end())
        m_rules.emplace_back(rule);
    const auto [at, isNew] = ids.try_emplace(Key{place, root.value, ordinal}, next);
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
