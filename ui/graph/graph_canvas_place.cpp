#include "ui/graph/graph_canvas.h"

#include <algorithm>
#include <span>

#include <QVariantAnimation>

namespace fusescope {

namespace {

constexpr qreal leastZoom = 0.002; // or what shows all of the drawing
constexpr qreal mostZoom = 4;
constexpr qreal margin = 24;

std::optional<QPointF> cornerOf(const GraphScene& scene, NodeId node)
{
    const int item = node ? scene.visibleItem(node) : -1;
    if (item < 0)
        return std::nullopt;
    return toRect(scene.drawing->items[static_cast<std::size_t>(item)].rect).topLeft();
}

} // namespace

qreal GraphCanvas::wholeZoom() const
{
    const QRectF all = drawingRect();
    if (all.isEmpty())
        return 1;
    return std::max(std::min((width() - 2 * margin) / all.width(),
                             (height() - 2 * margin) / all.height()),
                    1e-6);
}

qreal GraphCanvas::boundedZoom(qreal zoom) const
{
    return std::clamp(zoom, std::min(leastZoom, wholeZoom()), mostZoom);
}

void GraphCanvas::setPlace(qreal zoom, const QPointF& origin)
{
    m_pan->stop();
    stopMotion();
    m_zoom = boundedZoom(zoom);
    m_origin = origin;
    m_placed = true;
    clampPlace();
    update();
}

void GraphCanvas::showMiddle(qreal zoom, const QPointF& centre)
{
    zoom = boundedZoom(zoom);
    setPlace(zoom, centre - QPointF(width(), height()) / (2 * zoom));
}

void GraphCanvas::setZoom(qreal zoom, const QPointF& anchor)
{
    const QPointF point = toDrawing(anchor);
    m_pan->stop();
    stopMotion();
    m_zoom = boundedZoom(zoom);
    m_origin = point - anchor / m_zoom;
    m_placed = true;
    update();
    Q_EMIT placeChanged();
}

void GraphCanvas::actualSize()
{
    setZoom(1, rect().center());
}

void GraphCanvas::fit()
{
    const QRectF all = drawingRect();
    if (all.isEmpty() || width() < 10)
        return;
    m_pan->stop();
    stopMotion();
    m_zoom = std::min(wholeZoom(), 1.0);
    m_origin = all.center() - QPointF(width(), height()) / (2 * m_zoom);
    m_placed = true;
    update();
    Q_EMIT placeChanged();
}

void GraphCanvas::fitSelection()
{
    QRectF around;
    std::set<NodeId> nodes = m_marks.more;
    nodes.insert({m_marks.selected, m_marks.second});
    for (const NodeId node : nodes) {
        const int item = m_scene && node ? m_scene->visibleItem(node) : -1;
        if (item >= 0)
            around |= toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect);
    }
    if (around.isEmpty()) {
        fit();
        return;
    }
    around.adjust(-40, -40, 40, 40);
    m_pan->stop();
    stopMotion();
    m_zoom = boundedZoom(
        std::min({width() / around.width(), height() / around.height(), 1.0}));
    m_origin = around.center() - QPointF(width(), height()) / (2 * m_zoom);
    m_placed = true;
    update();
    Q_EMIT placeChanged();
}

