#include "ui/graph/scene_painter.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "ui/graph/graph_canvas.h"
#include "ui/graph/scene_painter_pass.h"
#include "ui/text.h"

namespace fusescope {

namespace {

constexpr std::size_t mostFaces = 4000;

} // namespace

void ScenePainter::setScene(std::shared_ptr<const GraphScene> scene,
                            std::shared_ptr<const SceneIndex> index)
{
    m_scene = std::move(scene);
    m_index = std::move(index);
    m_faces.clear();
    m_labels.clear();
    m_straight.clear();
    m_leaving.clear();
    m_reaching.clear();
    m_dots.clear();
    m_inputs.clear();
    if (!m_scene)
        return;
    for (const DrawItem& item : m_scene->drawing->items) {
        if (item.kind == DrawItem::Kind::input)
            m_inputs.insert(item.value);
    }
}

void ScenePainter::setFonts(const CardFonts& fonts)
{
    m_cards = CardPainter(fonts);
    m_faces.clear();
}

const CardFace& ScenePainter::face(int item)
{
    if (m_faces.size() > mostFaces)
        m_faces.clear();
    const auto [position, isNew] = m_faces.try_emplace(item);
    if (isNew)
        position->second = faceOf(*m_scene, item);
    return position->second;
}

QString ScenePainter::titleText(int index) const
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    const int count = static_cast<int>(item.nodes.size());
    if (item.kind == DrawItem::Kind::folded)
        return m_scene->hidesFates ? GraphCanvas::tr("%n node(s)", nullptr, count)
                                   : GraphCanvas::tr("%n folded node(s)", nullptr, count);
    if (item.kind == DrawItem::Kind::block && item.key.starts_with("repeat:"))
        return QCoreApplication::translate("GraphCanvas", "Block %1").arg(fromUtf8(item.title));
    return fromUtf8(item.title);
}

QString ScenePainter::countText(int index) const
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    if (item.kind != DrawItem::Kind::block)
        return {};
    int alive = 0;
    for (const NodeId node : item.nodes)
        alive += standsIn(m_scene->mode == SceneMode::before ? *m_scene->a : *m_scene->b, node) ? 1 : 0;
    return GraphCanvas::tr("%n node(s)", nullptr, alive);
}

void ScenePainter::paint(QPainter& painter, const QRectF& exposed, qreal scale,
                         const GraphMarks& marks, const HoverState& hover)
{
    if (!m_scene || !m_index)
        return;
    Pass pass{painter, exposed, scale, detailAt(scale), marks, hover};
    const QRectF wide = exposed.adjusted(-24, -24, 24, 24);
    std::vector<int> items = m_index->items(wide);
    std::erase_if(items, [this](int i) { return !m_scene->isVisible(i); });
    std::vector<int> wires = m_index->wires(wide);
    std::erase_if(wires, [this](int i) {
        return m_scene->wires[static_cast<std::size_t>(i)] == SceneState::hidden;
    });
    // What has gone below what stays, selected on top.
    const auto rank = [&](int i) {
        const SceneState state = m_scene->wires[static_cast<std::size_t>(i)];
        return state == SceneState::removed ? 0 : state == SceneState::same ? 1 : 2;
    };
    std::ranges::stable_sort(wires, {}, rank);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const int item : items) {
        if (m_scene->isFrame(item))
            frameItem(pass, item);
    }
    for (const int item : items)
        ties(pass, item);
    pass.watch = &m_watch;
    pass.all = wires.size() + items.size() + 1;
    for (const int one : wires) {
        if (!pass.next())
            return;
        const int cover = m_scene->coveredBy[static_cast<std::size_t>(one)];
        if (cover < 0) {
            wire(pass, one);
            continue;
        }
        // Outside the region its own line stands for this one.
        const DrawWire& line = m_scene->drawing->wires[static_cast<std::size_t>(one)];
        const DrawWire& whole = m_scene->drawing->wires[static_cast<std::size_t>(cover)];
        for (const auto& [end, box] :
             {std::pair(line.from, whole.from), std::pair(line.to, whole.to)}) {
            if (end == box)
                continue;
            painter.save();
            painter.setClipRect(toRect(m_scene->drawing->items[static_cast<std::size_t>(box)].rect),
                                Qt::IntersectClip);
            wire(pass, one);
            painter.restore();
        }
    }
    // Titles of regions above the lines that go on to what they replace.
    for (const int item : items) {
        if (m_scene->isFrame(item) && m_scene->drawing->items[static_cast<std::size_t>(item)].region)
            stripItem(pass, item);
    }
    for (const int item : items) {
        if (!pass.next())
            return;
        if (!m_scene->isFrame(item))
            boxItem(pass, item);
    }
    for (const int item : items) {
        if (m_scene->isFrame(item))
            rings(pass, item);
    }
    candidate(pass);
    if (pass.detail == Detail::full)
        wireLabels(pass, wires);
    for (const auto& [box, error] : pass.pills)
        pass.placed.push_back(box); // tags stand beside them
    octagons(pass, items);
    painter.setOpacity(1);
    for (const auto& [box, label] : pass.tags) {
        const qreal across = m_cards.tagRect({0, 0}, label).width();
        placeTag(pass, {box.right() - across - 8, box.bottom() + 12}, label, marks.blockedInk);
    }
    for (const auto& [box, error] : pass.pills)
        m_cards.errorPill(painter, box, error, marks.tolerance);
    divergenceTag(pass);
    if (pass.candidateFoot && !marks.candidateText.isEmpty() && pass.detail == Detail::full)
        placeTag(pass, *pass.candidateFoot, marks.candidateText, marks.blockedInk);
}

