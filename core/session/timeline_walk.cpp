#include "session/timeline_walk.h"

namespace fusescope {

TimelineWalk::TimelineWalk(const Timeline& timeline)
    : m_timeline(timeline), m_before{timeline.at(0)}, m_after(m_before)
{
}

bool TimelineWalk::next()
{
    if (m_done == m_timeline.steps.size())
        return false;
    ++m_done;
    return true;
}

const Graph& TimelineWalk::Follower::at(const Timeline& timeline, std::size_t wanted)
{
    for (; step < wanted; ++step) {
        if (!graph.apply(timeline.steps[step]->patch))
            graph = timeline.at(static_cast<int>(step) + 1);
    }
    return graph;
}

} // namespace fusescope
