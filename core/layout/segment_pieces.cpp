#include "layout/segment_pieces.h"

#include <algorithm>

namespace fusescope::layout {

namespace {

constexpr int hubReaders = 3; // reading segments from which on a lane runs at the left
constexpr float portSize = 4;

class Maker
{
public:
    Maker(const Piece& whole, const Limits& limits)
        : m_whole(whole), m_out(Adjacency::outgoing(whole.size(), whole.edges)),
          m_in(Adjacency::incoming(whole.size(), whole.edges)), m_index(whole.width.size(), -1)
    {
        m_result.cuts = cutGraph(whole, limits);
    }

    Segmentation make()
    {
        split();
        findLanes();
        m_rowLanes.assign(m_result.segments.size() + 1, 0);
        countRows();
        m_portOf.assign(m_result.lanes.size(), -1);
        for (std::size_t s = 0; s < m_result.segments.size(); ++s)
            build(static_cast<int>(s));
        return std::move(m_result);
    }

private:
    void split()
    {
        const Cuts& cuts = m_result.cuts;
        auto& segments = m_result.segments;
        segments.resize(cuts.boundary.size() - 1);
        m_result.segmentOf.resize(m_whole.width.size());
        for (std::size_t s = 0; s < segments.size(); ++s) {
            segments[s].begin = cuts.boundary[s];
            segments[s].end = cuts.boundary[s + 1];
            for (int i = segments[s].begin; i < segments[s].end; ++i)
                m_result.segmentOf[cuts.order[i]] = static_cast<int>(s);
        }
        for (std::size_t s = 0; s + 1 < segments.size(); ++s) {
            const int waist = cuts.waist[s + 1];
            if (waist >= 0 && m_result.segmentOf[waist] == static_cast<int>(s))
                segments[s].bottomWaist = segments[s + 1].topWaist = waist;
        }
    }

    void findLanes()
    {
        auto& segments = m_result.segments;
        for (int v = 0; v < m_whole.size(); ++v) {
            Lane lane;
            lane.node = v;
            const int own = m_result.segmentOf[v];
            lane.leaves = segments[own].bottomWaist == v ? own + 1 : own;
            for (const int e : m_out.of(v)) {
                const int reader = m_result.segmentOf[m_whole.edges[e].second];
                if (reader > lane.leaves)
                    lane.enters.push_back(reader);
            }
            if (lane.enters.empty())
                continue;
            std::ranges::sort(lane.enters);
            lane.enters.erase(std::ranges::unique(lane.enters).begin(), lane.enters.end());
            lane.left = static_cast<int>(lane.enters.size()) >= hubReaders;
            m_result.lanes.push_back(std::move(lane));
        }
        std::ranges::stable_sort(m_result.lanes, {},
                                 [](const Lane& lane) { return lane.last() - lane.leaves; });
        for (std::size_t l = 0; l < m_result.lanes.size(); ++l) {
            const Lane& lane = m_result.lanes[l];
            segments[lane.leaves].leaving.push_back(static_cast<int>(l));
            for (const int s : lane.enters)
                segments[s].entering.push_back(static_cast<int>(l));
        }
    }

    // How many lanes come or go in the row below each segment, on the fuller side.
    void countRows()
    {
        const auto rows = m_rowLanes.size();
        std::vector<int> left(rows, 0);
        std::vector<int> right(rows, 0);
        for (const Lane& lane : m_result.lanes) {
            auto& count = lane.left ? left : right;
            ++count[lane.leaves];
            for (const int s : lane.enters) {
                if (s - 1 != lane.leaves)
                    ++count[s - 1];
            }
        }
        for (std::size_t r = 0; r < rows; ++r)
            m_rowLanes[r] = std::max(left[r], right[r]);
    }

    float portHeight(int row) const
    {
        return std::max(portSize, static_cast<float>(laneStep) * m_rowLanes[row]);
    }

    static int addNode(Piece& piece, float width, float height)
    {
        piece.width.push_back(width);
        piece.height.push_back(height);
        return piece.size() - 1;
    }

