#include "ui/widgets/chip.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace fusescope {

namespace {

constexpr qreal glyphSide = 13;

QFont chipFont()
{
    return theme().font(TextScale::small, true);
}

} // namespace

Chip::Chip(const Pill& pill, QWidget* parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setPill(pill);
}

void Chip::setPill(const Pill& pill)
{
    m_pill = pill;
    const QString what = markName(pill.mark);
    setAccessibleName(what.isEmpty() ? pill.text : tr("%1 %2").arg(pill.text, what));
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    const QFontMetricsF metrics(chipFont());
    qreal width = 16 + metrics.horizontalAdvance(m_pill.text);
    if (m_pill.mark != Mark::none)
        width += glyphSide + (m_pill.text.isEmpty() ? 0 : space::glyph);
    return {static_cast<int>(std::ceil(width)),
            std::max(20, static_cast<int>(std::ceil(metrics.height())) + 4)};
}

void Chip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& t = theme();
    const QColor line = t.line(m_pill.tone);
    QColor fill = m_pill.solid ? line : t.fill(m_pill.tone);
    if (underMouse() && isEnabled() && !m_pill.solid)
        fill = mix(fill, line, 0.12);
    QColor ink = m_pill.solid ? t.color(Token::glyph) : t.ink(m_pill.tone);
    if (!isEnabled())
        ink = t.color(Token::text3);
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setBrush(fill);
    painter.setPen(isChecked() || t.highContrast() ? QPen(line, t.lineWidth(1)) : QPen(Qt::NoPen));
    painter.drawRoundedRect(area, radius::control, radius::control);
    QRectF inner = area.adjusted(7, 0, -7, 0);
    if (m_pill.mark != Mark::none) {
        const QRectF glyph(inner.left(), area.center().y() - glyphSide / 2, glyphSide, glyphSide);
        paintGlyph(painter, glyph, m_pill.mark, ink);
        inner.setLeft(glyph.right() + space::glyph);
    }
    painter.setFont(chipFont());
    painter.setPen(ink);
    painter.drawText(inner.adjusted(0, 0, 2, 0),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, m_pill.text);
    if (hasFocus())
        paintFocus(painter, rect());
}

void Chip::mouseReleaseEvent(QMouseEvent* event)
{
    const bool inside = event->button() == Qt::LeftButton && isDown() &&
                        rect().contains(event->position().toPoint());
    if (inside && event->modifiers().testFlag(Qt::ControlModifier)) {
        setDown(false);
        event->accept();
        Q_EMIT filterRequested();
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
    if (inside)
        Q_EMIT activated();
}

void Chip::keyPressEvent(QKeyEvent* event)
{
    const bool press = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return ||
                       event->key() == Qt::Key_Enter;
    if (!press || event->isAutoRepeat()) {
        QAbstractButton::keyPressEvent(event);
        return;
    }
    event->accept();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        Q_EMIT filterRequested();
        return;
    }
    click();
    Q_EMIT activated();
}

bool Chip::event(QEvent* event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

} // namespace fusescope
