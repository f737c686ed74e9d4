#include "report/texts.h"

#include <unordered_map>
#include <vector>

namespace fusescope {

namespace texts {
// One table an area; add new ones here.
#define FUSESCOPE_TEXT_TABLES(X)                                                                   \
    X(base) X(model) X(io) X(ops) X(reasons) X(structure) X(conditions) X(fixes) X(passes)         \
    X(exec) X(session) X(layout) X(report) X(formulas) X(tags)
#define FUSESCOPE_DECLARE(name) std::span<const TextRow> name();
FUSESCOPE_TEXT_TABLES(FUSESCOPE_DECLARE)
#undef FUSESCOPE_DECLARE
} // namespace texts

std::span<const std::span<const TextRow>> textTables()
{
    static const std::vector<std::span<const TextRow>> tables = {
#define FUSESCOPE_CALL(name) texts::name(),
        FUSESCOPE_TEXT_TABLES(FUSESCOPE_CALL)
#undef FUSESCOPE_CALL
    };
    return tables;
}

const TextRow* findText(std::string_view key)
{
    static const auto index = [] {
        std::unordered_map<std::string_view, const TextRow*> map;
        for (const auto table : textTables()) {
            for (const TextRow& row : table)
                map.emplace(row.key, &row);
        }
        return map;
    }();
    const auto found = index.find(key);
    return found == index.end() ? nullptr : found->second;
}

} // namespace fusescope
