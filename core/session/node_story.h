#pragma once

#include "session/session.h"

namespace fusescope {

// What is said of one node of a run, and the state whose nodes it names.
struct NodeStory
{
    int state = 0;
    std::vector<Explanation> answers; // empty: no rule looks for it in all of the run
};
// Asks at `step`; where no rule looks for the node yet, at the step that a refusal of it stands at.
NodeStory nodeStory(const Session& session, const Timeline& timeline, int step, NodeId node);

} // namespace fusescope
