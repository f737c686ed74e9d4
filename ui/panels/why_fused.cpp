#include "ui/panels/why_fused.h"

#include <algorithm>

namespace fusescope {

namespace {

// Into a region, or away.
bool goes(const Slot<NodeId, Node>& slot)
{
    return slot.before && (!slot.after || slot.after->body != slot.before->body);
}

NodeId heirOf(const UnionGraph& all, NodeId node)
{
    const std::vector<NodeId> heirs = all.successors(node);
    return heirs.empty() ? node : heirs.front();
}

bool takesPart(const Timeline& timeline, const Step& step, NodeId node)
{
    const auto& slots = step.patch.nodes;
    const auto own = std::find_if(slots.begin(), slots.end(),
                                  [node](const auto& slot) { return slot.id == node; });
    if (own == slots.end())
        return false;
    if (!own->before || goes(*own) || step.root == node)
        return true;
    return std::any_of(slots.begin(), slots.end(), [&](const auto& slot) {
        if (!goes(slot))
            return false;
        const std::vector<NodeId> heirs = timeline.unionGraph.successors(slot.id);
        return std::find(heirs.begin(), heirs.end(), node) != heirs.end();
    });
}

} // namespace

std::vector<int> fusionsOf(const Timeline& timeline, NodeId node)
{
    std::vector<int> steps;
    for (const auto& step : timeline.steps) {
        if (step->stage == Stage::fusion && takesPart(timeline, *step, node))
            steps.push_back(step->number);
    }
    return steps;
}

int fusionOf(const Timeline& timeline, NodeId a, NodeId b)
{
    for (const auto& step : timeline.steps) {
        bool touchesA = false, touchesB = false, goesA = false, goesB = false;
        for (const auto& slot : step->patch.nodes) {
            if (!slot.before || (slot.id != a && slot.id != b))
                continue;
            (slot.id == a ? touchesA : touchesB) = true;
            (slot.id == a ? goesA : goesB) = goes(slot);
        }
        if (step->stage == Stage::fusion && touchesA && touchesB && (goesA || goesB))
            return step->number;
        if (goesA)
            a = heirOf(timeline.unionGraph, a);
        if (goesB)
            b = heirOf(timeline.unionGraph, b);
        if (a == b)
            return step->number;
    }
    return 0;
}

} // namespace fusescope
