#include "ui/graph/scene_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fusescope {

namespace {

constexpr double rowHeight = 256;

QPointF cubicAt(const QPointF& a, const QPointF& b, const QPointF& c, const QPointF& d, double t)
{
    const double s = 1 - t;
    return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t);
}

} // namespace

SceneIndex::SceneIndex(DrawingPtr drawing) : m_drawing(std::move(drawing))
{
    const Drawing& d = *m_drawing;
    m_across = d.width > d.height;
    const double length = std::max(m_across ? d.width : d.height, 1.0);
    const auto rows = static_cast<std::size_t>(std::min(length / rowHeight, 1e6)) + 1;
    m_itemRows.resize(rows);
    m_wireRows.resize(rows);
    const auto put = [&](std::vector<std::vector<int>>& into, const QRectF& box, int index) {
        const double from = m_across ? box.left() : box.top();
        const double to = m_across ? box.right() : box.bottom();
        const auto last = static_cast<double>(rows - 1);
        const auto first = static_cast<std::size_t>(std::clamp(from / rowHeight, 0.0, last));
        const auto end = static_cast<std::size_t>(std::clamp(to / rowHeight, 0.0, last));
        for (std::size_t row = first; row <= end; ++row)
            into[row].push_back(index);
    };
    for (std::size_t i = 0; i < d.items.size(); ++i)
        put(m_itemRows, toRect(d.items[i].rect), static_cast<int>(i));
    m_bounds.resize(d.wires.size());
    for (std::size_t i = 0; i < d.wires.size(); ++i) {
        const int index = static_cast<int>(i);
        QRectF bounds;
        bool first = true;
        const auto grow = [&](const QPointF& p) {
            if (first)
                bounds = QRectF(p, QSizeF(0.01, 0.01));
            first = false;
            bounds.setLeft(std::min(bounds.left(), p.x()));
            bounds.setRight(std::max(bounds.right(), p.x()));
            bounds.setTop(std::min(bounds.top(), p.y()));
            bounds.setBottom(std::max(bounds.bottom(), p.y()));
        };
        for (const LayoutPoint& p : pathOf(index).points)
            grow(toPoint(p));
        if (isStub(index))
            bounds = bounds.united(pill(index));
        m_bounds[i] = bounds;
        put(m_wireRows, bounds, index);
    }
}

const LayoutPath& SceneIndex::pathOf(int wire) const
{
    return m_drawing->paths[static_cast<std::size_t>(
        m_drawing->wires[static_cast<std::size_t>(wire)].path)];
}

