#include "layout/compose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace fusescope::layout {

namespace {

constexpr double portStep = 24; // between ends of edges at one side of a box, at most
constexpr double loopSize = 14;

class Composer
{
public:
    Composer(const LayoutGraph& graph, const LayoutOptions& options, FrameTree& tree,
             LayoutResult& result)
        : m_graph(graph), m_options(options), m_tree(tree), m_result(result),
          m_turned(options.direction == LayoutDirection::leftToRight)
    {
    }

    void compose()
    {
        placeBoxes();
        m_ends.resize(m_graph.edges.size());
        for (std::size_t e = 0; e < m_ends.size(); ++e)
            m_ends[e].resize(m_tree.hops[e].size());
        spreadEnds();
        m_result.edges.resize(m_graph.edges.size());
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e)
            drawEdge(static_cast<int>(e));
        placePills();
        finish();
    }

private:
    static constexpr double asDrawn = std::numeric_limits<double>::quiet_NaN();

    struct Ends // of a hop, as x; not a number where they stay as drawn
    {
        double start = asDrawn;
        double end = asDrawn;
    };

    void placeBoxes()
    {
        m_result.boxes.resize(m_graph.boxes.size());
        for (Frame& frame : m_tree.frames) {
            if (frame.box < 0) {
                frame.origin = {-frame.content.x, -frame.content.y};
            } else {
                const LayoutRect& own = m_result.boxes[frame.box];
                const Margins margins = marginsOf(m_graph.boxes[frame.box], m_options);
                const double spareX =
                    own.width - margins.left - margins.right - frame.content.width;
                frame.origin = {own.x + margins.left + spareX / 2 - frame.content.x,
                                own.y + margins.top - frame.content.y};
            }
            for (std::size_t i = 0; i < frame.children.size(); ++i) {
                const int child = frame.children[i];
                const LayoutPoint c = frame.drawing.centre[i];
                const LayoutBox& box = m_graph.boxes[child];
                double width = sane(m_turned ? box.height : box.width);
                if (m_tree.frameOf[child] >= 0)
                    width = frame.piece.width[i];
                const double height = frame.piece.height[i];
                m_result.boxes[child] = {frame.origin.x + c.x - width / 2,
                                         frame.origin.y + c.y - height / 2, width, height};
            }
        }
    }

    const Curve& curveOf(const Hop& hop) const
    {
        return m_tree.frames[hop.frame].drawing.curves[hop.edge];
    }

    bool isBox(const Hop& hop, int node) const
    {
        return node < static_cast<int>(m_tree.frames[hop.frame].children.size());
    }

    // Residual edges may come to the left or right side of a box: those stay there.
    // Ports and stubs have no sides.
    bool atSide(const Hop& hop, bool start) const
    {
        const Frame& frame = m_tree.frames[hop.frame];
        const auto [upper, lower] = frame.piece.edges[hop.edge];
        const int node = start ? upper : lower;
        const Curve& curve = curveOf(hop);
        const LayoutPoint tip = start ? curve.front() : curve.back();
        return node < static_cast<int>(frame.children.size()) &&
               std::abs(tip.x - frame.drawing.centre[node].x) >= frame.piece.width[node] / 2 - 2 &&
               std::abs(tip.y - frame.drawing.centre[node].y) < frame.piece.height[node] / 2 - 2;
    }

    // Edges that meet at one side of a box get ends of their own, in the order in which they come.
    void spreadEnds()
    {
        struct End
        {
            int frame;
            int node;
            double towards; // x from where the edge comes
            int group;      // ends of one group stay together
            int edge;
            int hop;
        };
        for (const bool start : {false, true}) {
            std::vector<End> ends;
            for (std::size_t e = 0; e < m_tree.hops.size(); ++e) {
                const LayoutEdge& edge = m_graph.edges[e];
                const auto& hops = m_tree.hops[e];
                for (std::size_t h = 0; h < hops.size(); ++h) {
                    const Hop& hop = hops[h];
                    const int node = start ? hop.from : hop.to;
                    if (hop.reversed || !isBox(hop, node))
                        continue;
                    // Inside frames, edges of one value stay together.
                    const bool inside = start ? h > 0 : h + 1 < hops.size();
                    int group = inside ? edge.from : start ? edge.fromPort : static_cast<int>(e);
                    if (m_tree.stub[e] && !start)
                        group = -1;
                    const Curve& curve = curveOf(hop);
                    if (atSide(hop, start))
                        continue;
                    const double towards = start ? curve[3].x : curve[curve.size() - 4].x;
                    ends.push_back({hop.frame, node, towards, group, static_cast<int>(e),
                                    static_cast<int>(h)});
                }
            }
            std::ranges::sort(ends, {}, [](const End& end) {
                return std::tuple(end.frame, end.node, end.group, end.edge, end.hop);
            });
            for (std::size_t i = 0; i < ends.size();) {
                std::size_t j = i;
                while (j < ends.size() && ends[j].frame == ends[i].frame &&
                       ends[j].node == ends[i].node)
                    ++j;
                spread(std::span<End>(ends.data() + i, j - i), start);
                i = j;
            }
        }
    }

