#include "ui/widgets/compare_bars.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "ui/text.h"
#include "ui/theme/badges.h"

namespace fusescope {

CompareBars::CompareBars(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CompareBars::setBars(const QList<Bar>& bars)
{
    m_bars = bars;
    QStringList words;
    for (const Bar& one : bars)
        words.append(tr("%1: %2").arg(one.label, one.number));
    setAccessibleName(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

int CompareBars::rowStep() const
{
    return std::max(18, QFontMetrics(theme().font()).height() + 1);
}

qreal CompareBars::labelWidth() const
{
    const QFontMetricsF metrics(theme().font());
    qreal width = 0;
    for (const Bar& one : m_bars)
        width = std::max(width, metrics.horizontalAdvance(one.label));
    return std::min(width, contentsRect().width() * 0.4);
}

qreal CompareBars::numberWidth() const
{
    const QFontMetricsF metrics(theme().monoFont());
    qreal width = 0;
    for (const Bar& one : m_bars)
        width = std::max(width, metrics.horizontalAdvance(one.number));
    return width + 2;
}

QSize CompareBars::sizeHint() const
{
    return {260, rowStep() * static_cast<int>(m_bars.size()) + contentsMargins().top() +
                     contentsMargins().bottom()};
}

QRectF CompareBars::bar(int row) const
{
    double most = 0;
    for (const Bar& one : m_bars)
        if (std::isfinite(one.value))
            most = std::max(most, one.value);
    const QRectF inside = contentsRect();
    const qreal left = inside.left() + labelWidth() + 2 * space::cell;
    const qreal room = std::max<qreal>(0, inside.right() - left - numberWidth() - space::cell);
    const double value = m_bars[row].value;
    const qreal share = most > 0 && value > 0 ? std::min(1.0, value / most) : 0;
    return {left, inside.top() + row * rowStep() + (rowStep() - 8) / 2.0, room * share, 8};
}

void CompareBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    for (int row = 0; row < m_bars.size(); ++row) {
        const Bar& one = m_bars[row];
        const QRectF line(contentsRect().left(), contentsRect().top() + row * rowStep(), width(),
                          rowStep());
        painter.setFont(theme().font());
        painter.setPen(theme().color(Token::text2));
        painter.drawText(QRectF(line.left(), line.top(), labelWidth() + 1, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         text::elideMiddle(one.label, QFontMetrics(painter.font()),
                                           qCeil(labelWidth())));
        const QRectF drawn = bar(row);
        paintBar(painter, drawn, drawn.width() > 0 ? 1 : 0, theme().color(one.color));
        painter.setFont(theme().monoFont());
        painter.setPen(theme().color(Token::text));
        painter.drawText(QRectF(drawn.right() + space::cell, line.top(), numberWidth(),
                                line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, one.number);
    }
}

} // namespace fusescope
