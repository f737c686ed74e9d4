#include "session/candidates.h"

#include "passes/explain.h"
#include "passes/rule_support.h"
#include "session/timeline_walk.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fusescope {

namespace {

using Status = Candidate::Status;

bool isMeant(const std::vector<NodeId>& nodes, const std::vector<NodeId>& asked)
{
    return asked.empty() || std::ranges::any_of(nodes, [&asked](NodeId id) {
               return std::ranges::find(asked, id) != asked.end();
           });
}

std::vector<Candidate> ofSteps(const Timeline& timeline)
{
    std::multimap<int, const Lifted*> lifted;
    for (const Lifted& one : timeline.lifted)
        lifted.emplace(one.until, &one);
    std::vector<Candidate> result;
    for (const auto& step : timeline.steps) {
        Candidate one;
        one.status = step->state == StepState::applied ? Status::applied : Status::skipped;
        one.rule = step->rule;
        one.root = step->root;
        one.step = step->number;
        one.remarks = step->remarks;
        one.nodes = step->taken;
        one.nodes.push_back(step->root);
        for (const auto& slot : step->patch.nodes)
            one.nodes.push_back(slot.id);
        const auto [first, last] = lifted.equal_range(step->number);
        for (auto at = first; at != last; ++at)
            one.lifted.insert(one.lifted.end(), at->second->miss.reasons.begin(),
                              at->second->miss.reasons.end());
        result.push_back(std::move(one));
    }
    return result;
}

Candidate ofRefusal(const Blocked& row)
{
    Candidate one;
    one.status = Status::blocked;
    one.rule = row.miss.rule;
    one.root = row.miss.root;
    one.reasons = row.miss.reasons;
    one.nodes = row.miss.nodes;
    one.nodes.push_back(row.miss.root);
    return one;
}

// A candidate whose rule is to be asked in the state after so many steps.
struct Question
{
    Candidate* candidate;
    const Pass* pass;
    int state;
};

// Asks in the order of the states, so that the model is walked through once.
Result<void> answer(const Timeline& timeline, std::vector<Question> questions, std::stop_token stop)
{
    std::ranges::stable_sort(questions, {}, &Question::state);
    TimelineWalk walk(timeline);
    RuleAsker asker(walk.after(), timeline.plan, timeline.at(0));
    int state = 0;
    for (const Question& question : questions) {
        if (stop.stop_requested())
            return cancelled();
        for (; state < question.state && walk.next(); ++state)
            asker.grew(-walk.step().cost.storedBytes);
        Candidate& candidate = *question.candidate;
        if (!walk.after().node(candidate.root))
            continue; // made by the step, or none: a rule of the whole model
        if (auto told = asker.ask(*question.pass, candidate.root))
            candidate.conditions = std::move(told->explanation.conditions);
    }
    return {};
}

Result<void> addDisabled(std::vector<Candidate>& candidates, const Timeline& timeline,
                         bool withConditions, std::stop_token stop)
{
    const Graph last = timeline.at(timeline.size());
    const RuleAsker asker(last, timeline.plan, timeline.at(0));
    for (const Pass* pass : allPasses()) {
        if (isOn(timeline.plan.policy, *pass))
            continue;
        for (const NodeId root : last.allNodes()) {
            if (stop.stop_requested())
                return cancelled();
            auto told = asker.ask(*pass, root);
            if (!told || told->explanation.status != Explanation::Status::disabled)
                continue;
            Candidate one;
            one.status = Status::disabled;
            one.rule = pass->rule();
            one.root = root;
            one.nodes = std::move(told->taken);
            if (withConditions)
                one.conditions = std::move(told->explanation.conditions);
            candidates.push_back(std::move(one));
        }
    }
    return {};
}

} // namespace

std::string_view idOf(Candidate::Status status)
{
    static constexpr std::string_view ids[] = {"applied", "skipped", "blocked", "disabled"};
    return ids[static_cast<int>(status)];
}

Result<std::vector<Candidate>> candidatesOf(const Timeline& timeline,
                                            const std::vector<NodeId>& nodes, bool withConditions,
                                            std::stop_token stop)
{
    std::vector<Candidate> result = ofSteps(timeline);
    const std::size_t steps = result.size();
    for (const Blocked& row : timeline.blocked)
        result.push_back(ofRefusal(row));
    if (withConditions) {
        std::vector<Question> questions;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const Blocked* row = i < steps ? nullptr : &timeline.blocked[i - steps];
            const Pass* pass = findPass(row ? row->pass : result[i].rule);
            if (pass && isMeant(result[i].nodes, nodes)) // a fix is no rule
                questions.push_back({&result[i], pass, row ? row->finalAt : result[i].step - 1});
        }
        FUSESCOPE_TRY(answer(timeline, std::move(questions), stop));
    }
    FUSESCOPE_TRY(addDisabled(result, timeline, withConditions, stop));
    std::erase_if(result, [&nodes](const Candidate& one) { return !isMeant(one.nodes, nodes); });
    return result;
}

std::vector<Remark> keptRemarks(const Timeline& timeline, const std::vector<NodeId>& nodes)
{
    const auto keyOf = [](const Remark& one) {
        return std::tuple(one.rule, one.root, one.reason.code);
    };
    std::set<std::tuple<RuleId, NodeId, ReasonCode>> ofSteps;
    for (const auto& step : timeline.steps) {
        for (const Remark& one : step->remarks)
            ofSteps.insert(keyOf(one));
    }
    std::vector<Remark> kept;
    for (const Remark& one : timeline.remarks) {
        std::vector<NodeId> about{one.root};
        for (const Subject& culprit : one.reason.culprits) {
            if (const auto* id = std::get_if<NodeId>(&culprit))
                about.push_back(*id);
        }
        if (!ofSteps.contains(keyOf(one)) && isMeant(about, nodes))
            kept.push_back(one);
    }
    return kept;
}

} // namespace fusescope
