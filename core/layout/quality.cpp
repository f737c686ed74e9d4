#include "layout/quality.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope::layout {

namespace {

constexpr double cellSize = 90;

struct Stretch
{
    LayoutPoint a;
    LayoutPoint b;
    int wire;
};

struct CellEntry
{
    std::int64_t cell;
    int item;
};

class Grid
{
public:
    Grid(double left, double top, double width)
        : m_left(left), m_top(top), m_columns(static_cast<std::int64_t>(width / cellSize) + 3)
    {
    }

    std::int64_t column(double x) const
    {
        return static_cast<std::int64_t>(std::floor((x - m_left) / cellSize)) + 1;
    }
    std::int64_t row(double y) const
    {
        return static_cast<std::int64_t>(std::floor((y - m_top) / cellSize)) + 1;
    }
    std::int64_t cell(std::int64_t row, std::int64_t column) const
    {
        return row * m_columns + column;
    }
    std::int64_t cellOf(double x, double y) const { return cell(row(y), column(x)); }
    double rowTop(std::int64_t row) const
    {
        return m_top + static_cast<double>(row - 1) * cellSize;
    }

private:
    double m_left;
    double m_top;
    std::int64_t m_columns;
};

void enter(const Grid& grid, const Stretch& stretch, int item, std::vector<CellEntry>& entries)
{
    LayoutPoint a = stretch.a;
    LayoutPoint b = stretch.b;
    if (a.y > b.y)
        std::swap(a, b);
    for (std::int64_t row = grid.row(a.y); row <= grid.row(b.y); ++row) {
        double from = a.x;
        double to = b.x;
        if (b.y - a.y > 1e-9) {
            const double upper = std::max(a.y, grid.rowTop(row));
            const double lower = std::min(b.y, grid.rowTop(row + 1));
            from = a.x + (b.x - a.x) * (upper - a.y) / (b.y - a.y);
            to = a.x + (b.x - a.x) * (lower - a.y) / (b.y - a.y);
        }
        if (from > to)
            std::swap(from, to);
        for (std::int64_t c = grid.column(from); c <= grid.column(to); ++c)
            entries.push_back({grid.cell(row, c), item});
    }
}

bool near(const LayoutRect& box, double x, double y)
{
    return x >= box.x - 3 && x <= box.right() + 3 && y >= box.y - 3 && y <= box.bottom() + 3;
}

bool crossesBox(const Stretch& s, const LayoutRect& box)
{
    double first = 0;
    double last = 1;
    const double dx = s.b.x - s.a.x;
    const double dy = s.b.y - s.a.y;
    const std::array<std::pair<double, double>, 4> sides{{{-dx, s.a.x - box.x - 1},
                                                          {dx, box.right() - 1 - s.a.x},
                                                          {-dy, s.a.y - box.y - 1},
                                                          {dy, box.bottom() - 1 - s.a.y}}};
    for (const auto& [p, q] : sides) {
        if (std::abs(p) < 1e-12) {
            if (q < 0)
                return false;
        } else if (p < 0) {
            first = std::max(first, q / p);
        } else {
            last = std::min(last, q / p);
        }
    }
    return first < last;
}

template <class Visit>
void forEachCell(std::vector<CellEntry>& entries, Visit visit)
{
    std::ranges::sort(entries, [](const CellEntry& a, const CellEntry& b) {
        return std::pair(a.cell, a.item) < std::pair(b.cell, b.item);
    });
    for (std::size_t i = 0; i < entries.size();) {
        std::size_t j = i;
        while (j < entries.size() && entries[j].cell == entries[i].cell)
            ++j;
        visit(std::span<const CellEntry>(entries.data() + i, j - i));
        i = j;
    }
}

} // namespace

namespace {

// Leaves one of several stretches of edges with one tail that lie on each other.
void shareTrunks(std::vector<Stretch>& stretches, const std::vector<Wire>& wires)
{
    using Place = std::array<std::int64_t, 5>;
    std::vector<std::pair<Place, int>> places;
    places.reserve(stretches.size());
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        const Stretch& s = stretches[i];
        places.emplace_back(Place{wires[s.wire].from, std::llround(s.a.x), std::llround(s.a.y),
                                  std::llround(s.b.x), std::llround(s.b.y)},
                            static_cast<int>(i));
    }
    std::ranges::sort(places);
    std::vector<Stretch> kept;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i == 0 || places[i].first != places[i - 1].first)
            kept.push_back(stretches[places[i].second]);
    }
    stretches = std::move(kept);
}

double lengthOf(const Stretch& s)
{
    return std::hypot(s.b.x - s.a.x, s.b.y - s.a.y);
}

} // namespace

std::vector<LayoutPoint> flattened(const Curve& curve)
{
    std::vector<LayoutPoint> line;
    if (curve.empty())
        return line;
    line.push_back(curve.front());
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
        const LayoutPoint a = curve[i], b = curve[i + 1], c = curve[i + 2], d = curve[i + 3];
        const auto besides = [&](LayoutPoint p) {
            return std::abs((p.x - a.x) * (d.y - a.y) - (p.y - a.y) * (d.x - a.x));
        };
        if (besides(b) + besides(c) < 0.1 * std::hypot(d.x - a.x, d.y - a.y)) {
            line.push_back(d);
            continue;
        }
        for (int k = 1; k <= 6; ++k) {
            const double t = k / 6.0;
            const double u = 1 - t;
            const double p = u * u * u, q = 3 * u * u * t, r = 3 * u * t * t, s = t * t * t;
            line.push_back(
                {p * a.x + q * b.x + r * c.x + s * d.x, p * a.y + q * b.y + r * c.y + s * d.y});
        }
    }
    return line;
}

