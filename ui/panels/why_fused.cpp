#include "ui/panels/why_fused.h"

#include <algorithm>

namespace fusescope {

namespace {

// Into a region, or away.
bool goes(const Slot<NodeId, Node>& slot)
{
    return slot.before && (!slot.after || slot.after->body != slot.before->body);
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

int stepAtRoot(const Timeline& timeline, RuleId rule, NodeId root, int state)
{
    for (const auto& step : timeline.steps) {
        if (step->number > state && step->rule == rule && step->root == root)
            return step->number;
    }
    return 0;
}

int stepThatTakes(const Timeline& timeline, NodeId node, int state)
{
    for (const auto& step : timeline.steps) {
        if (step->number <= state)
            continue;
        for (const auto& slot : step->patch.nodes) {
            if (slot.id == node && slot.before &&
                (goes(slot) || slot.after->op != slot.before->op))
                return step->number;
        }
    }
    return 0;
}

} // namespace fusescope
