#pragma once

#include "diff/graph_diff.h"
#include "session/timeline.h"

namespace fusescope {

// Walks through the steps of a timeline in order. Costs what the steps change, where asking the
// timeline for each state costs many patches a step.
class TimelineWalk
{
public:
    explicit TimelineWalk(const Timeline& timeline);

    // To the next step; false when there is none.
    bool next();

    const Step& step() const { return *m_timeline.steps[m_done - 1]; }
    // Brought up to the step when they are asked for.
    const Graph& before() const { return m_before.at(m_timeline, m_done - 1); }
    const Graph& after() const { return m_after.at(m_timeline, m_done); }
    // The state in which the step's root stands: before the step, unless it made the root.
    const Graph& named() const { return before().node(step().root) ? before() : after(); }
    GraphDiff diff() const { return diffOfPatch(before(), after(), step().patch); }

private:
    struct Follower
    {
        Graph graph;
        std::size_t step = 0;
        const Graph& at(const Timeline& timeline, std::size_t wanted);
    };

    const Timeline& m_timeline;
    std::size_t m_done = 0;
    mutable Follower m_before, m_after;
};

} // namespace fusescope
