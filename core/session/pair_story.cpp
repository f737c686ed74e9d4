#include "session/pair_story.h"

#include "passes/explain.h"

#include <algorithm>

namespace fusescope {

namespace {

using Became = PairStory::Answer;

bool has(const std::vector<NodeId>& nodes, NodeId id)
{
    return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
}

// Into a region, or away.
bool goes(const Slot<NodeId, Node>& slot)
{
    return slot.before && (!slot.after || slot.after->body != slot.before->body);
}

// One of the two on its way through the steps.
struct Walker
{
    NodeId at;
    NodeId next; // after the step
    bool touched = false, gone = false;

    void look(const Step& step)
    {
        touched = gone = false;
        next = at;
        for (const auto& slot : step.patch.nodes) {
            if (slot.id == at && slot.before) {
                touched = true;
                gone = goes(slot);
            }
        }
    }
};

// What stands in the place of a node that a step took away; none where nothing does.
NodeId heirOf(const Timeline& timeline, const Step& step, NodeId node)
{
    // A rule of one node leaves none of it, but where a new node says that it comes from it.
    const bool alone = step.stage != Stage::fusion && step.taken.size() <= 1;
    for (const NodeId heir : timeline.unionGraph.successors(node)) {
        const Node* record = timeline.unionGraph.lastRecord(heir);
        if (!alone || (record && has(record->origins, node)))
            return heir;
    }
    return {};
}

// The last state in which both stand on their own, in no region.
int lastOfBoth(const Timeline& timeline, NodeId a, NodeId b)
{
    for (const auto& step : timeline.steps) {
        for (const auto& slot : step->patch.nodes) {
            if ((slot.id == a || slot.id == b) && goes(slot))
                return step->number - 1;
        }
    }
    return timeline.size();
}

// What became of a rewrite that was legal in the last state of both, and is no step of this run.
PairStory notDone(const Timeline& timeline, PairStory story, NodeId a, NodeId b)
{
    std::vector<std::pair<std::string, MessageArg>> args = {{"a", a},
                                                            {"b", b},
                                                            {"node", story.asked.alone},
                                                            {"rule", std::string(story.rule)},
                                                            {"step", std::int64_t{story.state + 1}}};
    const auto tell = [&](Became answer, TextId text, TextId alone) {
        story.answer = answer;
        story.message = Message(story.asked.alone ? alone : text, std::move(args));
        return std::move(story);
    };
    const Explanation& legal = story.asked.nearest;
    for (const auto& step : timeline.steps) {
        if (step->state != StepState::skipped || step->rule != legal.rule ||
            step->root != legal.root)
            continue;
        story.step = step->number;
        args.back().second = std::int64_t{step->number};
        return tell(Became::skipped, "explain.skipped", "explain.alone-skipped");
    }
    if (story.state < timeline.size()) {
        story.step = story.state + 1;
        args.emplace_back("by", std::string(timeline.steps[std::size_t(story.state)]->rule));
        return tell(Became::overtaken, "explain.overtaken", "explain.overtaken");
    }
    return tell(Became::notReached, "explain.not-reached", "explain.alone-not-reached");
}

PairStory asked(const Timeline& timeline, NodeId a, NodeId b)
{
    PairStory story;
    story.state = lastOfBoth(timeline, a, b);
    story.asked = explainPair(timeline.at(story.state), timeline.plan, a, b, timeline.at(0));
    story.rule = story.asked.nearest.rule;
    story.message = story.asked.message;
    story.note = story.asked.note;
    switch (story.asked.answer) {
    case PairExplanation::Answer::blocked:
        story.answer = Became::blocked;
        break;
    case PairExplanation::Answer::legal:
        return notDone(timeline, std::move(story), a, b);
    case PairExplanation::Answer::disabled:
        story.answer = Became::disabled;
        break;
    case PairExplanation::Answer::noPattern:
        break;
    }
    return story;
}

// Both as they stand in the end, and the step at which the first of them became part of another.
struct Heirs
{
    NodeId a, b;
    NodeId gone, heir;
    int step = 0;
};

Heirs heirsOf(const Timeline& timeline, NodeId a, NodeId b)
{
    Heirs heirs{a, b, {}, {}, 0};
    for (const auto& step : timeline.steps) {
        for (NodeId* node : {&heirs.a, &heirs.b}) {
            Walker walker{*node, *node};
            walker.look(*step);
            const NodeId heir = walker.gone ? heirOf(timeline, *step, *node) : NodeId{};
            if (!walker.gone)
                continue;
            if (!heir)
                return heirs;
            if (heirs.step == 0) {
                heirs.step = step->number;
                heirs.gone = *node;
                heirs.heir = heir;
            }
            *node = heir;
        }
    }
    return heirs;
}

} // namespace

std::string_view idOf(PairStory::Answer answer)
{
    static constexpr std::string_view ids[] = {"fused",       "removed", "skipped",  "overtaken",
                                               "not-reached", "blocked", "disabled", "no-pattern"};
    return ids[static_cast<int>(answer)];
}

PairStep pairStep(const Timeline& timeline, NodeId a, NodeId b)
{
    Walker x{a, a}, y{b, b};
    for (const auto& next : timeline.steps) {
        const Step& step = *next;
        x.look(step);
        y.look(step);
        if (!x.touched && !y.touched)
            continue;
        const bool takesX = has(step.taken, x.at), takesY = has(step.taken, y.at);
        const bool together = (x.gone || takesX) && (y.gone || takesY) && (x.gone || y.gone);
        if ((takesX && takesY && step.taken.size() > 1) ||
            (step.stage == Stage::fusion && together))
            return {step.number, {}};
        PairStep removal{step.number, {}};
        for (Walker* one : {&x, &y}) {
            const NodeId heir = one->gone ? heirOf(timeline, step, one->at) : NodeId{};
            if (one->gone && !heir)
                removal.removed.push_back(one == &x ? a : b);
            else if (heir)
                one->next = heir;
        }
        if (!removal.removed.empty()) {
            const Graph before = timeline.at(step.number - 1);
            return areNeighbours(before, x.at, y.at) ? removal : PairStep{};
        }
        x.at = x.next;
        y.at = y.next;
        if (x.at == y.at)
            return {step.number, {}};
    }
    return {};
}

PairStory pairStory(const Timeline& timeline, NodeId a, NodeId b)
{
    if (b < a)
        std::swap(a, b); // the same answer in either order
    if (const PairStep decided = pairStep(timeline, a, b); decided.number > 0) {
        const Step& step = *timeline.steps[static_cast<std::size_t>(decided.number - 1)];
        PairStory story;
        story.rule = step.rule;
        story.step = decided.number;
        const std::vector<std::pair<std::string, MessageArg>> args = {
            {"a", a},
            {"b", b},
            {"node", decided.removed.empty() ? a : decided.removed.front()},
            {"other", decided.removed.empty() || decided.removed.front() == a ? b : a},
            {"rule", std::string(step.rule)},
            {"step", std::int64_t{decided.number}}};
        story.answer = decided.removed.empty() ? Became::fused : Became::removed;
        if (!decided.removed.empty())
            story.message = Message(decided.removed.size() == 1 ? TextId("explain.removed")
                                                                : TextId("explain.removed-both"),
                                    args);
        else
            story.message = Message(step.stage == Stage::fusion ? TextId("explain.fused-at")
                                                                : TextId("explain.joined-at"),
                                    args);
        return story;
    }
    PairStory story = asked(timeline, a, b);
    const Heirs heirs = heirsOf(timeline, a, b);
    if (heirs.step == 0 || heirs.a == heirs.b)
        return story;
    const Message partOf("explain.part-of", {{"node", heirs.gone},
                                             {"heir", heirs.heir},
                                             {"step", std::int64_t{heirs.step}}});
    if (story.answer != Became::noPattern && !story.asked.alone) {
        if (!story.note && story.answer == Became::blocked)
            story.note = partOf;
        return story;
    }
    // What is part of another by now may be refused as that.
    PairStory later = asked(timeline, heirs.a, heirs.b);
    if (later.answer == Became::noPattern && !story.asked.alone)
        return story;
    if (!later.note)
        later.note = partOf;
    return later;
}

} // namespace fusescope
