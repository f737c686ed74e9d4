#include "ui/graph/scene_painter_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>

namespace fusescope {

namespace {

constexpr auto grey = static_cast<std::size_t>(Category::count);
constexpr std::size_t mostOctagons = 400;

// Rectangles of one colour; those that would fall on the very same pixels are left out.
struct Fill
{
    std::vector<QRectF> boxes;
    QRect last;

    void add(const QRectF& box)
    {
        const QRect pixels = box.toAlignedRect();
        if (pixels == last)
            return;
        last = pixels;
        boxes.push_back(box);
    }
};

} // namespace

void ScenePainter::prepareDots() const
{
    const Graph& graph = m_scene->mode == SceneMode::before ? *m_scene->a : *m_scene->b;
    const auto& items = m_scene->drawing->items;
    m_dots.assign(items.size(), {static_cast<std::uint8_t>(grey), NodeId{}});
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].kind != DrawItem::Kind::node)
            continue;
        const NodeId id = items[i].older.empty() && !m_scene->later ? items[i].node : m_scene->nodeOf(static_cast<int>(i));
        const Node* node = graph.node(id) ? graph.node(id) : m_scene->a->node(id);
        m_dots[i].second = id;
        if (node)
            m_dots[i].first = static_cast<std::uint8_t>(fusescope::categoryOf(graph, *node));
    }
}

void ScenePainter::paintDots(QPainter& painter, const QRectF& exposed, const QPointF& origin,
                             qreal scale, const GraphMarks& marks, qreal least) const
{
    if (!m_scene || !m_index)
        return;
    if (m_dots.empty())
        prepareDots();
    // Rectangles by colour: one call a colour is what makes this fast.
    std::array<Fill, grey + 1> fills, dim;
    std::array<Fill, 5> changed; // by state
    std::vector<QRectF> grounds; // of new regions, around what they replace
    std::vector<std::pair<QRectF, QColor>> ringed;
    const bool marked = marks.selected || marks.second || !marks.more.empty() || !marks.hits.empty();
    for (const int index : m_index->items(exposed)) {
        const auto at = static_cast<std::size_t>(index);
        if (!m_scene->isVisible(index))
            continue;
        const bool frame = m_scene->isFrame(index);
        const SceneState state = m_scene->marks ? m_scene->items[at] : SceneState::same;
        if (frame && (!m_scene->drawing->items[at].region || state == SceneState::same))
            continue;
        const LayoutRect& rect = m_scene->drawing->items[at].rect;
        const QRectF box((rect.x - origin.x()) * scale, (rect.y - origin.y()) * scale,
                         std::max(rect.width * scale, least), std::max(rect.height * scale, least));
        const auto [category, node] = m_dots[at];
        if (marked && marks.isSelected(node))
            ringed.emplace_back(box, theme().color(Token::accent));
        else if (marked && marks.hits.contains(node))
            ringed.emplace_back(box, theme().color(Token::hit));
        const bool out = marks.traced && (at >= marks.trace.size() || !marks.trace[at]);
        if (frame)
            grounds.push_back(box);
        else
            (out ? dim : fills)[category].add(box);
        if (state != SceneState::same)
            changed[static_cast<std::size_t>(state)].add(box);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(Token::added));
    painter.drawRects(grounds.data(), static_cast<int>(grounds.size()));
    for (std::size_t i = 0; i <= grey; ++i) {
        const QColor color = i == grey ? theme().color(Token::cardLine)
                                       : theme().color(static_cast<Category>(i));
        if (!dim[i].boxes.empty()) {
            painter.setBrush(mix(theme().color(Token::canvas), color, dimmed));
            painter.drawRects(dim[i].boxes.data(), static_cast<int>(dim[i].boxes.size()));
        }
        if (!fills[i].boxes.empty()) {
            painter.setBrush(color);
            painter.drawRects(fills[i].boxes.data(), static_cast<int>(fills[i].boxes.size()));
        }
    }
    // A tick beside what changed: solid from the left for added, dashed to the right for removed.
    for (const SceneState state : {SceneState::added, SceneState::removed, SceneState::changed}) {
        std::vector<QRectF> ticks;
        for (const QRectF& box : changed[static_cast<std::size_t>(state)].boxes) {
            const qreal thick = std::max<qreal>(1.5, std::min(box.height(), 2.5));
            constexpr qreal length = 7;
            const qreal y = box.center().y() - thick / 2;
            if (state == SceneState::removed) {
                for (int i = 0; i < 3; ++i)
                    ticks.emplace_back(box.right() + 2 + i * 3, y, 2, thick);
                ticks.push_back(box);
            } else {
                ticks.emplace_back(box.left() - 2 - length, y, length, thick);
                if (state == SceneState::changed)
                    ticks.emplace_back(box.right() + 2, y, length, thick);
            }
        }
        painter.setBrush(theme().color(lineOf(state)));
        painter.drawRects(ticks.data(), static_cast<int>(ticks.size()));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const auto& [box, color] : ringed) {
        painter.setPen(QPen(color, 2));
        painter.drawRect(box.adjusted(-2, -2, 2, 2));
    }
    std::vector<QPointF> taken; // octagons never lie on one another
    for (const BlockedMark& mark : m_scene->blocked) {
        const QRectF box = toRect(m_scene->drawing->items[static_cast<std::size_t>(mark.item)].rect);
        if (!exposed.intersects(box))
            continue;
        const QPointF at((box.left() - origin.x()) * scale - 6, (box.center().y() - origin.y()) * scale);
        const bool free = std::ranges::none_of(taken, [&](const QPointF& other) {
            return std::abs(other.x() - at.x()) + std::abs(other.y() - at.y()) < octagonSmall;
        });
        if (!free || taken.size() > mostOctagons)
            continue;
        taken.push_back(at);
        paintOctagon(painter, at, least < 2 ? octagonSmall - 2 : octagonSmall);
    }
}

} // namespace fusescope
