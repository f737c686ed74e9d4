#include "ui/widgets/labels.h"

#include <algorithm>

#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/text.h"
#include "ui/theme/badges.h"

namespace fusescope {

namespace {

constexpr qsizetype measured = 1000;

void showWhole(QWidget* widget, const QHelpEvent* event, const QString& whole, bool cut)
{
    QToolTip::showText(event->globalPos(), cut ? text::toolTip(whole) : QString(), widget);
}

} // namespace

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::ClickFocus);
    setText(text);
}

void ElidedLabel::setText(const QString& text)
{
    m_text = text;
    setAccessibleName(text.left(measured));
    updateGeometry();
    update();
}

void ElidedLabel::setToken(Token token)
{
    m_token = token;
    update();
}

void ElidedLabel::setLook(TextScale scale, bool bold, bool mono)
{
    m_scale = scale;
    m_bold = bold;
    m_mono = mono;
    updateGeometry();
    update();
}

void ElidedLabel::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

QFont ElidedLabel::lookFont() const
{
    return m_mono ? theme().monoFont(m_scale, m_bold) : theme().font(m_scale, m_bold);
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics metrics(lookFont());
    return {metrics.horizontalAdvance(text::oneLine(m_text.left(measured))) + 2,
            metrics.height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(30, sizeHint().width()), sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(lookFont());
    painter.setPen(theme().color(isEnabled() ? m_token : Token::text3));
    painter.drawText(rect(),
                     static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                     text::elideMiddle(m_text, QFontMetrics(painter.font()), width()));
    if (hasFocus())
        paintFocus(painter, rect());
}

void ElidedLabel::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(m_text);
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
        showWhole(this, static_cast<QHelpEvent*>(event), m_text, sizeHint().width() > width() + 2);
        return true;
    }
    return QWidget::event(event);
}

LinkLabel::LinkLabel(const QString& text, bool mono, QWidget* parent)
    : QAbstractButton(parent), m_mono(mono)
{
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setLinkText(text);
}

void LinkLabel::setLinkText(const QString& text)
{
    m_text = text;
    setAccessibleName(text.left(measured));
    updateGeometry();
    update();
}

QFont LinkLabel::linkFont() const
{
    return m_mono ? theme().monoFont() : theme().font();
}

QSize LinkLabel::sizeHint() const
{
    const QFontMetrics metrics(linkFont());
    return {metrics.horizontalAdvance(text::oneLine(m_text.left(measured))) + 2,
            metrics.height() + 2};
}

QSize LinkLabel::minimumSizeHint() const
{
    return {std::min(30, sizeHint().width()), sizeHint().height()};
}

void LinkLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QFont font = linkFont();
    font.setUnderline(underMouse());
    painter.setFont(font);
    painter.setPen(theme().color(isEnabled() ? Token::link : Token::text3));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     text::elideMiddle(m_text, QFontMetrics(font), width()));
    if (hasFocus())
        paintFocus(painter, rect());
}

bool LinkLabel::event(QEvent* event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
        showWhole(this, static_cast<QHelpEvent*>(event), m_text, sizeHint().width() > width() + 2);
        return true;
    }
    return QAbstractButton::event(event);
}

} // namespace fusescope