Quality measure(const std::vector<LayoutRect>& boxes, const std::vector<Wire>& wires)
{
    Quality quality;
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
    const auto extend = [&](double x, double y) {
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    };
    std::vector<Stretch> stretches;
    for (const LayoutRect& box : boxes) {
        extend(box.x, box.y);
        extend(box.right(), box.bottom());
    }
    for (std::size_t w = 0; w < wires.size(); ++w) {
        const auto& points = wires[w].points;
        for (std::size_t k = 0; k + 1 < points.size(); ++k) {
            stretches.push_back({points[k], points[k + 1], static_cast<int>(w)});
            quality.length += lengthOf(stretches.back());
        }
        for (const LayoutPoint& p : points)
            extend(p.x, p.y);
    }
    if (left > right)
        return quality;
    quality.width = right - left;
    quality.height = bottom - top;
    const Grid grid(left, top, quality.width);

    shareTrunks(stretches, wires);
    std::vector<CellEntry> entries;
    for (const Stretch& stretch : stretches)
        quality.ink += lengthOf(stretch);
    for (std::size_t i = 0; i < stretches.size(); ++i)
        enter(grid, stretches[i], static_cast<int>(i), entries);
    using Crossing = std::array<std::int64_t, 4>;
    std::vector<Crossing> crossings;
    const auto cross = [&](const Stretch& s, const Stretch& t, std::int64_t cell) {
        const Wire& v = wires[s.wire];
        const Wire& w = wires[t.wire];
        if (s.wire == t.wire || v.from == w.from)
            return;
        const double rx = s.b.x - s.a.x, ry = s.b.y - s.a.y;
        const double sx = t.b.x - t.a.x, sy = t.b.y - t.a.y;
        const double d = rx * sy - ry * sx;
        if (std::abs(d) < 1e-9)
            return;
        const double qx = t.a.x - s.a.x, qy = t.a.y - s.a.y;
        const double u = (qx * sy - qy * sx) / d;
        const double k = (qx * ry - qy * rx) / d;
        if (u < 0 || u >= 1 || k < 0 || k >= 1)
            return;
        const double x = s.a.x + u * rx;
        const double y = s.a.y + u * ry;
        if (grid.cellOf(x, y) != cell)
            return;
        for (const int end : {v.from, v.to}) {
            if ((w.from == end || w.to == end) && near(boxes[end], x, y))
                return;
        }
        crossings.push_back({std::min(v.from, w.from), std::max(v.from, w.from),
                             std::llround(x / 3), std::llround(y / 3)});
    };
    forEachCell(entries, [&](std::span<const CellEntry> cell) {
        for (std::size_t a = 0; a < cell.size(); ++a) {
            for (std::size_t b = a + 1; b < cell.size(); ++b)
                cross(stretches[cell[a].item], stretches[cell[b].item], cell[a].cell);
        }
    });
    std::ranges::sort(crossings);
    quality.crossings = std::ranges::unique(crossings).begin() - crossings.begin();

    // Boxes are negative items of the same cells, so they come before the stretches of a cell.
    const int count = static_cast<int>(boxes.size());
    for (int i = 0; i < count; ++i) {
        const LayoutRect& box = boxes[i];
        for (std::int64_t r = grid.row(box.y); r <= grid.row(box.bottom()); ++r) {
            for (std::int64_t c = grid.column(box.x); c <= grid.column(box.right()); ++c)
                entries.push_back({grid.cell(r, c), i - count});
        }
    }
    std::vector<std::pair<int, int>> overlaps;
    std::vector<std::pair<int, int>> hits;
    forEachCell(entries, [&](std::span<const CellEntry> cell) {
        for (std::size_t a = 0; a < cell.size() && cell[a].item < 0; ++a) {
            const int i = cell[a].item + count;
            for (std::size_t b = a + 1; b < cell.size(); ++b) {
                if (cell[b].item < 0) {
                    const LayoutRect& s = boxes[i];
                    const LayoutRect& t = boxes[cell[b].item + count];
                    if (s.x < t.right() - 1 && t.x < s.right() - 1 && s.y < t.bottom() - 1 &&
                        t.y < s.bottom() - 1)
                        overlaps.emplace_back(i, cell[b].item + count);
                } else {
                    const Stretch& stretch = stretches[cell[b].item];
                    const Wire& wire = wires[stretch.wire];
                    if (wire.from != i && wire.to != i && crossesBox(stretch, boxes[i]))
                        hits.emplace_back(stretch.wire, i);
                }
            }
        }
    });
    std::ranges::sort(overlaps);
    quality.overlaps = std::ranges::unique(overlaps).begin() - overlaps.begin();
    std::ranges::sort(hits);
    quality.hits = std::ranges::unique(hits).begin() - hits.begin();
    return quality;
}

Quality measure(const Piece& piece, const Drawing& drawing)
{
    std::vector<LayoutRect> boxes;
    for (int v = 0; v < piece.size(); ++v) {
        const LayoutPoint c = drawing.centre[v];
        boxes.push_back(
            {c.x - piece.width[v] / 2, c.y - piece.height[v] / 2, piece.width[v], piece.height[v]});
    }
    std::vector<Wire> wires;
    for (std::size_t e = 0; e < piece.edges.size(); ++e)
        wires.push_back(
            {piece.edges[e].first, piece.edges[e].second, flattened(drawing.curves[e])});
    return measure(boxes, wires);
}

} // namespace fusescope::layout
