#pragma once

#include "session/timeline.h"

#include <stop_token>
#include <string_view>
#include <vector>

namespace fusescope {

// One place where a rule had something to say over a whole run.
struct Candidate
{
    enum class Status {
        applied,
        skipped,
        blocked, // when all passes have ended
        disabled // a rule that is off would do it in the last state
    };
    Status status = Status::applied;
    RuleId rule;
    NodeId root;
    int step = 0; // of those applied and skipped, else 0
    std::vector<Reason> reasons;
    std::vector<Reason> lifted; // for which it was refused before this step
    std::vector<Remark> remarks; // of the step
    std::vector<NodeId> nodes;  // all that take part
    std::vector<ConditionRecord> conditions; // what the rule saw where it answered
};
std::string_view idOf(Candidate::Status status);

// All candidates of a finished run: those that are steps in their order, then those that are refused,
// then what rules that are off would do. Only those that one of `nodes` takes part in, unless it is
// empty. Rules are asked again for their conditions only where they are wanted.
Result<std::vector<Candidate>> candidatesOf(const Timeline& timeline,
                                            const std::vector<NodeId>& nodes, bool withConditions,
                                            std::stop_token stop = {});

// What blocks nothing: why nodes were kept that a rule would take away, as far as one of `nodes` is
// meant, unless it is empty.
std::vector<Remark> keptRemarks(const Timeline& timeline, const std::vector<NodeId>& nodes);

} // namespace fusescope
