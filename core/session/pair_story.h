#pragma once

#include "session/timeline.h"

#include <string_view>

namespace fusescope {

// The step that decided over two nodes, followed through what took their place: it rewrote both
// together, or took away one of them, or both, without the other's doing.
struct PairStep
{
    int number = 0;               // 0: none
    std::vector<NodeId> removed;  // empty where both were rewritten together
};
PairStep pairStep(const Timeline& timeline, NodeId a, NodeId b);

// What became of two nodes in a run, by a rule of any stage; the same in either order.
struct PairStory
{
    enum class Answer {
        fused,      // rewritten together at `step`
        removed,    // one went alone at `step`
        skipped,    // `step` would have rewritten them, and was skipped
        overtaken,  // a rule could have, but `step` changed one of them before
        notReached, // a rule would, but the run ended before
        blocked,
        disabled,
        noPattern
    };
    Answer answer = Answer::noPattern;
    RuleId rule;
    int step = 0;
    int state = 0;         // the nodes of the texts and of `asked` are those of this state
    PairExplanation asked; // the conditions; nothing for fused and removed
    Message message;
    Message note;          // more of it, or none
};
std::string_view idOf(PairStory::Answer answer); // "fused", "no-pattern"
PairStory pairStory(const Timeline& timeline, NodeId a, NodeId b);

} // namespace fusescope
