#include "ui/widgets/axis.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "ui/text.h"
#include "ui/theme/theme.h"

namespace fusescope {

namespace {

void paintLeft(QPainter& painter, const QRectF& plot, qreal y, const QString& words)
{
    painter.setPen(theme().pen(Token::border));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme().color(Token::text2));
    painter.drawText(QRectF(0, y - 10, plot.left() - 4, 20), Qt::AlignRight | Qt::AlignVCenter,
                     words);
}

} // namespace

QList<double> niceTicks(double least, double most, int pieces)
{
    if (!(most > least) || !std::isfinite(most - least) || pieces < 1)
        return {least};
    const double raw = (most - least) / pieces;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = power * 10;
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= raw * (1 - 1e-9)) {
            step = power * factor;
            break;
        }
    QList<double> ticks;
    const double first = std::ceil(least / step - 1e-9);
    for (double k = first; k * step <= most + step * 1e-9 && ticks.size() <= pieces; ++k)
        ticks.append(k * step);
    return ticks;
}

void paintValueAxis(QPainter& painter, const QRectF& plot, double least, double most)
{
    painter.setFont(theme().monoFont(TextScale::badge));
    const int pieces = std::max(1, static_cast<int>(plot.height() / 18));
    for (const double tick : niceTicks(least, most, pieces))
        paintLeft(painter, plot,
                  plot.bottom() - (tick - least) / (most - least) * plot.height(),
                  text::value(tick, 3));
}

void paintIndexAxis(QPainter& painter, const QRectF& plot, int count)
{
    if (count < 1)
        return;
    painter.setFont(theme().monoFont(TextScale::badge));
    painter.setPen(theme().color(Token::text2));
    const QFontMetricsF metrics(painter.font());
    qreal free = -1;
    const qreal step = plot.width() / count;
    QList<int> marks;
    for (const int quarter : {0, 1, 2, 3})
        marks.append(count * quarter / 4);
    marks.append(count - 1);
    const QString lastWords = QString::number(count - 1);
    const qreal lastLeft = plot.right() - metrics.horizontalAdvance(lastWords);
    for (const int index : marks) {
        const QString words = QString::number(index);
        const qreal width = metrics.horizontalAdvance(words);
        const bool last = index == count - 1;
        qreal left = plot.left() + (index + 0.5) * step - width / 2;
        left = std::clamp(left, plot.left(), std::max(plot.left(), plot.right() - width));
        if (left < free || (!last && left + width + 4 > lastLeft))
            continue;
        painter.drawText(QRectF(left, plot.bottom() + 2, width + 1, metrics.height()),
                         Qt::AlignLeft | Qt::AlignTop, words);
        free = left + width + 6;
    }
}

void paintPlaceAxis(QPainter& painter, const QRectF& plot, double first, double last, int count)
{
    if (count < 2)
        return;
    painter.setFont(theme().monoFont(TextScale::badge));
    painter.setPen(theme().color(Token::text2));
    const QFontMetricsF metrics(painter.font());
    const qreal step = plot.width() / count;
    for (const double tick : niceTicks(first, last, 6)) {
        const QString words = text::value(tick, 3);
        const qreal width = metrics.horizontalAdvance(words);
        const qreal middle =
            plot.left() + (0.5 + (tick - first) / (last - first) * (count - 1)) * step;
        painter.drawText(QRectF(std::clamp(middle - width / 2, plot.left(),
                                           std::max(plot.left(), plot.right() - width)),
                                plot.bottom() + 2, width + 1, metrics.height()),
                         Qt::AlignLeft | Qt::AlignTop, words);
    }
}

void paintLogAxis(QPainter& painter, const QRectF& plot, int least, int most)
{
    painter.setFont(theme().monoFont(TextScale::badge));
    const int room = std::max(1, static_cast<int>(plot.height() / 16));
    const int step = std::max(1, (most - least + room - 1) / room);
    for (int power = most; power >= least; power -= step) {
        const qreal y =
            plot.bottom() - plot.height() * (power - least) / std::max(1, most - least);
        paintLeft(painter, plot, y,
                  power == 0 ? QStringLiteral("1") : QStringLiteral("1e%1").arg(power));
    }
}

} // namespace fusescope