    template <class End>
    void spread(std::span<End> ends, bool start)
    {
        struct Slot
        {
            double towards = 0;
            int port = 0;
            std::size_t first = 0;
            std::size_t count = 0;
        };
        std::vector<Slot> slots;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (slots.empty() || ends[slots.back().first].group != ends[i].group) {
                const LayoutEdge& edge = m_graph.edges[ends[i].edge];
                slots.push_back({0, start ? edge.fromPort : edge.toPort, i, 0});
            }
            slots.back().towards += ends[i].towards;
            ++slots.back().count;
        }
        if (slots.size() < 2)
            return;
        for (Slot& slot : slots)
            slot.towards = std::round(slot.towards / static_cast<double>(slot.count));
        std::ranges::stable_sort(slots, {},
                                 [](const Slot& s) { return std::pair(s.towards, s.port); });
        const Frame& frame = m_tree.frames[ends.front().frame];
        const double centre = frame.drawing.centre[ends.front().node].x;
        const double width = frame.piece.width[ends.front().node];
        const double step =
            std::min(portStep, std::max(0.0, width - 16) / static_cast<double>(slots.size()));
        for (std::size_t s = 0; s < slots.size(); ++s) {
            const double x = centre + step * (static_cast<double>(s) -
                                              static_cast<double>(slots.size() - 1) / 2);
            for (std::size_t i = 0; i < slots[s].count; ++i) {
                const End& end = ends[slots[s].first + i];
                Ends& moved = m_ends[end.edge][end.hop];
                (start ? moved.start : moved.end) = x;
            }
        }
    }

    // Engines work in whole pixels and rounded widths; an end lies exactly on the border.
    void settle(const Hop& hop, bool start, LayoutPoint& tip, LayoutPoint& control) const
    {
        const Frame& frame = m_tree.frames[hop.frame];
        const auto [upper, lower] = frame.piece.edges[hop.edge];
        const int node = start ? upper : lower;
        const LayoutPoint c = frame.drawing.centre[node];
        double half = frame.piece.width[node] / 2;
        if (node < static_cast<int>(frame.children.size()))
            half = m_result.boxes[frame.children[node]].width / 2;
        const double x = std::clamp(tip.x, c.x - half, c.x + half);
        if (atSide(hop, start)) {
            tip.x = tip.x < c.x ? c.x - half : c.x + half;
            return;
        }
        control.x += x - tip.x;
        tip.x = x;
        tip.y = start ? c.y + frame.piece.height[node] / 2 : c.y - frame.piece.height[node] / 2;
    }

    // One hop as it will be drawn, in the coordinates of the result.
    Curve drawnHop(int e, std::size_t h) const
    {
        const Hop& hop = m_tree.hops[e][h];
        const Frame& frame = m_tree.frames[hop.frame];
        Curve curve = curveOf(hop);
        const auto [start, end] = m_ends[e][h];
        const auto moveTo = [](LayoutPoint& tip, LayoutPoint& control, double x) {
            control.x += x - tip.x;
            tip.x = x;
        };
        if (!std::isnan(start))
            moveTo(curve.front(), curve[1], start);
        if (!std::isnan(end))
            moveTo(curve.back(), curve[curve.size() - 2], end);
        settle(hop, true, curve.front(), curve[1]);
        settle(hop, false, curve.back(), curve[curve.size() - 2]);
        if (hop.reversed)
            std::ranges::reverse(curve);
        for (LayoutPoint& p : curve) {
            p.x += frame.origin.x;
            p.y += frame.origin.y;
        }
        return curve;
    }

    void drawEdge(int e)
    {
        LayoutPath& path = m_result.edges[e];
        const auto& hops = m_tree.hops[e];
        path.stub = m_tree.stub[e] != 0;
        const LayoutEdge& edge = m_graph.edges[e];
        if (hops.empty()) {
            drawLoop(m_result.boxes[edge.from], path.points);
            return;
        }
        for (std::size_t h = 0; h < hops.size(); ++h) {
            const Curve next = drawnHop(e, h);
            const Frame& frame = m_tree.frames[hops[h].frame];
            if (!path.stub && !isBox(hops[h], hops[h].from))
                enter(frame, path.points, next.front());
            if (path.points.empty()) {
                path.points = next;
            } else {
                if (path.points.back() != next.front())
                    bendTo(path.points, next.front());
                path.points.insert(path.points.end(), next.begin() + 1, next.end());
            }
            if (!isBox(hops[h], hops[h].to))
                leave(frame, path.points, h + 1 == hops.size());
        }
    }

    // From the frame's border, through its title strip, to the port.
    void enter(const Frame& frame, Curve& points, LayoutPoint port) const
    {
        const LayoutRect& own = m_result.boxes[frame.box];
        const Margins margins = marginsOf(m_graph.boxes[frame.box], m_options);
        const double strip = own.y + margins.before;
        if (points.empty())
            points.push_back({port.x, strip});
        else if (margins.before > 0)
            lineTo(points, {points.back().x, strip});
    }

    // From the port down past what the frame holds; on to its border if the edge ends there.
    void leave(const Frame& frame, Curve& points, bool ends) const
    {
        const LayoutRect& own = m_result.boxes[frame.box];
        const double content = frame.origin.y + frame.content.bottom();
        const LayoutPoint at = points.back();
        const double y = ends ? own.bottom() : content;
        if (at.y < y - 0.01)
            lineTo(points, {at.x, y});
    }

    static void drawLoop(const LayoutRect& box, Curve& points)
    {
        const double x = box.right();
        const double y = box.y + box.height / 2;
        const double reach = std::min(loopSize, box.height / 2);
        points = {{x, y - reach / 2},
                  {x + loopSize, y - reach},
                  {x + loopSize, y + reach},
                  {x, y + reach / 2}};
    }

    void placePills()
    {
        for (const Frame& frame : m_tree.frames) {
            for (const PillGroup& group : frame.pills) {
                const LayoutPoint c = frame.drawing.centre[group.node];
                const double left = frame.origin.x + c.x - frame.piece.width[group.node] / 2;
                const double top = frame.origin.y + c.y - frame.piece.height[group.node] / 2;
                for (std::size_t i = 0; i < group.edges.size(); ++i) {
                    const auto column = static_cast<int>(i) / group.perColumn;
                    const auto row = static_cast<int>(i) % group.perColumn;
                    m_result.edges[group.edges[i]].pill = {left + column * (group.width + pillGap),
                                                           top + row * (group.height + pillGap),
                                                           group.width, group.height};
                }
            }
        }
    }

    // Moves everything to 0,0 and turns it if wanted.
    void finish()
    {
        double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
        const auto extend = [&](double x, double y) {
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        };
        for (const LayoutRect& box : m_result.boxes) {
            extend(box.x, box.y);
            extend(box.right(), box.bottom());
        }
        for (const LayoutPath& path : m_result.edges) {
            for (const LayoutPoint& p : path.points)
                extend(p.x, p.y);
        }
        if (left > right)
            return;
        const auto point = [&](LayoutPoint& p) {
            p = {p.x - left, p.y - top};
            if (m_turned)
                std::swap(p.x, p.y);
        };
        const auto rect = [&](LayoutRect& r) {
            r.x -= left;
            r.y -= top;
            if (m_turned) {
                std::swap(r.x, r.y);
                std::swap(r.width, r.height);
            }
        };
        for (LayoutRect& box : m_result.boxes)
            rect(box);
        for (LayoutPath& path : m_result.edges) {
            for (LayoutPoint& p : path.points)
                point(p);
            if (path.stub)
                rect(path.pill);
        }
        m_result.width = right - left;
        m_result.height = bottom - top;
        if (m_turned)
            std::swap(m_result.width, m_result.height);
    }

    const LayoutGraph& m_graph;
    const LayoutOptions& m_options;
    FrameTree& m_tree;
    LayoutResult& m_result;
    bool m_turned;
    std::vector<std::vector<Ends>> m_ends;
};

} // namespace

Margins marginsOf(const LayoutBox& box, const LayoutOptions& options)
{
    const double pad = std::max(0.0, options.framePadding);
    const double title = std::isfinite(box.height) ? std::clamp(box.height, 0.0, 1e6) : 0.0;
    if (options.direction == LayoutDirection::leftToRight)
        return {0, title + pad, pad, pad, pad};
    return {title, pad, title + pad, pad, pad};
}

void compose(const LayoutGraph& graph, const LayoutOptions& options, FrameTree& tree,
             LayoutResult& result)
{
    Composer(graph, options, tree, result).compose();
}

} // namespace fusescope::layout
