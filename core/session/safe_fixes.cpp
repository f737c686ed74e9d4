#include "session/safe_fixes.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace fusescope {

namespace {

bool isSafe(const Reason& reason)
{
    return reason.fix && !reason.fix->changesMeaning && !reason.fix->changesInterface;
}

// The last step that an edit of the plan made, or a fix that counts.
int lastChange(const Timeline& timeline, bool (*counts)(const Fix&))
{
    int last = 0;
    for (const auto& step : timeline.steps) {
        if (step->stage != Stage::fixes || step->state != StepState::applied)
            continue;
        for (const Edit& edit : timeline.plan.edits) {
            if (idOf(edit.kind) == step->rule)
                last = step->number;
        }
        for (const Fix& fix : timeline.plan.fixes) {
            if (idOf(fix.kind) == step->rule && counts(fix))
                last = step->number;
        }
    }
    return last;
}

} // namespace

std::vector<Fix> safeFixes(const Timeline& timeline)
{
    const auto before = [](const Fix& a, const Fix& b) {
        return std::tie(a.kind, a.target, a.changesMeaning, a.changesInterface) <
               std::tie(b.kind, b.target, b.changesMeaning, b.changesInterface);
    };
    std::set<Fix, decltype(before)> known(timeline.plan.fixes.begin(), timeline.plan.fixes.end(),
                                          before);
    std::vector<Fix> fixes;
    for (const Blocked& row : timeline.blocked) {
        const auto& reasons = row.miss.reasons;
        if (!std::all_of(reasons.begin(), reasons.end(), isSafe))
            continue;
        for (const Reason& reason : reasons) {
            if (known.insert(*reason.fix).second)
                fixes.push_back(*reason.fix);
        }
    }
    return fixes;
}

int lastIntendedChange(const Timeline& timeline)
{
    return lastChange(timeline,
                      [](const Fix& fix) { return fix.changesMeaning || fix.changesInterface; });
}

int lastMeaningChange(const Timeline& timeline)
{
    return lastChange(timeline, [](const Fix& fix) { return fix.changesMeaning; });
}

} // namespace fusescope
