#pragma once

#include "base/ids.h"
#include "model/graph.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fusescope {

// Gives new ids. The same (rule, root, ordinal) always gets the same id, so that after a skip or a
// fix the same rewrite makes the same nodes; ids are never reused. Not for several threads at once.
class IdPool
{
public:
    explicit IdPool(const Graph& opened);

    NodeId node(std::string_view rule, NodeId root, std::uint32_t ordinal);
    ValueId value(std::string_view rule, NodeId root, std::uint32_t ordinal);
    BodyId body(std::string_view rule, NodeId root, std::uint32_t ordinal);

    // Whether a value of the opened model has this name, or one that a rewrite made and that stands
    // in `now`. Costs the same for models of any size.
    bool isNameTaken(const Graph& now, const std::string& name) const;
    // Whether one of the values with this name that stand in `now` is accepted; the newest are asked
    // first. Costs what the values of this one name are.
    template <class Accept>
    bool hasValueNamed(const Graph& now, const std::string& name, const Accept& accept) const
    {
        const auto holds = [&](ValueId id) {
            ++m_lookedAt;
            const Value* value = now.value(id);
            return value && value->name == name && accept(id);
        };
        if (const auto made = m_madeNames.find(name); made != m_madeNames.end()) {
            if (std::any_of(made->second.rbegin(), made->second.rend(), holds))
                return true;
        }
        for (ValueId id = lastOpened(name); id; id = m_sameName[id.value]) {
            if (holds(id))
                return true;
        }
        return false;
    }
    // How many values such questions looked at so far.
    std::size_t valuesLookedAt() const { return m_lookedAt; }
    // Says that a rewrite made a value of this name.
    void noteName(const std::string& name, ValueId value);

private:
    struct Key
    {
        std::uint32_t rule, root, ordinal; // the rule by its place in m_rules
        bool operator==(const Key&) const = default;
    };
    struct KeyHash
    {
        std::size_t operator()(const Key& key) const;
    };
    using Ids = std::unordered_map<Key, std::uint32_t, KeyHash>;
    std::uint32_t take(Ids& ids, std::uint32_t& next, std::string_view rule, NodeId root,
                       std::uint32_t ordinal);

    Graph m_opened;
    void readNames() const;
    ValueId lastOpened(const std::string& name) const;

    // The opened model's names, read once asked for: the last value of each, and for each value the
    // one before it of the same name.
    mutable std::unordered_map<std::string_view, ValueId> m_openedNames;
    mutable std::vector<ValueId> m_sameName;
    mutable std::size_t m_lookedAt = 0;
    std::unordered_map<std::string, std::vector<ValueId>> m_madeNames;
    std::vector<std::string> m_rules;
    Ids m_nodes, m_values, m_bodies;
    std::uint32_t m_nextNode, m_nextValue, m_nextBody;
};

} // namespace fusescope