std::vector<int> SceneIndex::query(const std::vector<std::vector<int>>& rows,
                                   const QRectF& area) const
{
    const double from = m_across ? area.left() : area.top();
    const double to = m_across ? area.right() : area.bottom();
    std::vector<int> found;
    if (rows.empty() || to < 0)
        return found;
    const auto last = static_cast<double>(rows.size() - 1);
    const auto first = static_cast<std::size_t>(std::clamp(from / rowHeight, 0.0, last));
    const auto end = static_cast<std::size_t>(std::clamp(to / rowHeight, 0.0, last));
    for (std::size_t row = first; row <= end; ++row)
        found.insert(found.end(), rows[row].begin(), rows[row].end());
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<int> SceneIndex::items(const QRectF& area) const
{
    if (area.contains(QRectF(0, 0, m_drawing->width, m_drawing->height))) {
        std::vector<int> all(m_drawing->items.size());
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    std::vector<int> found = query(m_itemRows, area);
    std::erase_if(found, [&](int i) {
        return !area.intersects(toRect(m_drawing->items[static_cast<std::size_t>(i)].rect));
    });
    return found;
}

std::vector<int> SceneIndex::wires(const QRectF& area) const
{
    std::vector<int> found = query(m_wireRows, area);
    std::erase_if(found, [&](int i) {
        return !area.intersects(wireBounds(i).adjusted(-4, -4, 4, 4));
    });
    return found;
}

std::vector<QPointF> SceneIndex::flattened(int wire) const
{
    const LayoutPath& path = pathOf(wire);
    std::vector<QPointF> points;
    if (path.points.empty())
        return points;
    points.push_back(toPoint(path.points.front()));
    if (!path.cubic) {
        for (std::size_t i = 1; i < path.points.size(); ++i)
            points.push_back(toPoint(path.points[i]));
        return points;
    }
    for (std::size_t i = 0; i + 3 < path.points.size(); i += 3) {
        for (int k = 1; k <= 12; ++k)
            points.push_back(cubicAt(toPoint(path.points[i]), toPoint(path.points[i + 1]),
                                     toPoint(path.points[i + 2]), toPoint(path.points[i + 3]),
                                     k / 12.0));
    }
    return points;
}

QPainterPath SceneIndex::wirePath(int wire, const QRectF& exposed) const
{
    QPainterPath result;
    const LayoutPath& path = pathOf(wire);
    if (path.points.empty())
        return result;
    const QRectF near = exposed.adjusted(-200, -200, 200, 200);
    const bool cull = exposed.isValid() && wireBounds(wire).height() + wireBounds(wire).width()
                                               > 2 * (exposed.height() + exposed.width());
    const std::size_t stride = path.cubic ? 3 : 1;
    bool open = false;
    for (std::size_t i = 0; i + stride < path.points.size(); i += stride) {
        if (cull) {
            QRectF bounds(toPoint(path.points[i]), QSizeF(0.1, 0.1));
            for (std::size_t k = 1; k <= stride; ++k)
                bounds = bounds.united(QRectF(toPoint(path.points[i + k]), QSizeF(0.1, 0.1)));
            if (!bounds.intersects(near)) {
                open = false;
                continue;
            }
        }
        if (!open)
            result.moveTo(toPoint(path.points[i]));
        open = true;
        if (path.cubic)
            result.cubicTo(toPoint(path.points[i + 1]), toPoint(path.points[i + 2]),
                           toPoint(path.points[i + 3]));
        else
            result.lineTo(toPoint(path.points[i + 1]));
    }
    return result;
}

QLineF SceneIndex::wireEnd(int wire) const
{
    const auto& points = pathOf(wire).points;
    if (points.size() < 2)
        return {};
    const QPointF end = toPoint(points.back());
    for (std::size_t i = points.size() - 1; i-- > 0;) {
        const QPointF other = toPoint(points[i]);
        if (QLineF(other, end).length() > 0.5)
            return QLineF(other, end);
    }
    return QLineF(end - QPointF(0, 1), end);
}

QPointF SceneIndex::wireStart(int wire) const
{
    const auto& points = pathOf(wire).points;
    return points.empty() ? QPointF() : toPoint(points.front());
}

QPointF SceneIndex::wireMiddle(int wire) const
{
    const std::vector<QPointF> points = flattened(wire);
    if (points.empty())
        return {};
    qreal length = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        length += QLineF(points[i - 1], points[i]).length();
    qreal rest = length / 2;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QLineF piece(points[i - 1], points[i]);
        if (piece.length() >= rest && piece.length() > 0)
            return piece.pointAt(rest / piece.length());
        rest -= piece.length();
    }
    return points.back();
}

qreal SceneIndex::distance(int wire, const QPointF& point) const
{
    const std::vector<QPointF> points = flattened(wire);
    qreal best = 1e9;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF along = points[i] - points[i - 1];
        const qreal square = QPointF::dotProduct(along, along);
        const qreal t = square > 0 ? std::clamp(QPointF::dotProduct(point - points[i - 1], along) / square,
                                                0.0, 1.0)
                                   : 0;
        best = std::min(best, QLineF(point, points[i - 1] + along * t).length());
    }
    return best;
}

} // namespace fusescope
