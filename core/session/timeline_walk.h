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
    const Graph& before() const { return m_before; }
    const Graph& after() const { return m_after; }
    // The state in which the step's root stands: before the step, unless it made the root.
    const Graph& named() const { return m_before.node(step().root) ? m_before : m_after; }
    GraphDiff diff() const { return diffOfPatch(m_before, m_after, step().patch); }

private:
    const Timeline& m_timeline;
    std::size_t m_done = 0;
    Graph m_before, m_after;
};

} // namespace fusescope
