#include "session/drawing_builder.h"

#include <algorithm>
#include <cmath>

namespace fusescope::drawing {

namespace {

LayoutPoint between(LayoutPoint a, LayoutPoint b, double t)
{
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

void lineTo(std::vector<LayoutPoint>& points, LayoutPoint end)
{
    const LayoutPoint start = points.back();
    points.push_back(between(start, end, 1.0 / 3));
    points.push_back(between(start, end, 2.0 / 3));
    points.push_back(end);
}

void curveTo(std::vector<LayoutPoint>& points, LayoutPoint a, LayoutPoint b, LayoutPoint end)
{
    points.push_back(a);
    points.push_back(b);
    points.push_back(end);
}

// From a point on the border of a region to a card in its stack, in cubic curves.
std::vector<LayoutPoint> inward(LayoutPoint start, const LayoutRect& box, double strip,
                                const LayoutRect& card, bool first, bool fromTop)
{
    std::vector<LayoutPoint> points{start};
    const LayoutPoint middle = card.centre();
    const bool side = start.x <= box.x + 1 || start.x >= box.right() - 1;
    if (side) {
        const bool left = start.x <= box.x + 1;
        const LayoutPoint end{left ? card.x : card.right(), middle.y};
        const double lane = (start.x + end.x) / 2;
        curveTo(points, {lane, start.y}, {lane, end.y}, end);
        return points;
    }
    if (first) {
        const LayoutPoint end{std::clamp(start.x, card.x + 10, card.right() - 10),
                              fromTop ? card.y : card.bottom()};
        const double half = (end.y - start.y) / 2;
        curveTo(points, {start.x, start.y + half}, {end.x, end.y - half}, end);
        return points;
    }
    // Along a lane beside the stack.
    const bool left = start.x < box.centre().x;
    const double lane = left ? box.x + memberInset / 2 + 2 : box.right() - memberInset / 2;
    const LayoutPoint end{left ? card.x : card.right(), middle.y};
    const double turn = fromTop ? box.y + strip + 4 : box.bottom() - 4;
    const double half = (turn - start.y) / 2;
    curveTo(points, {start.x, start.y + half}, {lane, turn - half}, {lane, turn});
    const double near = middle.y + (fromTop ? -6.0 : 6.0);
    lineTo(points, {lane, near});
    curveTo(points, {lane, middle.y}, {lane, middle.y}, end);
    return points;
}

} // namespace

void Builder::placeMembers()
{
    Drawing& drawing = *m_drawing;
    m_rowOf.assign(drawing.items.size(), -1);
    std::vector<int> rows(drawing.items.size(), 0);
    for (std::size_t i = 0; i < drawing.items.size(); ++i) {
        DrawItem& item = drawing.items[i];
        const int around = regionAround(static_cast<int>(i));
        if (around == static_cast<int>(i))
            continue;
        const DrawItem& region = drawing.items[static_cast<std::size_t>(around)];
        const int row = rows[static_cast<std::size_t>(around)]++;
        m_rowOf[i] = row;
        item.rect = {region.rect.x + memberInset,
                     region.rect.y + region.strip + memberTop + row * (memberHeight + memberGap),
                     region.rect.width - 2 * memberInset, memberHeight};
    }
}

LayoutPath Builder::outerPath(const DrawWire& wire, LayoutPath path) const
{
    const auto item = [this](int i) -> const DrawItem& {
        return m_drawing->items[static_cast<std::size_t>(i)];
    };
    if (path.points.empty())
        return path;
    if (!path.cubic) {
        std::vector<LayoutPoint> points{path.points.front()};
        for (std::size_t i = 1; i < path.points.size(); ++i)
            lineTo(points, path.points[i]);
        path.points = std::move(points);
        path.cubic = true;
    }
    if (isMember(wire.to)) {
        const DrawItem& region = item(regionAround(wire.to));
        const std::vector<LayoutPoint> more =
            inward(path.points.back(), region.rect, region.strip, item(wire.to).rect,
                   m_rowOf[static_cast<std::size_t>(wire.to)] == 0, true);
        path.points.insert(path.points.end(), more.begin() + 1, more.end());
    }
    if (isMember(wire.from) && !path.stub) {
        const int around = regionAround(wire.from);
        const DrawItem& region = item(around);
        const bool last = wire.from + 1 >= static_cast<int>(m_drawing->items.size())
                          || item(wire.from + 1).parent != around;
        std::vector<LayoutPoint> more = inward(path.points.front(), region.rect, region.strip,
                                               item(wire.from).rect, last, false);
        std::ranges::reverse(more);
        path.points.insert(path.points.begin(), more.begin(), more.end() - 1);
    }
    return path;
}

LayoutPath Builder::innerPath(const DrawWire& wire)
{
    const LayoutRect& from = m_drawing->items[static_cast<std::size_t>(wire.from)].rect;
    const LayoutRect& to = m_drawing->items[static_cast<std::size_t>(wire.to)].rect;
    const LayoutRect& box =
        m_drawing->items[static_cast<std::size_t>(regionAround(wire.from))].rect;
    const int number = m_laneCount[{wire.from, wire.to}]++;
    LayoutPath path;
    const int rows = m_rowOf[static_cast<std::size_t>(wire.to)]
                     - m_rowOf[static_cast<std::size_t>(wire.from)];
    if (rows == 1) {
        const double x = from.centre().x + (number % 2 == 0 ? 12.0 : -12.0) * ((number + 1) / 2);
        path.points = {{x, from.bottom()}};
        lineTo(path.points, {x, to.y});
        return path;
    }
    const bool left = m_laneCount[{wire.from, -1}]++ % 2 == 1;
    const double start = left ? from.x : from.right();
    const double lane = left ? box.x + memberInset / 2 + 2 : box.right() - memberInset / 2;
    const double down = rows > 0 ? 6 : -6;
    path.points = {{start, from.centre().y}};
    curveTo(path.points, {lane, from.centre().y}, {lane, from.centre().y},
            {lane, from.centre().y + down});
    lineTo(path.points, {lane, to.centre().y - down});
    curveTo(path.points, {lane, to.centre().y}, {lane, to.centre().y},
            {left ? to.x : to.right(), to.centre().y});
    return path;
}

} // namespace fusescope::drawing
