#include "session/timeline_walk.h"

namespace fusescope {

TimelineWalk::TimelineWalk(const Timeline& timeline)
    : m_timeline(timeline), m_before(timeline.at(0)), m_after(m_before)
{
}

bool TimelineWalk::next()
{
    if (m_done == m_timeline.steps.size())
        return false;
    const auto advance = [this](Graph& graph, std::size_t step) {
        if (!graph.apply(m_timeline.steps[step]->patch))
            graph = m_timeline.at(static_cast<int>(step) + 1);
    };
    if (m_done > 0)
        advance(m_before, m_done - 1);
    advance(m_after, m_done++);
    return true;
}

} // namespace fusescope
