#include "layout/stack.h"

#include <algorithm>
#include <cmath>

namespace fusescope::layout {

namespace {

constexpr double laneGap = 10;
constexpr double cornerRadius = 8;

// A line along the corners with round turns, from the end of the curve on.
void roundTo(Curve& curve, const std::vector<LayoutPoint>& corners)
{
    const auto distance = [](LayoutPoint a, LayoutPoint b) {
        return std::hypot(b.x - a.x, b.y - a.y);
    };
    const auto towards = [&](LayoutPoint a, LayoutPoint b, double d) {
        const double whole = distance(a, b);
        const double t = whole > 0 ? d / whole : 0;
        return LayoutPoint{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    };
    std::vector<LayoutPoint> path{curve.back()};
    for (const LayoutPoint& p : corners) {
        if (distance(path.back(), p) > 0.01)
            path.push_back(p);
    }
    for (std::size_t i = 1; i < path.size(); ++i) {
        if (i + 1 == path.size()) {
            lineTo(curve, path[i]);
            break;
        }
        const double radius = std::min(
            {cornerRadius, distance(path[i - 1], path[i]) / 2, distance(path[i], path[i + 1]) / 2});
        lineTo(curve, towards(path[i], path[i - 1], radius));
        const LayoutPoint end = towards(path[i], path[i + 1], radius);
        curve.push_back(towards(path[i], curve.back(), radius / 2));
        curve.push_back(towards(path[i], end, radius / 2));
        curve.push_back(end);
    }
}

class Stacker
{
public:
    Stacker(const Piece& whole, Segmentation& segmentation, const std::vector<Drawing>& drawings,
            const Gaps& gaps)
        : m_whole(whole), m_seg(segmentation), m_drawings(drawings), m_gaps(gaps)
    {
        m_result.centre.resize(whole.width.size());
        m_result.curves.resize(whole.edges.size());
    }

    Drawing stack()
    {
        placeSegments();
        placeLanes();
        placeRows();
        for (const Segment& segment : m_seg.segments)
            joinLanes(segment);
        return std::move(m_result);
    }

private:
    const Drawing& drawingOf(const Segment& segment) const { return m_drawings[segment.drawing]; }

    static LayoutPoint placed(const Segment& segment, LayoutPoint p)
    {
        return {segment.mirrored ? segment.dx - p.x : segment.dx + p.x, segment.dy + p.y};
    }

    void placeSegments()
    {
        std::vector<LayoutRect> bounds(m_drawings.size());
        std::vector<char> known(m_drawings.size(), 0);
        double nextTop = 0;
        for (Segment& segment : m_seg.segments) {
            const Drawing& drawing = drawingOf(segment);
            LayoutRect& box = bounds[segment.drawing];
            if (!known[segment.drawing]) {
                known[segment.drawing] = 1;
                box = boundsOf(segment.piece, drawing);
            }
            if (segment.topWaist >= 0) {
                const LayoutPoint shared = m_result.centre[segment.topWaist];
                const LayoutPoint own = drawing.centre[0];
                double walk = 0;
                if (segment.bottomWaist >= 0)
                    walk = drawing.centre[segment.bottomWaistIndex(m_seg.cuts)].x - own.x;
                // Turned round where it would lead further away from the middle.
                segment.mirrored = segment.entering.empty() && segment.leaving.empty() &&
                                   std::abs(walk) > 0.5 && std::abs(shared.x) > 0.5 &&
                                   (shared.x > 0) == (walk > 0);
                segment.dx = segment.mirrored ? shared.x + own.x : shared.x - own.x;
                segment.dy = shared.y - own.y;
            } else {
                segment.dx = -(box.x + box.width / 2);
                segment.dy = nextTop - box.y;
            }
            const double a = placed(segment, {box.x, 0}).x;
            const double b = placed(segment, {box.right(), 0}).x;
            m_left.push_back(std::min(a, b));
            m_right.push_back(std::max(a, b));
            nextTop = std::max(nextTop, segment.dy + box.bottom() + m_gaps.rank);
            place(segment);
        }
    }

    void place(const Segment& segment)
    {
        const Drawing& drawing = drawingOf(segment);
        const int skip = segment.topWaist >= 0 ? 1 : 0;
        for (int i = segment.begin; i < segment.end; ++i)
            m_result.centre[m_seg.cuts.order[i]] =
                placed(segment, drawing.centre[skip + i - segment.begin]);
        for (std::size_t e = 0; e < segment.edgeOf.size(); ++e) {
            if (segment.edgeOf[e] < 0 || isPort(segment, segment.piece.edges[e].first))
                continue;
            Curve& curve = m_result.curves[segment.edgeOf[e]];
            curve.reserve(drawing.curves[e].size());
            for (const LayoutPoint& p : drawing.curves[e])
                curve.push_back(placed(segment, p));
        }
    }

    static bool isPort(const Segment& segment, int node) { return node >= segment.firstEntering; }

    // Lanes stand beside the segments that they pass, short ones inside.
    void placeLanes()
    {
        for (Lane& lane : m_seg.lanes) {
            if (lane.last() == lane.leaves + 1)
                continue;
            double x = lane.left ? 1e300 : -1e300;
            for (int s = lane.leaves + 1; s < lane.last(); ++s)
                x = lane.left ? std::min(x, m_left[s]) : std::max(x, m_right[s]);
            lane.x = lane.left ? x - laneGap : x + laneGap;
            for (int s = lane.leaves + 1; s < lane.last(); ++s)
                (lane.left ? m_left[s] : m_right[s]) = lane.x;
        }
    }

    // In the row below a segment each lane that comes or goes has a level of its own: those that
    // leave with the shortest lowest, then those that enter with the shortest highest.
    void placeRows()
    {
        std::vector<std::vector<int>> rows(m_seg.segments.size());
        m_level.resize(m_seg.lanes.size());
        for (std::size_t l = 0; l < m_seg.lanes.size(); ++l) {
            const Lane& lane = m_seg.lanes[l];
            rows[lane.leaves].push_back(static_cast<int>(l));
            m_level[l].assign(lane.enters.size() + 1, 0);
            for (const int s : lane.enters) {
                if (s - 1 != lane.leaves)
                    rows[s - 1].push_back(static_cast<int>(l));
            }
        }
        for (std::size_t s = 0; s < rows.size(); ++s) {
            for (const bool left : {false, true}) {
                std::vector<int> inOrder;
                for (std::size_t k = rows[s].size(); k-- > 0;) {
                    const Lane& lane = m_seg.lanes[rows[s][k]];
                    if (lane.left == left && lane.leaves == static_cast<int>(s))
                        inOrder.push_back(rows[s][k]);
                }
                for (const int l : rows[s]) {
                    const Lane& lane = m_seg.lanes[l];
                    if (lane.left == left && lane.leaves != static_cast<int>(s))
                        inOrder.push_back(l);
                }
                const double middle = rowMiddle(m_seg.segments[s]);
                for (std::size_t k = 0; k < inOrder.size(); ++k) {
                    const double offset =
                        static_cast<double>(k) - static_cast<double>(inOrder.size() - 1) / 2;
                    levelAt(inOrder[k], static_cast<int>(s)) = middle + laneStep * offset;
                }
            }
        }
    }

    double rowMiddle(const Segment& segment) const
    {
        if (segment.bottomWaist >= 0)
            return m_result.centre[segment.bottomWaist].y;
        const Drawing& drawing = drawingOf(segment);
        if (!segment.leaving.empty())
            return placed(segment, drawing.centre[segment.firstLeaving]).y;
        // Nothing ends here and lanes only pass on into the next segment: below all of this one.
        const LayoutRect box = boundsOf(segment.piece, drawing);
        return segment.dy + box.bottom() + m_gaps.rank / 2;
    }

    double& levelAt(int l, int row)
    {
        const Lane& lane = m_seg.lanes[l];
        if (row == lane.leaves)
            return m_level[l][0];
        const auto at = std::ranges::lower_bound(lane.enters, row + 1);
        return m_level[l][1 + static_cast<std::size_t>(at - lane.enters.begin())];
    }

    void joinLanes(const Segment& segment)
    {
        const Drawing& drawing = drawingOf(segment);
        const int s = static_cast<int>(&segment - m_seg.segments.data());
        for (std::size_t e = 0; e < segment.edgeOf.size(); ++e) {
            const int port = segment.piece.edges[e].first;
            if (segment.edgeOf[e] < 0 || !isPort(segment, port))
                continue;
            const int l = segment.entering[port - segment.firstEntering];
            const Lane& lane = m_seg.lanes[l];
            const Segment& origin = m_seg.segments[lane.leaves];
            const Drawing& from = drawingOf(origin);
            const auto k = static_cast<std::size_t>(std::ranges::find(origin.leaving, l) -
                                                    origin.leaving.begin());
            const std::size_t exit = static_cast<std::size_t>(origin.firstLeavingEdge) + k;
            Curve& curve = m_result.curves[segment.edgeOf[e]];
            curve.clear();
            for (const LayoutPoint& p : from.curves[exit])
                curve.push_back(placed(origin, p));
            // Upright where the lane begins, and where it ends, so that the turn is round.
            const auto n = curve.size();
            curve[n - 2] = {curve[n - 1].x, (curve[n - 4].y + 2 * curve[n - 1].y) / 3};
            const double out =
                placed(origin, from.centre[static_cast<std::size_t>(origin.firstLeaving) + k]).x;
            const double in = placed(segment, drawing.centre[port]).x;
            const double leave = levelAt(l, lane.leaves);
            std::vector<LayoutPoint> corners{{out, leave}};
            if (s == lane.leaves + 1) {
                corners.push_back({in, leave});
            } else {
                const double enter = levelAt(l, s - 1);
                corners.push_back({lane.x, leave});
                corners.push_back({lane.x, enter});
                corners.push_back({in, enter});
            }
            corners.push_back(placed(segment, drawing.curves[e].front()));
            roundTo(curve, corners);
            const std::size_t joint = curve.size();
            for (std::size_t i = 1; i < drawing.curves[e].size(); ++i)
                curve.push_back(placed(segment, drawing.curves[e][i]));
            curve[joint] = {curve[joint - 1].x, (2 * curve[joint - 1].y + curve[joint + 2].y) / 3};
        }
    }

    const Piece& m_whole;
    Segmentation& m_seg;
    const std::vector<Drawing>& m_drawings;
    Gaps m_gaps;
    Drawing m_result;
    std::vector<double> m_left; // of each segment and the lanes beside it
    std::vector<double> m_right;
    std::vector<std::vector<double>> m_level; // of each lane: where it leaves, then where it enters
};

} // namespace

Drawing stackSegments(const Piece& whole, Segmentation& segmentation,
                      const std::vector<Drawing>& drawings, const Gaps& gaps)
{
    return Stacker(whole, segmentation, drawings, gaps).stack();
}

} // namespace fusescope::layout