void ScenePainter::frameItem(Pass& pass, int index)
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    const CardLook look{m_scene->marks ? m_scene->items[static_cast<std::size_t>(index)]
                                       : SceneState::same,
                        false, false, pass.hover.item == index, pass.detail, pass.exposed.left() + 4,
                        pass.scale};
    pass.painter.setOpacity(pass.isDim(index) ? dimmed : 1);
    const QRectF box = toRect(item.rect);
    if (item.region) {
        m_cards.region(pass.painter, box, item.strip, face(index), look);
    } else if (item.kind == DrawItem::Kind::node) {
        m_cards.region(pass.painter, box, item.strip, face(index), look);
    } else {
        m_cards.frame(pass.painter, box, item.strip, titleText(index), countText(index), look,
                      item.kind == DrawItem::Kind::body);
    }
}

void ScenePainter::stripItem(Pass& pass, int index)
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    const CardLook look{m_scene->marks ? m_scene->items[static_cast<std::size_t>(index)]
                                       : SceneState::same,
                        false, false, pass.hover.item == index, pass.detail, pass.exposed.left() + 4,
                        pass.scale};
    pass.painter.setOpacity(pass.isDim(index) ? dimmed : 1);
    m_cards.strip(pass.painter, toRect(item.rect), item.strip, face(index), look);
}

void ScenePainter::boxItem(Pass& pass, int index)
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    const QRectF box = toRect(item.rect);
    pass.painter.setOpacity(pass.isDim(index) ? dimmed : 1);
    const NodeId node = item.kind == DrawItem::Kind::node ? m_scene->nodeOf(index) : NodeId{};
    if (node && pass.marks.hits.contains(node) && !pass.isDim(index))
        m_cards.hitRing(pass.painter, box, node == pass.marks.hit);
    CardLook look{m_scene->items[static_cast<std::size_t>(index)], m_scene->isGhost(index),
                  item.compact, pass.hover.item == index, pass.detail, -1e9, pass.scale};
    if (!m_scene->marks)
        look.state = SceneState::same;
    switch (item.kind) {
    case DrawItem::Kind::node:
        m_cards.card(pass.painter, box, face(index), look);
        break;
    case DrawItem::Kind::block:
        m_cards.block(pass.painter, box, titleText(index), countText(index), look,
                      m_scene->marks ? m_scene->inside[static_cast<std::size_t>(index)]
                                     : SceneCounts{});
        break;
    case DrawItem::Kind::folded:
        m_cards.folded(pass.painter, box, titleText(index), look);
        break;
    default: {
        const Value* value = m_scene->b->value(item.value) ? m_scene->b->value(item.value)
                                                           : m_scene->a->value(item.value);
        m_cards.port(pass.painter, box, fromUtf8(item.title),
                     value ? fromUtf8(typeLabel(value->type)) : QString(), look,
                     item.kind == DrawItem::Kind::output);
        break;
    }
    }
    rings(pass, index);
}

