#include "passes/fix_trial.h"

#include "passes/references.h"
#include "passes/rule_support.h"
#include "report/make_reason.h"

#include <algorithm>

namespace fusescope {

namespace {

// Fixes that change what is there and add no nodes: what is said of the copy holds for the graph.
bool isTried(const Reason& reason)
{
    return reason.fix && (reason.fix->kind == FixKind::freezeInitializers ||
                          reason.fix->kind == FixKind::inferenceBatchnorm ||
                          reason.fix->kind == FixKind::inferenceDropout);
}

bool sameFix(const Fix& a, const Fix& b)
{
    return a.kind == b.kind && a.target == b.target;
}

bool isKnown(const MissReason& miss, const Reason& reason)
{
    return std::ranges::any_of(miss.reasons, [&reason](const Reason& known) {
        return known.code == reason.code && known.culprits == reason.culprits;
    });
}

} // namespace

FixTrial::FixTrial(const Graph& graph, const Plan& plan, const CallSizes& calls, std::int64_t grown)
    : m_graph(graph), m_plan(plan), m_calls(calls), m_grown(grown)
{
}

bool FixTrial::prepare(std::vector<Fix> fixes)
{
    if (!m_scratch)
        m_scratch.emplace(m_graph, IdPool(m_graph), std::vector<Fix>(), std::vector<GraphPatch>());
    auto& [graph, pool, done, patches] = *m_scratch;
    if (done == fixes)
        return true;
    ++m_preparations;
    done.clear();
    for (; !patches.empty(); patches.pop_back()) {
        if (!graph.apply(patches.back().inverse()))
            return false; // cannot be: what was applied is taken back
    }
    for (const Fix& fix : fixes) {
        auto patch = fixPatch(graph, pool, fix, m_plan.policy);
        if (!patch || !graph.apply(*patch))
            return false;
        patches.push_back(std::move(*patch));
    }
    done = std::move(fixes);
    return true;
}

FixTrial::Outcome FixTrial::outcome(const Pass& pass, const MissReason& miss)
{
    std::vector<Fix> fixes;
    for (const Reason& reason : miss.reasons) {
        if (reason.fix && std::ranges::none_of(fixes, [&reason](const Fix& fix) {
                return sameFix(fix, *reason.fix);
            }))
            fixes.push_back(*reason.fix);
    }
    Outcome result;
    result.applied = prepare(std::move(fixes));
    if (!result.applied)
        return result;
    const Graph& graph = m_scratch->graph;
    const CallCounts callers; // nothing is opened here
    ReadSet reads;
    const PassContext context{{GraphView(graph, &reads), m_plan.policy, nullptr, m_grown},
                              evaluateForFolding(),
                              m_calls,
                              callers,
                              {}};
    result.answer =
        withoutReferences(pass, graph, miss.root, reads, pass.examine(context, miss.root));
    return result;
}

void FixTrial::examine(const Pass& pass, MissReason& miss)
{
    const auto dropFixes = [&miss] {
        for (Reason& reason : miss.reasons)
            reason.fix.reset();
    };
    // Each time something new shows, else it ends.
    while (std::ranges::any_of(miss.reasons, isTried) &&
           std::ranges::all_of(miss.reasons, isTried)) {
        const Outcome after = outcome(pass, miss);
        const auto* still = std::get_if<MissReason>(&after.answer);
        if (!after.applied || std::holds_alternative<std::monostate>(after.answer)) {
            dropFixes();
            return;
        }
        if (!still)
            return;
        // What folding makes of it is constant before the rule is asked.
        const auto folds = [](const Reason& reason) {
            return reason.code == ReasonCode::notConstant;
        };
        if (std::ranges::all_of(still->reasons, folds))
            return;
        const std::size_t before = miss.reasons.size();
        for (const Reason& reason : still->reasons) {
            if (!isKnown(miss, reason))
                miss.reasons.push_back(reason);
        }
        if (miss.reasons.size() == before)
            dropFixes();
        else
            keepFixesThatUnblock(miss.reasons);
    }
}

} // namespace fusescope
