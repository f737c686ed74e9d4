#include "ui/start/drop_area.h"

#include "ui/actions.h"
#include "ui/theme/badges.h"
#include "ui/theme/icons.h"

#include <QPainter>

namespace fusescope {

DropArea::DropArea(Actions& actions, QWidget* parent)
    : QAbstractButton(parent),
      m_key(actions[Act::open]->shortcut().toString(QKeySequence::NativeText))
{
    setAccessibleName(tr("Drop an ONNX model here, or open a file"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, actions[Act::open], &QAction::trigger);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize DropArea::sizeHint() const
{
    return {300, 2 * QFontMetrics(theme().font()).lineSpacing() + 26};
}

void DropArea::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen = theme().pen(Token::accent, 1.5);
    pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(theme().color(Token::accentSoft));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::region, radius::region);
    paintIcon(painter, QRectF(18, (height() - 24) / 2.0, 24, 24), QStringLiteral("drop"),
              theme().color(Token::accent));
    const QFont bold = theme().font(TextScale::normal, true);
    const QFontMetricsF metrics(bold);
    const qreal line = metrics.lineSpacing();
    const qreal top = height() / 2.0 - line;
    const qreal left = 56;
    painter.setFont(bold);
    painter.setPen(theme().color(Token::text));
    painter.drawText(QRectF(left, top, width() - left - 8, line), Qt::AlignVCenter,
                     metrics.elidedText(tr("Drop an ONNX model here"), Qt::ElideRight, width() - left - 8));
    const QFont font = theme().font();
    const QFontMetricsF plain(font);
    painter.setFont(font);
    qreal x = left;
    const auto write = [&](const QString& words, Token token) {
        painter.setPen(theme().color(token));
        painter.drawText(QRectF(x, top + line, width() - x, line), Qt::AlignVCenter, words);
        x += plain.horizontalAdvance(words);
    };
    write(tr("or "), Token::text2);
    write(tr("open a file"), Token::link);
    x += space::control;
    const QFont small = theme().font(TextScale::badge);
    const QRectF box(x, top + line + 1, QFontMetricsF(small).horizontalAdvance(m_key) + 10, line - 2);
    painter.setPen(theme().pen(Token::border, 1));
    painter.setBrush(theme().color(Token::raised));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius::tag, radius::tag);
    painter.setFont(small);
    painter.setPen(theme().color(Token::text2));
    painter.drawText(box, Qt::AlignCenter, m_key);
    if (hasFocus())
        paintFocus(painter, rect());
}

} // namespace fusescope
