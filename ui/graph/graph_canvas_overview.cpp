#include "ui/graph/graph_canvas.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/text.h"

namespace fusescope {

namespace {

constexpr QSizeF minimapSize(148, 108);
constexpr qreal stripWidth = 22;
constexpr qreal scaleStep = 38; // of the scale of errors

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
    if (all.isEmpty() || visibleArea().contains(all) || width() < 420 || height() < 300)
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

// The first corner where no card stands, else the one with the fewest.
QRectF GraphCanvas::errorScaleRect() const
{
    const QSizeF size(6 * scaleStep + 22, 52);
    const QRectF map = minimapRect();
    const qreal right = (stripRect().isEmpty() ? width() : stripRect().left()) - 8 - size.width();
    const qreal foot = height() - 8 - size.height();
    std::vector<QPointF> corners;
    if (map.isEmpty())
        corners.emplace_back(right, foot);
    else
        corners = {{map.left() - 8 - size.width(), foot}, {right, map.top() - 8 - size.height()}};
    corners.insert(corners.end(), {{8, foot}, {right, 8}, {8, 8}});
    QRectF best;
    std::size_t fewest = 0;
    for (const QPointF& corner : corners) {
        const QRectF box(corner, size);
        if (box.left() < 0 || box.top() < 0 || !m_index)
            continue;
        const QRectF area(toDrawing(box.topLeft()), box.size() / m_zoom);
        std::size_t covered = 0;
        for (const int item : m_index->items(area)) {
            const DrawItem& one = m_scene->drawing->items[static_cast<std::size_t>(item)];
            covered += m_scene->isVisible(item) && !one.frame && toRect(one.rect).intersects(area);
        }
        if (best.isEmpty() || covered < fewest) {
            best = box;
            fewest = covered;
        }
    }
    return best;
}

void GraphCanvas::paintErrorScale(QPainter& painter)
{
    if (m_marks.errors.empty() || width() < 480 || !m_scene || errorScaleRect().isEmpty())
        return;
    const QFont font = theme().font(TextScale::badge);
    const qreal step = scaleStep;
    const QRectF box = errorScaleRect();
    const QPointF start = box.topLeft() + QPointF(8, 4);
    QColor ground = theme().color(Token::canvas);
    ground.setAlphaF(0.93F);
    painter.fillRect(box, ground);
    painter.setFont(font);
    painter.setPen(theme().color(Token::text2));
    painter.drawText(QRectF(start, QSizeF(6 * step, 14)), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("max |Δ| of each output"));
    const double bounds[] = {0.2, 1, 5, 20, 100};
    for (int level = 0; level < 6; ++level) {
        const QRectF cell(start.x() + level * step, start.y() + 16, step - 2, 12);
        painter.fillRect(cell, theme().heat(level));
        painter.setPen(theme().color(Token::text2));
        const QString label =
            level == 0   ? QStringLiteral("≤ %1").arg(text::scientific(bounds[0] * m_marks.tolerance, 1))
            : level == 5 ? QStringLiteral("> %1").arg(text::scientific(bounds[4] * m_marks.tolerance, 1))
                         : text::scientific(bounds[level] * m_marks.tolerance, 1);
        painter.drawText(QRectF(cell.left() - 6, cell.bottom() + 1, step + 10, 14),
                         Qt::AlignCenter | Qt::TextSingleLine, label);
    }
}

} // namespace fusescope
