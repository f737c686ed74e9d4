#include "ops/registry.h"

#include "ops/families.h"

#include <unordered_map>

namespace fusescope {

namespace {

// One row a family file; the order does not matter.
constexpr auto familyTable = {
    families::convolution, families::pooling,     families::normalization, families::products,
    families::recurrent,   families::controlFlow, families::elementwise,   families::activation,
    families::reduction,   families::shaping,     families::indexing,      families::generation,
    families::casting,     families::quantization, families::sequence,     families::resizing,
    families::logic,       families::random,
    families::images,
};

struct KeyHash
{
    std::size_t operator()(const std::pair<std::string_view, std::string_view>& key) const
    {
        return std::hash<std::string_view>{}(key.first) * 31 +
               std::hash<std::string_view>{}(key.second);
    }
};

using Table = std::unordered_map<std::pair<std::string_view, std::string_view>,
                                 std::vector<const OpEntry*>, KeyHash>;

Table makeTable()
{
    Table table;
    for (const auto family : familyTable) {
        for (const OpEntry& entry : family())
            table[{entry.domain, entry.type}].push_back(&entry);
    }
    for (auto& [key, entries] : table)
        std::sort(entries.begin(), entries.end(),
                  [](const OpEntry* a, const OpEntry* b) { return a->since < b->since; });
    return table;
}

} // namespace

const OpEntry* findOp(std::string_view domain, std::string_view type, int sinceVersion)
{
    static const Table table = makeTable();
    const auto found = table.find({domain == "ai.onnx" ? std::string_view{} : domain, type});
    if (found == table.end())
        return nullptr;
    const OpEntry* best = nullptr;
    for (const OpEntry* entry : found->second) {
        if (entry->since <= sinceVersion)
            best = entry;
    }
    return best;
}

std::vector<OpEntry> allOps()
{
    std::vector<OpEntry> result;
    for (const auto family : familyTable) {
        const auto entries = family();
        result.insert(result.end(), entries.begin(), entries.end());
    }
    return result;
}

} // namespace fusescope
