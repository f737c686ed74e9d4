#pragma once

#include "session/drawing.h"

#include <QLineF>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace fusescope {

inline QRectF toRect(const LayoutRect& r)
{
    return QRectF(r.x, r.y, r.width, r.height);
}
inline QPointF toPoint(const LayoutPoint& p)
{
    return QPointF(p.x, p.y);
}

// Finds what lies in a rectangle: items and wires in rows across the longer side of a drawing. Made
// once for a drawing, off the window's thread if need be.
class SceneIndex
{
public:
    explicit SceneIndex(DrawingPtr drawing);

    const Drawing& drawing() const { return *m_drawing; }
    // Each once, in ascending order.
    std::vector<int> items(const QRectF& area) const;
    std::vector<int> wires(const QRectF& area) const;

    const QRectF& wireBounds(int wire) const { return m_bounds[static_cast<std::size_t>(wire)]; }
    // The line of a wire. Parts far from `exposed` are left out.
    QPainterPath wirePath(int wire, const QRectF& exposed) const;
    // The last piece of it, for an arrow head, and the first.
    QLineF wireEnd(int wire) const;
    QPointF wireStart(int wire) const;
    QPointF wireMiddle(int wire) const;
    bool isStub(int wire) const { return pathOf(wire).stub; }
    QRectF pill(int wire) const { return toRect(pathOf(wire).pill); }
    // Distance of a point from the line.
    qreal distance(int wire, const QPointF& point) const;

private:
    const LayoutPath& pathOf(int wire) const;
    std::vector<QPointF> flattened(int wire) const;
    std::vector<int> query(const std::vector<std::vector<int>>& rows, const QRectF& area) const;

    DrawingPtr m_drawing;
    bool m_across = false; // rows are columns
    std::vector<std::vector<int>> m_itemRows, m_wireRows;
    std::vector<QRectF> m_bounds;
};

} // namespace fusescope
