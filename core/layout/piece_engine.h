#pragma once

#include "layout/worker_pool.h"

#include <atomic>
#include <functional>

namespace fusescope::layout {

// Draws pieces: from the cache, else with Graphviz, else with the layout of our own. For any number
// of threads at once.
class PieceEngine
{
public:
    // Graphviz is asked until the deadline of `dot`, a drawing of our own improved until that of
    // `own`.
    PieceEngine(const LayoutOptions& options, const Limits& dot, const Limits& own);

    // Always a drawing. Kept and given again for an equal piece.
    Drawing draw(const Piece& piece);

    // Without Graphviz.
    Drawing drawOwn(const Piece& piece);

    // A drawing that costs next to nothing: a chain, or one from the cache. False if it is neither.
    bool drawAtOnce(const Piece& piece, Drawing& drawing);

    // Only with Graphviz and only within the given processor time, for a drawing that can be done
    // without. False if it did not come to be.
    bool tryDot(const Piece& piece, int cpuMilliseconds, Drawing& drawing);

    const Gaps& gaps() const { return m_gaps; }
    const Limits& limits() const { return m_own; }
    bool hasGraphviz() const { return m_pool != nullptr; }

    int drawnByDot() const { return m_byDot; }
    int drawnByOwn() const { return m_byOwn; }
    bool wasLate() const { return m_late; }
    // Graphs that were drawn in more than one segment.
    int stacked() const { return m_stacked; }
    void countStacked() { ++m_stacked; }

private:
    // A drawing with crossings gives way to one of our own if that is better.
    void improve(const Piece& piece, Drawing& drawing) const;

    std::shared_ptr<WorkerPool> m_pool;
    Gaps m_gaps;
    Limits m_dot;
    Limits m_own;
    bool m_useCache;
    std::atomic<int> m_byDot = 0;
    std::atomic<int> m_byOwn = 0;
    std::atomic<int> m_stacked = 0;
    std::atomic<bool> m_late = false;
};

using FinishDrawing = std::function<Drawing(std::size_t piece, Drawing drawing)>;

// Draws and finishes several pieces, two at a time.
std::vector<Drawing> drawAll(PieceEngine& engine, std::span<const Piece* const> pieces,
                             const FinishDrawing& finish);

// Nodes and the places that their edges need in the rows between: what the time of dot grows with.
double effortOf(const Piece& piece);

} // namespace fusescope::layout
