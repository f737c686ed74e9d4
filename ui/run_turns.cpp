#include "ui/run_turns.h"

#include <algorithm>

namespace fusescope {

RunTurns& RunTurns::ofProcess()
{
    static RunTurns turns;
    return turns;
}

RunTurns::Place::Place(RunTurns& turns) : m_turns(turns)
{
    const std::scoped_lock lock(m_turns.m_mutex);
    m_number = m_turns.m_next++;
    m_turns.m_queue.push_back(m_number);
}

RunTurns::Place::~Place()
{
    {
        const std::scoped_lock lock(m_turns.m_mutex);
        std::erase(m_turns.m_queue, m_number);
    }
    m_turns.m_changed.notify_all();
}

bool RunTurns::Place::isFirst() const
{
    const std::scoped_lock lock(m_turns.m_mutex);
    return m_turns.m_queue.front() == m_number;
}

void RunTurns::Place::wait(const std::stop_token& stop) const
{
    std::unique_lock lock(m_turns.m_mutex);
    m_turns.m_changed.wait(lock, stop, [this] { return m_turns.m_queue.front() == m_number; });
}

} // namespace fusescope
