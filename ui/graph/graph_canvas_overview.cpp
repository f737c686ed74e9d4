#include "ui/graph/graph_canvas.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/text.h"

namespace fusescope {

namespace {

constexpr QSizeF minimapSize(148, 108);
constexpr qreal stripWidth = 22;

} // namespace

QRectF GraphCanvas::stripRect() const
{
    const QRectF all = drawingRect();
    if (all.isEmpty() || all.height() * m_zoom < 5.0 * height())
        return {};
    return QRectF(width() - stripWidth, 0, stripWidth, height());
}

QRectF GraphCanvas::minimapRect() const
{
    const QRectF all = drawingRect();
    if (!m_mapped || all.isEmpty() || visibleArea().contains(all) || width() < 420 || height() < 300)
        return {};
    const qreal right = stripRect().isEmpty() ? 12 : stripWidth + 12;
    return QRectF(width() - minimapSize.width() - right, height() - minimapSize.height() - 12,
                  minimapSize.width(), minimapSize.height());
}

// Of very tall drawings the minimap shows the neighbourhood, the strip the whole.
QTransform GraphCanvas::overviewTransform(const QRectF& box) const
{
    QRectF all = drawingRect();
    const bool strip = box.width() <= stripWidth;
    if (!strip && all.height() > 8 * all.width()) {
        const qreal part = std::max(all.width() * 3, visibleArea().height() * 3);
        const qreal top = std::clamp(visibleArea().center().y() - part / 2, all.top(),
                                     std::max(all.top(), all.bottom() - part));
        all = QRectF(all.left(), top, all.width(), std::min(part, all.height()));
    }
    const QRectF inner = box.adjusted(5, 5, -5, -5);
    QTransform transform;
    if (strip) {
        transform.translate(inner.left(), inner.top());
        transform.scale(inner.width() / all.width(), inner.height() / all.height());
        return transform;
    }
    const qreal scale = std::min(inner.width() / all.width(), inner.height() / all.height());
    transform.translate(inner.center().x(), inner.center().y());
    transform.scale(scale, scale);
    transform.translate(-all.center().x(), -all.center().y());
    return transform;
}

void GraphCanvas::paintMinimap(QPainter& painter)
{
    const QRectF box = minimapRect();
    if (box.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(Token::border), 1));
    painter.setBrush(theme().color(Token::card));
    painter.drawRoundedRect(box, radius::card, radius::card);
    const QTransform transform = overviewTransform(box);
    painter.save();
    painter.setClipRect(box.adjusted(2, 2, -2, -2));
    const QRectF seen = transform.inverted().mapRect(box);
    const qreal scale = transform.m11();
    m_painter.paintDots(painter, seen, transform.inverted().map(QPointF(0, 0)), scale, m_marks, 1.5);
    const QRectF frame = transform.mapRect(visibleArea());
    QColor fill = theme().color(Token::accent);
    painter.setPen(QPen(fill, 1.5));
    fill.setAlphaF(0.1F);
    painter.setBrush(fill);
    painter.drawRect(frame);
    painter.restore();
}

void GraphCanvas::paintStrip(QPainter& painter)
{
    const QRectF box = stripRect();
    if (box.isEmpty())
        return;
    if (m_strip.isNull()) {
        // The whole height in one picture, kept until the scene changes.
        m_strip = QPixmap(box.size().toSize() * devicePixelRatioF());
        m_strip.setDevicePixelRatio(devicePixelRatioF());
        m_strip.fill(theme().color(Token::base));
        QPainter strip(&m_strip);
        strip.setPen(QPen(theme().color(Token::border), 1));
        strip.drawLine(QPointF(0.5, 0), QPointF(0.5, box.height()));
        const qreal scale = (box.height() - 10) / drawingRect().height();
        const auto mark = [&](int item, const QColor& color, qreal inset) {
            const LayoutRect& r = m_scene->drawing->items[static_cast<std::size_t>(item)].rect;
            strip.fillRect(QRectF(inset, 5 + r.y * scale, box.width() - 2 * inset,
                                  std::max(1.5, r.height * scale)),
                           color);
        };
        for (const int item : m_order) {
            if (m_scene->drawing->items[static_cast<std::size_t>(item)].parent < 0)
                mark(item, mix(theme().color(Token::base), theme().color(Token::cardLine), 0.55), 5);
        }
        for (const int item : m_order) {
            const SceneState state = m_scene->items[static_cast<std::size_t>(item)];
            if (m_scene->marks && state != SceneState::same)
                mark(item, theme().color(lineOf(state)), 3);
            if (m_marks.hits.contains(nodeAt(item)))
                mark(item, theme().color(Token::hit), 2);
        }
        qreal free = -1; // they never lie on one another
        std::vector<BlockedMark> sorted = m_scene->blocked;
        std::ranges::sort(sorted, {}, [this](const BlockedMark& m) {
            return m_scene->drawing->items[static_cast<std::size_t>(m.item)].rect.y;
        });
        for (const BlockedMark& blocked : sorted) {
            const LayoutRect& r = m_scene->drawing->items[static_cast<std::size_t>(blocked.item)].rect;
            const qreal y = 5 + r.centre().y * scale;
            if (y < free)
                continue;
            free = y + octagonSmall + 2;
            paintOctagon(strip, QPointF(box.width() / 2, y), octagonSmall, true);
        }
    }
    painter.drawPixmap(box.topLeft(), m_strip);
    const qreal scale = (box.height() - 10) / drawingRect().height();
    QRectF frame(box.left() + 1, box.top() + 5 + visibleArea().top() * scale, box.width() - 2,
                 std::max(4.0, visibleArea().height() * scale));
    painter.setPen(QPen(theme().color(Token::accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
}

} // namespace fusescope
