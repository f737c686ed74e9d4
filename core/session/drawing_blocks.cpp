#include "session/drawing_blocks.h"

#include "session/card.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace fusescope::drawing {

namespace {

constexpr std::size_t leastUnits = 4;
constexpr std::size_t leastEqual = 3;

std::string withoutNumbers(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c < '0' || c > '9')
            result += c;
        else if (result.empty() || result.back() != '#')
            result += '#';
    }
    return result;
}

std::vector<Block> byScope(const std::vector<Unit>& units)
{
    struct Scope
    {
        std::vector<std::size_t> units;
        std::string title;
        std::size_t depth = 0;
    };
    std::map<std::string, Scope> scopes;
    std::vector<std::vector<std::string>> parts(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        parts[i] = scopeParts(units[i].name, units[i].type);
        std::string prefix;
        for (std::size_t k = 0; k + 1 < parts[i].size() && k < 12; ++k) {
            prefix += "/" + parts[i][k];
            Scope& scope = scopes[prefix];
            scope.units.push_back(i);
            scope.title = parts[i][k];
            scope.depth = k;
        }
    }
    // Families of scopes that differ in their numbers.
    std::map<std::string, std::vector<const std::string*>> families;
    for (const auto& [prefix, scope] : scopes) {
        const std::string family = withoutNumbers(prefix);
        if (scope.units.size() >= leastUnits && family != prefix
            && withoutNumbers(scope.title) != scope.title)
            families[family].push_back(&prefix);
    }
    std::vector<std::pair<std::size_t, std::string>> order; // shallow ones first
    for (const auto& [family, members] : families) {
        if (members.size() < leastEqual)
            continue;
        for (const std::string* prefix : members)
            order.emplace_back(scopes[*prefix].depth, *prefix);
    }
    std::ranges::sort(order);
    std::vector<char> taken(units.size(), 0);
    std::vector<Block> result;
    for (const auto& [depth, prefix] : order) {
        Block block{"scope:" + prefix, scopes[prefix].title, {}};
        for (const std::size_t unit : scopes[prefix].units) {
            if (!taken[unit])
                block.units.push_back(unit);
        }
        if (block.units.size() < leastUnits)
            continue;
        for (const std::size_t unit : block.units)
            taken[unit] = 1;
        result.push_back(std::move(block));
    }
    std::ranges::sort(result, {}, [](const Block& b) { return b.units.front(); });
    return result;
}

std::vector<Block> byRepetition(const std::vector<Unit>& units)
{
    std::map<std::string_view, int> numbers;
    std::vector<int> types;
    types.reserve(units.size());
    for (const Unit& unit : units)
        types.push_back(numbers.emplace(unit.type, static_cast<int>(numbers.size())).first->second);
    std::size_t bestStart = 0, bestPeriod = 0, bestCovered = 0;
    const std::size_t longest = std::min<std::size_t>(160, units.size() / leastEqual);
    for (std::size_t period = leastUnits; period <= longest; ++period) {
        std::size_t run = 0;
        for (std::size_t i = 0; i + period < types.size(); ++i) {
            run = types[i] == types[i + period] ? run + 1 : 0;
            const std::size_t covered = (run / period + 1) * period;
            if (run >= (leastEqual - 1) * period && covered > bestCovered) {
                bestCovered = covered;
                bestPeriod = period;
                bestStart = i + 1 - run;
            }
        }
    }
    std::vector<Block> result;
    if (bestCovered * 2 < units.size() || bestPeriod == 0)
        return result;
    for (std::size_t k = 0; (k + 1) * bestPeriod <= bestCovered; ++k) {
        Block block{fmt::format("repeat:{}", units[bestStart + k * bestPeriod].node.value),
                    fmt::format("{}", k + 1), {}};
        for (std::size_t i = 0; i < bestPeriod; ++i)
            block.units.push_back(bestStart + k * bestPeriod + i);
        result.push_back(std::move(block));
    }
    return result;
}

} // namespace

std::vector<Block> findBlocks(const std::vector<Unit>& units)
{
    std::vector<Block> scopes = byScope(units);
    std::size_t covered = 0;
    for (const Block& block : scopes)
        covered += block.units.size();
    if (covered * 2 >= units.size())
        return scopes;
    std::vector<Block> repeats = byRepetition(units);
    return repeats.empty() ? scopes : repeats;
}

} // namespace fusescope::drawing
