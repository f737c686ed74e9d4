#include "ui/graph/scene_painter.h"

#include <algorithm>

// The ways of wires in one state of the model.
namespace fusescope {

namespace {

constexpr qreal aside = 6;    // that a straight way keeps free beside it
constexpr qreal least = 16;   // that two cards have to face each other
constexpr qreal shortest = 8; // between them

} // namespace

std::optional<QLineF> ScenePainter::findStraightWay(int index) const
{
    const Drawing& drawing = *m_scene->drawing;
    const DrawWire& wire = drawing.wires[static_cast<std::size_t>(index)];
    const SceneState state = m_scene->wires[static_cast<std::size_t>(index)];
    if (wire.from < 0 || wire.to < 0 || m_index->isStub(index) || state == SceneState::removed ||
        state == SceneState::hidden)
        return std::nullopt;
    const QRectF from = toRect(drawing.items[static_cast<std::size_t>(wire.from)].rect);
    const QRectF to = toRect(drawing.items[static_cast<std::size_t>(wire.to)].rect);
    // Beside other wires of the same cards only what leaves by a side is led anew.
    const bool alone = isAlone(index);
    const QPointF start = m_index->wireStart(index);
    const QRectF& bounds = m_index->wireBounds(index);
    QLineF way;
    QRectF corridor;
    if (const qreal left = std::max(from.left(), to.left()), right = std::min(from.right(), to.right());
        to.top() >= from.bottom() + shortest && right - left >= least &&
        (start.y() < from.bottom() - 1 || (alone && bounds.width() > 1))) {
        const qreal x = std::clamp(to.center().x(), left + least / 2, right - least / 2);
        way = QLineF(x, from.bottom(), x, to.top());
        corridor = QRectF(x - aside, from.bottom() + 1, 2 * aside, to.top() - from.bottom() - 2);
    } else if (const qreal top = std::max(from.top(), to.top()),
               bottom = std::min(from.bottom(), to.bottom());
               to.left() >= from.right() + shortest && bottom - top >= least &&
               drawing.width > drawing.height &&
               (start.x() < from.right() - 1 || (alone && bounds.height() > 1))) {
        const qreal y = std::clamp(to.center().y(), top + least / 2, bottom - least / 2);
        way = QLineF(from.right(), y, to.left(), y);
        corridor = QRectF(from.right() + 1, y - aside, to.left() - from.right() - 2, 2 * aside);
    } else {
        return std::nullopt;
    }
    for (const int item : m_index->items(corridor)) {
        const bool around = drawing.holds(item, wire.from) && drawing.holds(item, wire.to);
        if (m_scene->isVisible(item) && !around)
            return std::nullopt;
    }
    return way;
}

// Whether no other visible wire leaves the card that it leaves or reaches the one that it reaches.
bool ScenePainter::isAlone(int index) const
{
    const auto& wires = m_scene->drawing->wires;
    if (m_leaving.empty()) {
        m_leaving.assign(m_scene->drawing->items.size(), 0);
        m_reaching.assign(m_scene->drawing->items.size(), 0);
        for (std::size_t i = 0; i < wires.size(); ++i) {
            if (m_scene->wires[i] == SceneState::hidden || m_index->isStub(static_cast<int>(i)))
                continue;
            if (wires[i].from >= 0)
                ++m_leaving[static_cast<std::size_t>(wires[i].from)];
            if (wires[i].to >= 0)
                ++m_reaching[static_cast<std::size_t>(wires[i].to)];
        }
    }
    const DrawWire& wire = wires[static_cast<std::size_t>(index)];
    return m_leaving[static_cast<std::size_t>(wire.from)] == 1 &&
           m_reaching[static_cast<std::size_t>(wire.to)] == 1;
}

const std::optional<QLineF>& ScenePainter::straightWay(int wire)
{
    const auto [found, isNew] = m_straight.try_emplace(wire);
    if (isNew)
        found->second = findStraightWay(wire);
    return found->second;
}

QPainterPath ScenePainter::pathOf(int wire, const QRectF& exposed)
{
    const auto& way = straightWay(wire);
    if (!way)
        return m_index->wirePath(wire, exposed);
    QPainterPath path(way->p1());
    path.lineTo(way->p2());
    return path;
}

QPointF ScenePainter::middleOf(int wire)
{
    const auto& way = straightWay(wire);
    return way ? way->center() : m_index->wireMiddle(wire);
}

} // namespace fusescope
