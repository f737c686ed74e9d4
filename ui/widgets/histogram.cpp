#include "ui/widgets/histogram.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/text.h"
#include "ui/theme/theme.h"

namespace fusescope {

Histogram::Histogram(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Histogram::setCounts(const QList<qint64>& counts, double least, double most)
{
    m_counts = counts;
    m_least = least;
    m_most = most;
    qint64 all = 0;
    for (const qint64 count : counts)
        all += count;
    setAccessibleName(tr("Histogram of %1 values from %2 to %3")
                          .arg(text::count(all), text::value(least), text::value(most)));
    update();
}

QSize Histogram::sizeHint() const
{
    return {240, std::max(72, QFontMetrics(theme().font()).height() * 4)};
}

QRectF Histogram::plot() const
{
    const qreal below = QFontMetricsF(theme().monoFont(TextScale::badge)).height() + 2;
    return {1, 2, std::max(1.0, width() - 2.0), std::max(1.0, height() - below - 3)};
}

int Histogram::binAt(qreal x) const
{
    const QRectF area = plot();
    if (m_counts.isEmpty() || x < area.left() || x >= area.right())
        return -1;
    const auto bin = static_cast<int>((x - area.left()) / area.width() *
                                      static_cast<qreal>(m_counts.size()));
    return std::min(bin, static_cast<int>(m_counts.size()) - 1);
}

void Histogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot();
    qint64 most = 1;
    for (const qint64 count : m_counts)
        most = std::max(most, count);
    const qreal step = area.width() / std::max<qsizetype>(1, m_counts.size());
    for (int i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] <= 0)
            continue;
        const qreal high = std::max<qreal>(1, area.height() * static_cast<qreal>(m_counts[i]) /
                                                  static_cast<qreal>(most));
        painter.fillRect(QRectF(area.left() + i * step, area.bottom() - high,
                                std::max<qreal>(1, step - (step > 3 ? 1 : 0)), high),
                         theme().color(Token::edge));
    }
    painter.setPen(theme().pen(Token::text2));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (m_least < 0 && m_most > 0) {
        QPen dashed(theme().color(Token::text), theme().lineWidth(1));
        dashed.setDashPattern({3, 3});
        painter.setPen(dashed);
        const qreal x = area.left() + area.width() * -m_least / (m_most - m_least);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    painter.setFont(theme().monoFont(TextScale::badge));
    painter.setPen(theme().color(Token::text2));
    const QRectF words(area.left(), area.bottom() + 2, area.width(), height() - area.bottom() - 2);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, text::value(m_least));
    painter.drawText(words, Qt::AlignRight | Qt::AlignTop, text::value(m_most));
}

bool Histogram::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int bin = binAt(help->pos().x());
        if (bin < 0)
            return true;
        const double wide = (m_most - m_least) / static_cast<double>(m_counts.size());
        QToolTip::showText(help->globalPos(),
                           text::toolTip(tr("%1 to %2: %3 values")
                                             .arg(text::value(m_least + bin * wide),
                                                  text::value(m_least + (bin + 1) * wide),
                                                  text::count(m_counts[bin]))),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace fusescope