void ScenePainter::rings(Pass& pass, int index)
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    const QRectF box = toRect(item.rect);
    const SceneState state = m_scene->items[static_cast<std::size_t>(index)];
    pass.painter.setOpacity(pass.isDim(index) ? dimmed : 1);
    if (item.kind == DrawItem::Kind::node) {
        const NodeId node = m_scene->nodeOf(index);
        const bool culprit = pass.marks.culprits.contains(node);
        if (culprit)
            culpritRing(pass, box, 4);
        else if (!pass.marks.culpritValues.empty() && !item.region)
            culpritRow(pass, index, box);
        if (pass.marks.isSelected(node))
            m_cards.ring(pass.painter, box, Token::accent, culprit ? 7 : 3, false);
        else if (pass.marks.successors.contains(node))
            m_cards.ring(pass.painter, box, Token::accent, 3, true);
        if (culprit && pass.marks.blockedInk == Token::blocked)
            paintOctagon(pass.painter, box.topRight(), octagonSide, true);
        if (const auto error = pass.marks.errors.find(node);
            error != pass.marks.errors.end() && pass.detail == Detail::full)
            pass.pills.emplace_back(CardPainter::errorPillRect(box, item.compact), error->second);
        if (node == pass.marks.divergence && pass.detail == Detail::full)
            pass.divergence = pass.marks.errors.contains(node)
                                  ? box.united(CardPainter::errorPillRect(box, item.compact))
                                  : box;
        if (pass.marks.second && pass.detail == Detail::full
            && (node == pass.marks.selected || node == pass.marks.second)) {
            const QRectF disc(box.left() - 9, box.top() - 9, 18, 18);
            pass.painter.setPen(Qt::NoPen);
            pass.painter.setBrush(theme().color(Token::accent));
            pass.painter.drawEllipse(disc);
            pass.painter.setPen(theme().color(Token::onAccent));
            pass.painter.setFont(theme().font(TextScale::badge, true));
            pass.painter.drawText(disc, Qt::AlignCenter,
                                  node == pass.marks.selected ? QStringLiteral("A")
                                                              : QStringLiteral("B"));
            return;
        }
    }
    if (item.value && pass.marks.culpritValues.contains(item.value)) {
        culpritRing(pass, box, 4);
        paintOctagon(pass.painter, box.topRight(), octagonSide, true);
    }
    if (m_scene->marks && item.kind != DrawItem::Kind::folded)
        m_cards.badge(pass.painter, box, state, pass.scale);
}

void ScenePainter::ties(Pass& pass, int index)
{
    const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(index)];
    if (item.tied.empty() || m_scene->mode != SceneMode::overlay
        || m_scene->items[static_cast<std::size_t>(index)] != SceneState::added)
        return;
    QPen pen(theme().color(Token::removed), 1);
    pen.setDashPattern({2, 4});
    pass.painter.setPen(pass.detail == Detail::dot ? QPen(Qt::NoPen) : pen);
    for (const NodeId node : item.tied) {
        const int other = m_scene->itemOf(node);
        if (other >= 0 && m_scene->isVisible(other))
            pass.painter.drawLine(toRect(item.rect).center(),
                                  toRect(m_scene->drawing->items[static_cast<std::size_t>(other)].rect)
                                      .center());
    }
}

