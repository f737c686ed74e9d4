#include "ui/graph/scene_painter.h"

#include <algorithm>
#include <set>

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include "ui/graph/scene_painter_pass.h"

// What a blocked candidate marks: its culprit, its outline, octagons and tags.
namespace fusescope {

void ScenePainter::culpritRing(Pass& pass, const QRectF& box, qreal gap)
{
    m_cards.ring(pass.painter, box, pass.marks.blockedInk, gap, false);
    if (pass.detail == Detail::full)
        pass.tags.emplace_back(box, QCoreApplication::translate("GraphCanvas", "culprit"));
}

// A weight is written on the card of its reader.
void ScenePainter::culpritRow(Pass& pass, int index, const QRectF& box)
{
    const NodeId node = m_scene->nodeOf(index);
    if (std::ranges::find(pass.marks.candidate, node) == pass.marks.candidate.end()
        || pass.detail != Detail::full)
        return;
    const CardFace& shown = face(index);
    QRectF around;
    qreal y = box.top() + card::header + (shown.content.name.empty() ? 0 : card::line) + 1;
    for (const CardRow& row : shown.content.rows) {
        if (row.value && pass.marks.culpritValues.contains(row.value)
            && y + card::line <= box.bottom() + 1)
            around |= QRectF(box.left() + card::stripe + 1, y, box.width() - card::stripe - 2,
                             card::line);
        y += card::line;
    }
    // Where weights are not written the reader stands for them.
    const Node* record = m_scene->graphOf(index).node(node);
    const bool reads = record && std::ranges::any_of(record->inputs, [&](ValueId value) {
        return value && pass.marks.culpritValues.contains(value)
               && !m_scene->graphOf(index).producer(value) && !m_inputs.contains(value);
    });
    if (around.isValid())
        culpritRing(pass, around, 0);
    else if (reads)
        culpritRing(pass, box, 4);
}

void ScenePainter::candidate(Pass& pass)
{
    if (pass.marks.candidate.empty())
        return;
    // Around its cards and along the lines between them, so that no other card is enclosed.
    QPainterPath around;
    std::set<int> items;
    for (const NodeId node : pass.marks.candidate) {
        const int item = m_scene->visibleItem(node);
        if (item < 0 || !items.insert(item).second)
            continue;
        QPainterPath one;
        one.addRoundedRect(toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect)
                               .adjusted(-18, -16, 18, 18),
                           radius::region, radius::region);
        around = around.united(one);
    }
    if (around.isEmpty())
        return;
    const auto& wires = m_scene->drawing->wires;
    for (std::size_t i = 0; i < wires.size(); ++i) {
        const int index = static_cast<int>(i);
        if (!items.contains(wires[i].from) || !items.contains(wires[i].to)
            || m_scene->wires[i] == SceneState::hidden || m_index->isStub(index))
            continue;
        QPainterPathStroker corridor;
        corridor.setWidth(28);
        corridor.setJoinStyle(Qt::RoundJoin);
        around = around.united(corridor.createStroke(pathOf(index, {})));
    }
    QPen pen(theme().color(pass.marks.blockedInk), theme().lineWidth(1.6));
    pen.setDashPattern({9 / 1.6, 4 / 1.6, 2 / 1.6, 4 / 1.6});
    pass.painter.setOpacity(1);
    pass.painter.setPen(pen);
    pass.painter.setBrush(Qt::NoBrush);
    pass.painter.drawPath(around.simplified());
    // The words stand below its lowest card.
    QRectF lowest;
    for (const int item : items) {
        const QRectF box = toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect);
        if (lowest.isNull() || box.bottom() > lowest.bottom())
            lowest = box;
    }
    pass.candidateFoot = QPointF(lowest.left() - 10, lowest.bottom() + 18);
}

void ScenePainter::octagons(Pass& pass, const std::vector<int>& items)
{
    const qreal side = std::max(octagonSide * std::min(1.0, pass.scale * 1.2), octagonSmall)
                       / std::max(pass.scale, 0.01) * std::min(1.0, std::max(pass.scale, 0.55));
    pass.painter.setOpacity(1);
    for (const int item : items) {
        if (std::ranges::binary_search(m_scene->blockedItems, item)) {
            const QRectF box = toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect);
            const bool block = m_scene->drawing->items[static_cast<std::size_t>(item)].kind
                               != DrawItem::Kind::node;
            const QPointF at = block ? QPointF(box.right(), box.center().y()) : box.topRight();
            paintOctagon(pass.painter, at, side, true);
            const bool shown = std::ranges::any_of(m_scene->blocked, [&](const BlockedMark& mark) {
                return mark.wire < 0 && mark.item == item && mark.row == pass.marks.blockedRow;
            });
            if (shown)
                blockedTag(pass, at, side);
        }
    }
    for (const BlockedMark& mark : m_scene->blocked) {
        if (mark.wire < 0 || !pass.exposed.intersects(m_index->wireBounds(mark.wire)))
            continue;
        const QPointF at = middleOf(mark.wire);
        paintOctagon(pass.painter, at, side, true);
        if (mark.row == pass.marks.blockedRow)
            blockedTag(pass, at, side);
    }
}

void ScenePainter::blockedTag(Pass& pass, const QPointF& octagon, qreal side)
{
    if (pass.detail == Detail::full && !pass.marks.blockedTag.isEmpty())
        placeTag(pass, octagon + QPointF(side / 2 + 4, 0), pass.marks.blockedTag,
                 pass.marks.blockedInk);
}

// Beside those that stand there already, to the right of them.
void ScenePainter::placeTag(Pass& pass, QPointF left, const QString& label, Token ink)
{
    constexpr int tries = 4;
    for (int i = 0; i < tries; ++i) {
        const QRectF box = m_cards.tagRect(left, label);
        const auto other = std::ranges::find_if(
            pass.placed, [&box](const QRectF& placed) { return placed.intersects(box); });
        if (other == pass.placed.end())
            break;
        left.rx() = other->right() + 3;
    }
    pass.placed.push_back(m_cards.tagRect(left, label));
    m_cards.tag(pass.painter, left, label, ink);
}

void ScenePainter::divergenceTag(Pass& pass)
{
    if (!pass.divergence)
        return;
    pass.painter.setOpacity(1);
    const QRectF& box = *pass.divergence;
    const QPointF at(box.right() + 18, box.center().y() - 11);
    placeTag(pass, at, pass.marks.divergenceTag, Token::removed);
    if (pass.marks.divergenceNote.isEmpty())
        return;
    const QFont font = theme().monoFont(TextScale::small);
    const QFontMetricsF metrics(font);
    const QRectF line(at.x(), at.y() + 12, metrics.horizontalAdvance(pass.marks.divergenceNote) + 4,
                      metrics.height());
    QColor ground = theme().color(Token::canvas);
    ground.setAlphaF(0.93f);
    pass.painter.fillRect(line, ground);
    pass.painter.setFont(font);
    pass.painter.setPen(theme().color(Token::text2));
    pass.painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, pass.marks.divergenceNote);
}

} // namespace fusescope
