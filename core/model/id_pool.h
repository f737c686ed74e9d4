#pragma once

#include "base/ids.h"
#include "model/graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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
    mutable std::optional<std::unordered_set<std::string_view>> m_openedNames; // once asked for
    std::unordered_map<std::string, std::vector<ValueId>> m_madeNames;
    std::vector<std::string> m_rules;
    Ids m_nodes, m_values, m_bodies;
    std::uint32_t m_nextNode, m_nextValue, m_nextBody;
};

} // namespace fusescope