void ScenePainter::wire(Pass& pass, int index)
{
    const DrawWire& wire = m_scene->drawing->wires[static_cast<std::size_t>(index)];
    SceneState state = m_scene->wires[static_cast<std::size_t>(index)];
    if (!m_scene->marks)
        state = SceneState::same;
    const bool stub = m_index->isStub(index);
    const bool selected = wire.value == pass.marks.value && wire.value;
    const bool lit = selected || (stub && wire.value == pass.hover.stub);
    const bool hovered = pass.hover.wire == index;
    pass.painter.setOpacity(pass.isDim(wire.from) || pass.isDim(wire.to) ? dimmed : 1);
    Token token = state == SceneState::same ? Token::edge : lineOf(state);
    qreal width = state == SceneState::removed ? 1.4 : state == SceneState::same ? 1.3 : 2;
    if (lit || hovered) {
        token = lit ? Token::accent : token;
        width = std::max(width, 2.0);
    }
    width = theme().lineWidth(width);
    width = std::max(width, 0.9 / std::max(pass.scale, 0.05));
    QPen pen(theme().color(token), width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (state == SceneState::removed)
        pen.setDashPattern({5 / width, 4 / width});
    else if (wire.captured)
        pen.setDashPattern({1.5 / width, 4 / width});
    pass.painter.setPen(pen);
    pass.painter.setBrush(Qt::NoBrush);
    pass.painter.drawPath(pathOf(index, pass.exposed));
    // The head.
    const QLineF end = straightWay(index).value_or(m_index->wireEnd(index));
    if (end.length() > 0 && pass.detail != Detail::dot) {
        const qreal size = (state == SceneState::same ? 6.5 : 7.5) * std::max(1.0, 0.6 / pass.scale);
        const QPointF along = (end.p2() - end.p1()) / end.length();
        const QPointF aside(-along.y(), along.x());
        const QPointF tip = end.p2();
        pass.painter.setPen(Qt::NoPen);
        pass.painter.setBrush(theme().color(token));
        pass.painter.drawPolygon(QPolygonF({tip, tip - along * size + aside * size * 0.5,
                                            tip - along * size - aside * size * 0.5}));
    }
    if (state == SceneState::added && pass.detail == Detail::full) {
        const QPainterPath way = pathOf(index, {});
        const QPointF start = way.pointAtPercent(way.percentAtLength(std::min(9.0, way.length() / 2)));
        paintBadge(pass.painter, QRectF(start.x() - 5, start.y() - 5, 10, 10), Mark::added);
    }
    if (stub) {
        const Value* value = m_scene->b->value(wire.value) ? m_scene->b->value(wire.value)
                                                           : m_scene->a->value(wire.value);
        const CardLook look{state, false, true, false, pass.detail, -1e9, pass.scale};
        m_cards.pill(pass.painter, m_index->pill(index), value ? fromUtf8(value->name) : QString(),
                     look, lit);
    }
}

void ScenePainter::wireLabels(Pass& pass, const std::vector<int>& wires)
{
    const QFontMetricsF metrics(m_cards.fonts().label);
    std::set<std::pair<std::uint32_t, int>> said; // once for each value and start
    QColor ground = theme().color(Token::canvas);
    ground.setAlphaF(0.93F);
    std::vector<QRectF> taken;
    std::set<int> marked; // an octagon stands there
    for (const BlockedMark& mark : m_scene->blocked)
        marked.insert(mark.wire);
    for (const int index : wires) {
        const DrawWire& wire = m_scene->drawing->wires[static_cast<std::size_t>(index)];
        const SceneState state = m_scene->wires[static_cast<std::size_t>(index)];
        if (m_index->isStub(index) || state == SceneState::removed || marked.contains(index)
            || pass.isDim(wire.from) || pass.isDim(wire.to))
            continue;
        const QRectF& bounds = m_index->wireBounds(index);
        if (bounds.height() < 26 && bounds.width() < 90)
            continue;
        if (!said.emplace(wire.value.value, wire.from).second)
            continue;
        const auto [position, isNew] = m_labels.try_emplace(index);
        if (isNew)
            position->second = wireLabel(*m_scene, index);
        if (position->second.empty() || position->second == "?")
            continue;
        const QString label = text::oneLine(fromUtf8(position->second));
        // Near the start of long lines, else in the middle.
        const QPointF middle = bounds.height() > 160
                                   ? pathOf(index, {}).pointAtPercent(
                                         std::min(0.5, 40.0 / std::max(bounds.height(), 1.0)))
                                   : middleOf(index);
        QRectF box(0, 0, metrics.horizontalAdvance(label) + 6, metrics.height() - 1);
        box.moveCenter(middle);
        if (!box.intersects(pass.exposed))
            continue;
        // Never over a card or another label.
        bool free = std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); });
        for (const int item : m_index->items(box)) {
            const DrawItem& other = m_scene->drawing->items[static_cast<std::size_t>(item)];
            const bool holds = wire.from != item && m_scene->drawing->holds(item, wire.from);
            const bool room = m_scene->isFrame(item) && (holds || !other.region)
                              && box.top() > other.rect.y + other.strip;
            free = free && (!m_scene->isVisible(item) || room);
        }
        if (!free)
            continue;
        taken.push_back(box);
        pass.painter.setOpacity(1);
        pass.painter.fillRect(box, ground);
        pass.painter.setFont(m_cards.fonts().label);
        pass.painter.setPen(state == SceneState::changed && m_scene->marks
                                ? theme().color(Token::changedInk)
                                : theme().color(Token::text2));
        pass.painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, label);
    }
}

} // namespace fusescope
