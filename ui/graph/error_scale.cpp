#include "ui/graph/error_scale.h"

#include <QPainter>

#include "ui/text.h"
#include "ui/theme/theme.h"

namespace fusescope {

ErrorScale::ErrorScale(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Scale of errors"));
    connect(&theme(), &Theme::changed, this, [this] { update(); });
}

void ErrorScale::setTolerance(double tolerance)
{
    m_tolerance = tolerance;
    update();
}

QString ErrorScale::boundText(int level, double tolerance)
{
    constexpr double bounds[] = {0.2, 1, 5, 20, 100};
    if (level == 0)
        return QStringLiteral("≤ %1").arg(text::scientific(bounds[0] * tolerance, 1));
    if (level >= 5)
        return QStringLiteral("> %1").arg(text::scientific(bounds[4] * tolerance, 1));
    return text::scientific(bounds[level] * tolerance, 1);
}

QSize ErrorScale::sizeHint() const
{
    return {320, rowHeight(Row::tree, fontMetrics())};
}

void ErrorScale::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(Token::base));
    painter.fillRect(QRect(0, 0, width(), 1), theme().color(Token::border));
    const QFont font = theme().font(TextScale::badge);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme().color(Token::text2));
    const QString title = tr("max |Δ| of each output");
    const qreal wide = metrics.horizontalAdvance(title) + 4;
    const bool titled = width() > wide + 6 * 40 + 24;
    if (titled)
        painter.drawText(QRectF(8, 0, wide, height()), Qt::AlignLeft | Qt::AlignVCenter, title);
    const qreal start = titled ? wide + 16 : 8;
    const qreal step = std::min(64.0, (width() - start - 8) / 6.0);
    for (int level = 0; level < 6; ++level) {
        const QRectF cell(start + level * step, 4, step - 2, height() - 7);
        painter.fillRect(cell, theme().heat(level));
        painter.setPen(theme().heatText(level));
        painter.drawText(cell, Qt::AlignCenter | Qt::TextSingleLine, boundText(level, m_tolerance));
    }
}

} // namespace fusescope
