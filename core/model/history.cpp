#include "model/history.h"

#include <cassert>

namespace fusescope {

History::History(Graph initial) : m_checkpoints{initial}, m_latest(std::move(initial)) {}

Result<void> History::append(std::shared_ptr<const GraphPatch> patch)
{
    if (!m_latest)
        m_latest = at(size());
    FUSESCOPE_TRY(m_latest->apply(*patch));
    m_patches.push_back(std::move(patch));
    if (m_patches.size() % interval == 0)
        m_checkpoints.push_back(*m_latest);
    return {};
}

void History::append(std::shared_ptr<const GraphPatch> patch, const Graph& after)
{
    m_latest.reset();
    m_patches.push_back(std::move(patch));
    if (m_patches.size() % interval == 0)
        m_checkpoints.push_back(after);
}

History History::withLatest(Graph newest) const
{
    History result = *this;
    result.m_latest = std::move(newest);
    return result;
}

Graph History::at(std::size_t step) const
{
    assert(step <= m_patches.size());
    if (step == m_patches.size() && m_latest)
        return *m_latest;
    const std::size_t below = step / interval;
    const bool fromAbove =
        below + 1 < m_checkpoints.size() && step % interval > interval / 2;
    if (fromAbove) {
        Graph graph = m_checkpoints[below + 1];
        for (std::size_t i = (below + 1) * interval; i > step; --i) {
            [[maybe_unused]] const auto undone = graph.apply(m_patches[i - 1]->inverse());
            assert(undone);
        }
        return graph;
    }
    Graph graph = m_checkpoints[below];
    for (std::size_t i = below * interval; i < step; ++i) {
        [[maybe_unused]] const auto done = graph.apply(*m_patches[i]);
        assert(done);
    }
    return graph;
}

} // namespace fusescope