    void build(int s)
    {
        Segment& segment = m_result.segments[s];
        const Cuts& cuts = m_result.cuts;
        Piece& piece = segment.piece;
        const auto take = [&](int v) {
            m_index[v] = addNode(piece, m_whole.width[v], m_whole.height[v]);
        };
        if (segment.topWaist >= 0)
            take(segment.topWaist);
        for (int i = segment.begin; i < segment.end; ++i)
            take(cuts.order[i]);
        segment.firstEntering = piece.size();
        for (const int l : segment.entering)
            m_portOf[l] = addNode(piece, portSize, portHeight(s - 1));
        segment.firstLeaving = piece.size();
        for (std::size_t k = 0; k < segment.leaving.size(); ++k)
            addNode(piece, portSize, portHeight(s));

        for (int i = segment.begin; i < segment.end; ++i) {
            const int v = cuts.order[i];
            for (const int e : m_in.of(v)) {
                const int u = m_whole.edges[e].first;
                const bool inside = u == segment.topWaist || m_result.segmentOf[u] == s;
                piece.edges.emplace_back(inside ? m_index[u] : m_portOf[laneOf(segment, u)],
                                         m_index[v]);
                if (!m_whole.weight.empty())
                    piece.weight.push_back(m_whole.weight[e]);
                segment.edgeOf.push_back(e);
            }
        }
        segment.firstLeavingEdge = static_cast<int>(piece.edges.size());
        for (std::size_t k = 0; k < segment.leaving.size(); ++k) {
            const int u = m_result.lanes[segment.leaving[k]].node;
            piece.edges.emplace_back(m_index[u], segment.firstLeaving + static_cast<int>(k));
            if (!m_whole.weight.empty())
                piece.weight.push_back(1);
            segment.edgeOf.push_back(-1);
        }
        makeEnds(s);
    }

    int laneOf(const Segment& segment, int node) const
    {
        for (const int l : segment.entering) {
            if (m_result.lanes[l].node == node)
                return l;
        }
        return segment.entering.front();
    }

    void makeEnds(int s)
    {
        Segment& segment = m_result.segments[s];
        Piece& piece = segment.piece;
        if (piece.size() <= 2 && segment.entering.empty() && segment.leaving.empty())
            return;
        const bool pinnedTop = s == 0 && !m_whole.top.empty();
        const bool pinnedBottom =
            s + 1 == static_cast<int>(m_result.segments.size()) && !m_whole.bottom.empty();
        if (pinnedTop) {
            for (const int v : m_whole.top)
                piece.top.push_back(m_index[v]);
        } else {
            piece.top =
                row(segment.entering, segment.firstEntering, segment.topWaist >= 0 ? 0 : -1);
        }
        if (pinnedBottom) {
            for (const int v : m_whole.bottom)
                piece.bottom.push_back(m_index[v]);
        } else {
            piece.bottom =
                row(segment.leaving, segment.firstLeaving,
                    segment.bottomWaist >= 0 ? segment.bottomWaistIndex(m_result.cuts) : -1);
        }
        // A pinned row is as free as its graph wants it, also for the ports at the other end.
        piece.ordered = !pinnedTop && !pinnedBottom;
    }

    // Lanes of the left side, longest first, the waist, lanes of the right side, shortest first.
    std::vector<int> row(const std::vector<int>& lanes, int firstPort, int waist) const
    {
        std::vector<int> result;
        for (std::size_t k = lanes.size(); k-- > 0;) {
            if (m_result.lanes[lanes[k]].left)
                result.push_back(firstPort + static_cast<int>(k));
        }
        if (waist >= 0)
            result.push_back(waist);
        for (std::size_t k = 0; k < lanes.size(); ++k) {
            if (!m_result.lanes[lanes[k]].left)
                result.push_back(firstPort + static_cast<int>(k));
        }
        return result;
    }

    const Piece& m_whole;
    Adjacency m_out;
    Adjacency m_in;
    Segmentation m_result;
    std::vector<int> m_index;    // of each node in the piece that is being built
    std::vector<int> m_portOf;   // of each lane, likewise
    std::vector<int> m_rowLanes; // below each segment
};

} // namespace

Segmentation makeSegments(const Piece& whole, const Limits& limits)
{
    return Maker(whole, limits).make();
}

} // namespace fusescope::layout
