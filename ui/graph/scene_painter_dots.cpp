#include "ui/graph/scene_painter.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QPainter>

namespace fusescope {

void ScenePainter::paintDots(QPainter& painter, const QRectF& exposed, const QPointF& origin,
                             qreal scale, const GraphMarks& marks, qreal least) const
{
    if (!m_scene || !m_index)
        return;
    // Rectangles by colour: one call a colour is what makes this fast.
    std::map<QRgb, std::vector<QRectF>> fills;
    std::vector<std::pair<QRectF, SceneState>> changed;
    std::vector<std::pair<QRectF, QColor>> ringed;
    const Graph& graph = m_scene->mode == SceneMode::before ? *m_scene->a : *m_scene->b;
    const QRgb grey = theme().color(Token::cardLine).rgb();
    for (const int index : m_index->items(exposed)) {
        if (!m_scene->isVisible(index) || isFrame(index))
            continue;
        const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
        const QRectF box((item.rect.x - origin.x()) * scale, (item.rect.y - origin.y()) * scale,
                         std::max(item.rect.width * scale, least),
                         std::max(item.rect.height * scale, least));
        const SceneState state =
            m_scene->marks ? m_scene->items[static_cast<std::size_t>(index)] : SceneState::same;
        QRgb color = grey;
        if (item.kind == DrawItem::Kind::node) {
            const NodeId id = item.older.empty() ? item.node : m_scene->nodeOf(index);
            const Node* node = graph.node(id) ? graph.node(id) : m_scene->a->node(id);
            if (node)
                color = theme().color(categoryOf(categoryOf(graph, *node))).rgb();
            if (marks.isSelected(id))
                ringed.emplace_back(box, theme().color(Token::accent));
            else if (marks.hits.contains(id))
                ringed.emplace_back(box, theme().color(Token::hit));
        }
        if (marks.traced
            && (static_cast<std::size_t>(index) >= marks.trace.size()
                || !marks.trace[static_cast<std::size_t>(index)]))
            color = mix(theme().color(Token::canvas), QColor(color), 0.28).rgb();
        if (state != SceneState::same)
            changed.emplace_back(box, state);
        fills[color].push_back(box);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    for (const auto& [color, boxes] : fills) {
        painter.setBrush(QColor(color));
        painter.drawRects(boxes.data(), static_cast<int>(boxes.size()));
    }
    // A tick beside what changed: solid from the right for added, dashed for removed.
    for (const auto& [box, state] : changed) {
        const QColor color = theme().color(lineOf(state));
        const qreal thick = std::max<qreal>(1.5, std::min(box.height(), 2.5));
        const qreal length = 7;
        const qreal y = box.center().y() - thick / 2;
        if (state == SceneState::removed) {
            for (int i = 0; i < 3; ++i)
                painter.fillRect(QRectF(box.right() + 2 + i * 3, y, 2, thick), color);
            painter.fillRect(box, color);
        } else {
            painter.fillRect(QRectF(box.left() - 2 - length, y, length, thick), color);
            if (state == SceneState::changed)
                painter.fillRect(QRectF(box.right() + 2, y, length, thick), color);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [box, color] : ringed) {
        painter.setPen(QPen(color, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(-2, -2, 2, 2));
    }
    std::vector<QPointF> taken; // octagons never lie on one another
    for (const BlockedMark& mark : m_scene->blocked) {
        const int item = mark.item;
        const QRectF box = toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect);
        if (!exposed.intersects(box))
            continue;
        const QPointF at((box.left() - origin.x()) * scale - 6, (box.center().y() - origin.y()) * scale);
        const bool free = std::ranges::none_of(taken, [&](const QPointF& other) {
            return std::abs(other.x() - at.x()) + std::abs(other.y() - at.y()) < octagonSmall;
        });
        if (!free || taken.size() > 400)
            continue;
        taken.push_back(at);
        paintOctagon(painter, at, least < 2 ? octagonSmall - 2 : octagonSmall);
    }
}

} // namespace fusescope
