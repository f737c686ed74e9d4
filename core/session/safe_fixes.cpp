#include "session/safe_fixes.h"

#include <algorithm>

namespace fusescope {

namespace {

bool isSafe(const Reason& reason)
{
    return reason.fix && !reason.fix->changesMeaning && !reason.fix->changesInterface;
}

} // namespace

std::vector<Fix> safeFixes(const Timeline& timeline)
{
    std::vector<Fix> fixes;
    const auto has = [](const std::vector<Fix>& list, const Fix& fix) {
        return std::find(list.begin(), list.end(), fix) != list.end();
    };
    for (const Blocked& row : timeline.blocked) {
        const auto& reasons = row.miss.reasons;
        if (!std::all_of(reasons.begin(), reasons.end(), isSafe))
            continue;
        for (const Reason& reason : reasons) {
            if (!has(fixes, *reason.fix) && !has(timeline.plan.fixes, *reason.fix))
                fixes.push_back(*reason.fix);
        }
    }
    return fixes;
}

} // namespace fusescope
