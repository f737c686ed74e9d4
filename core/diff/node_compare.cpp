#include "diff/node_compare.h"

#include "model/origins.h"

#include <algorithm>

namespace fusescope::diff {

bool differs(const Node& before, const Node& after)
{
    return before.op != after.op || before.inputs != after.inputs || before.outputs != after.outputs
           || before.bodies != after.bodies || before.body != after.body || before.name != after.name
           || before.region != after.region || !(before.attributes == after.attributes);
}

bool differs(const Value& before, const Value& after)
{
    const auto sameConstant = [&] {
        if (before.constant == after.constant)
            return before.sparse == after.sparse;
        return before.constant && after.constant
               && before.constant->bitwiseEquals(*after.constant);
    };
    return before.name != after.name || !(before.type == after.type)
           || before.isInput != after.isInput || !sameConstant();
}

std::unordered_map<NodeId, std::vector<NodeId>> successorsIn(const GraphPatch& patch,
                                                             const OwnerOf& regionBefore,
                                                             const OwnerOf& regionAfter)
{
    std::unordered_map<ValueId, NodeId> makerNow;
    std::unordered_map<NodeId, std::vector<NodeId>> byOrigin; // nodes that are new in this patch
    std::unordered_map<NodeId, NodeId> holderOfRegion; // an old region: the one its nodes went to
    for (const auto& slot : patch.nodes) {
        const bool stoodBefore = slot.before && !regionBefore(slot.before->body);
        const NodeId swallower = slot.after ? regionAfter(slot.after->body) : NodeId{};
        if (slot.before && swallower) {
            if (const NodeId old = regionBefore(slot.before->body); old && old != swallower)
                holderOfRegion.emplace(old, swallower);
        }
        if (!slot.after || swallower)
            continue;
        for (const ValueId output : slot.after->outputs) {
            if (output)
                makerNow.emplace(output, slot.id);
        }
        if (!stoodBefore) {
            for (const NodeId origin : originsOf(slot.id, slot.after.get()))
                byOrigin[origin].push_back(slot.id);
        }
    }
    std::unordered_map<NodeId, std::vector<NodeId>> result;
    for (const auto& slot : patch.nodes) {
        if (!slot.before || regionBefore(slot.before->body))
            continue;
        const NodeId swallower = slot.after ? regionAfter(slot.after->body) : NodeId{};
        if (slot.after && !swallower)
            continue;
        std::vector<NodeId>& found = result[slot.id];
        if (swallower) {
            found = {swallower};
            continue;
        }
        if (const auto holder = holderOfRegion.find(slot.id); holder != holderOfRegion.end()) {
            found = {holder->second};
            continue;
        }
        for (const ValueId output : slot.before->outputs) {
            const auto maker = output ? makerNow.find(output) : makerNow.end();
            if (maker != makerNow.end() && std::ranges::find(found, maker->second) == found.end())
                found.push_back(maker->second);
        }
        if (!found.empty())
            continue;
        for (const NodeId origin : originsOf(slot.id, slot.before.get())) {
            const auto heirs = byOrigin.find(origin);
            if (heirs == byOrigin.end())
                continue;
            for (const NodeId heir : heirs->second) {
                if (std::ranges::find(found, heir) == found.end())
                    found.push_back(heir);
            }
        }
        std::ranges::sort(found);
    }
    return result;
}

} // namespace fusescope::diff