void GraphCanvas::showStart()
{
    const QRectF all = drawingRect();
    if (all.isEmpty() || width() < 10)
        return;
    const QSizeF room(width() - 2 * margin, height() - 2 * margin);
    const qreal whole = wholeZoom();
    m_pan->stop();
    stopMotion();
    m_placed = isVisible();
    if (whole >= 0.7) {
        m_zoom = std::min(whole, 1.0);
        m_origin = all.center() - QPointF(width(), height()) / (2 * m_zoom);
        return;
    }
    // A tall drawing is read from the top, in its width if that can be read.
    const bool tall = all.height() * room.width() >= all.width() * room.height();
    m_zoom = std::clamp(tall ? room.width() / all.width() : room.height() / all.height(), 0.7, 1.0);
    QPointF start(all.center().x() - width() / (2 * m_zoom), -margin / m_zoom);
    if (!tall)
        start = QPointF(-margin / m_zoom, all.center().y() - height() / (2 * m_zoom));
    // What stands at the top in the middle, or at least the first card in sight.
    QRectF first;
    const std::span<const DrawItem> items =
        m_scene ? std::span<const DrawItem>(m_scene->drawing->items) : std::span<const DrawItem>();
    for (const DrawItem& item : items) {
        const QRectF box = toRect(item.rect);
        if (item.parent < 0 && (tall ? box.top() < start.y() + height() / m_zoom
                                     : box.left() < start.x() + width() / m_zoom))
            first |= box;
    }
    if (tall && !first.isEmpty() && first.width() * m_zoom <= width()) {
        start.setX(first.center().x() - width() / (2 * m_zoom));
    } else if (!tall && !first.isEmpty() && first.height() * m_zoom <= height()) {
        start.setY(first.center().y() - height() / (2 * m_zoom));
    } else {
        for (const DrawItem& item : items) {
            if (item.kind != DrawItem::Kind::node && item.kind != DrawItem::Kind::block)
                continue;
            const QPointF centre = toRect(item.rect).center();
            if (tall && (centre.x() < start.x() || centre.x() > start.x() + width() / m_zoom))
                start.setX(centre.x() - width() / (2 * m_zoom));
            if (!tall && (centre.y() < start.y() || centre.y() > start.y() + height() / m_zoom))
                start.setY(centre.y() - height() / (2 * m_zoom));
            break;
        }
    }
    m_origin = start;
}

// The drawing never leaves the view altogether.
void GraphCanvas::clampPlace()
{
    const QRectF all = drawingRect();
    if (all.isEmpty() || width() < 10)
        return;
    const QSizeF shown = QSizeF(size()) / m_zoom;
    const qreal keep = 60 / m_zoom;
    m_origin.setX(std::clamp(m_origin.x(), all.left() - shown.width() + keep, all.right() - keep));
    m_origin.setY(std::clamp(m_origin.y(), all.top() - shown.height() + keep, all.bottom() - keep));
}

// How far the view goes along with another drawing of the same graph: the selected node, also one
// that comes back, else what is in the middle, stays where it is.
std::optional<QPointF> GraphCanvas::wayOfPlace(const GraphScene& next) const
{
    const QRectF area = visibleArea();
    const auto wayOf = [&](NodeId node) -> std::optional<QPointF> {
        const auto old = cornerOf(*m_scene, node);
        const auto now = cornerOf(next, node);
        if (!old || !now || !area.contains(*old))
            return std::nullopt;
        return *now - *old;
    };
    if (const auto way = wayOf(m_marks.selected))
        return way;
    if (const auto way = wayOfLost(next))
        return way;
    std::optional<QPointF> nearest;
    qreal best = 1e18;
    for (const int item : m_index->items(area)) {
        const DrawItem& one = m_scene->drawing->items[static_cast<std::size_t>(item)];
        if (one.kind != DrawItem::Kind::node || !m_scene->isVisible(item))
            continue;
        const qreal far = QLineF(toRect(one.rect).center(), area.center()).length();
        if (far >= best)
            continue;
        if (const auto way = wayOf(one.node)) {
            nearest = way;
            best = far;
        }
    }
    return nearest;
}

// How far the view goes so that the selected node, which comes back, stands where it stood.
std::optional<QPointF> GraphCanvas::wayOfLost(const GraphScene& next) const
{
    const auto back = cornerOf(next, m_marks.selected);
    if (!back || !isLost(m_marks.selected))
        return std::nullopt;
    return *back - m_lost->onScreen / m_zoom - m_origin;
}

// Whether the node was selected and in sight when it went, and the view was not moved since.
bool GraphCanvas::isLost(NodeId node) const
{
    return m_lost && m_lost->node == node && m_lost->origin == m_origin && m_lost->zoom == m_zoom;
}

// Where the selected node stood on the screen, while the next scene has none of it.
std::optional<GraphCanvas::LostPlace> GraphCanvas::lostPlace(const GraphScene& next) const
{
    const NodeId node = m_marks.selected;
    if (!node || cornerOf(next, node))
        return std::nullopt;
    if (const auto old = cornerOf(*m_scene, node); old && visibleArea().contains(*old))
        return LostPlace{node, toView(*old), m_origin, m_zoom};
    return isLost(node) ? m_lost : std::nullopt;
}

} // namespace fusescope
