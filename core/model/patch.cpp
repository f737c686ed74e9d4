#include "model/patch.h"

#include <unordered_map>

namespace fusescope {

namespace {

template <class Id, class Record>
std::vector<Slot<Id, Record>> inverted(const std::vector<Slot<Id, Record>>& slots)
{
    std::vector<Slot<Id, Record>> result;
    result.reserve(slots.size());
    for (const auto& slot : slots)
        result.push_back({slot.id, slot.after, slot.before});
    return result;
}

template <class Id, class Record>
std::vector<Slot<Id, Record>> chained(const std::vector<Slot<Id, Record>>& first,
                                      const std::vector<Slot<Id, Record>>& next)
{
    std::vector<Slot<Id, Record>> result = first;
    std::unordered_map<Id, std::size_t> at;
    for (std::size_t i = 0; i < result.size(); ++i)
        at.emplace(result[i].id, i);
    for (const auto& slot : next) {
        const auto [position, isNew] = at.emplace(slot.id, result.size());
        if (isNew)
            result.push_back(slot);
        else
            result[position->second].after = slot.after;
    }
    std::erase_if(result, [](const auto& slot) { return slot.before == slot.after; });
    return result;
}

} // namespace

bool GraphPatch::empty() const
{
    return nodes.empty() && values.empty() && bodies.empty() && !header;
}

GraphPatch GraphPatch::inverse() const
{
    GraphPatch result{inverted(nodes), inverted(values), inverted(bodies), std::nullopt};
    if (header)
        result.header = {header->second, header->first};
    return result;
}

GraphPatch GraphPatch::then(const GraphPatch& next) const
{
    GraphPatch result{chained(nodes, next.nodes), chained(values, next.values),
                      chained(bodies, next.bodies), header};
    if (next.header)
        result.header = {header ? header->first : next.header->first, next.header->second};
    if (result.header && result.header->first == result.header->second)
        result.header.reset();
    return result;
}

} // namespace fusescope
