#include "layout/layered.h"

#include "layout/layered_rows.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace fusescope::layout {

namespace {

struct Band
{
    double top = 0;
    double bottom = 0;
};

std::vector<Band> bandsOf(const Piece& piece, const Rows& rows, const Gaps& gaps)
{
    std::vector<Band> bands(rows.rows.size());
    double y = 0;
    for (std::size_t r = 0; r < bands.size(); ++r) {
        double height = 0;
        for (const int item : rows.rows[r]) {
            if (!rows.isPlace(item))
                height = std::max(height, static_cast<double>(piece.height[item]));
        }
        bands[r] = {y, y + height};
        y += height + gaps.rank;
    }
    return bands;
}

class Router
{
public:
    Router(const Piece& piece, const Rows& rows, const std::vector<double>& x, const Gaps& gaps)
        : m_piece(piece), m_rows(rows), m_x(x), m_bands(bandsOf(piece, rows, gaps)), m_gaps(gaps)
    {
    }

    Drawing draw()
    {
        Drawing drawing;
        for (int v = 0; v < m_piece.size(); ++v) {
            const Band& band = m_bands[m_rows.rank[v]];
            drawing.centre.push_back({m_x[v], (band.top + band.bottom) / 2});
        }
        drawing.curves.resize(m_piece.edges.size());
        std::vector<char> aside(m_piece.edges.size(), 0);
        for (const int e : m_rows.aside)
            aside[e] = 1;
        for (std::size_t e = 0; e < m_piece.edges.size(); ++e) {
            if (!aside[e])
                drawing.curves[e] = alongPlaces(drawing, m_piece.edges[e]);
        }
        drawAside(drawing);
        return drawing;
    }

private:
    Curve alongPlaces(const Drawing& drawing, std::pair<int, int> edge) const
    {
        const auto [from, to] = edge;
        Curve curve{{m_x[from], drawing.centre[from].y + m_piece.height[from] / 2}};
        for (int r = m_rows.rank[from]; r < m_rows.rank[to]; ++r) {
            const bool last = r + 1 == m_rows.rank[to];
            const int next = last ? to : m_rows.placeAt(from, r + 1);
            if (curve.back().y < m_bands[r].bottom - 0.5)
                lineTo(curve, {curve.back().x, m_bands[r].bottom});
            bendTo(curve, {m_x[next], m_bands[r + 1].top});
        }
        const double end = drawing.centre[to].y - m_piece.height[to] / 2;
        if (curve.back().y < end - 0.5)
            lineTo(curve, {curve.back().x, end});
        return curve;
    }

    // Very long edges run in lanes right of all: down in the gap below their tail's row, then along
    // the lane, then in the gap above their head's row.
    void drawAside(Drawing& drawing) const
    {
        double right = 0;
        for (int i = 0; i < m_rows.items(); ++i)
            right = std::max(right, m_x[i] + m_rows.width[i] / 2);
        std::vector<int> edges = m_rows.aside;
        const auto tail = [this](int e) { return m_rows.rank[m_piece.edges[e].first]; };
        const auto head = [this](int e) { return m_rows.rank[m_piece.edges[e].second]; };
        std::ranges::stable_sort(edges, {}, tail);
        using Lane = std::pair<int, int>; // row at which it is free again, number
        std::priority_queue<Lane, std::vector<Lane>, std::greater<>> lanes;
        int count = 0;
        for (const int e : edges) {
            int lane = count;
            if (!lanes.empty() && lanes.top().first <= tail(e)) {
                lane = lanes.top().second;
                lanes.pop();
            } else {
                ++count;
            }
            lanes.emplace(head(e), lane);
            const auto [from, to] = m_piece.edges[e];
            const double x = right + m_gaps.box + 6.0 * lane;
            const double below = m_bands[tail(e)].bottom + m_gaps.rank / 3;
            const double above = m_bands[head(e)].top - m_gaps.rank / 3;
            Curve& curve = drawing.curves[e];
            curve = {{m_x[from], drawing.centre[from].y + m_piece.height[from] / 2}};
            for (const LayoutPoint corner :
                 {LayoutPoint{m_x[from], below},
                  {x, below},
                  {x, above},
                  {m_x[to], above},
                  {m_x[to], drawing.centre[to].y - m_piece.height[to] / 2}})
                lineTo(curve, corner);
        }
    }

    const Piece& m_piece;
    const Rows& m_rows;
    const std::vector<double>& m_x;
    std::vector<Band> m_bands;
    Gaps m_gaps;
};

} // namespace

Drawing drawLayered(const Piece& piece, const Gaps& gaps, const Limits& limits)
{
    if (piece.size() == 0)
        return {};
    // Cancelled work is thrown away, it only has to have its shape.
    Drawing none{std::vector<LayoutPoint>(piece.width.size()),
                 std::vector<Curve>(piece.edges.size(), Curve(4))};
    if (limits.stopped())
        return none;
    Rows rows = makeRows(piece);
    orderRows(piece, rows, limits);
    if (limits.stopped())
        return none;
    const std::vector<double> x = placeRows(rows, gaps);
    return Router(piece, rows, x, gaps).draw();
}

} // namespace fusescope::layout
