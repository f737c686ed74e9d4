#include "ui/widgets/channel_bars.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/text.h"
#include "ui/theme/badges.h"
#include "ui/widgets/axis.h"

namespace fusescope {

namespace {

constexpr double noLimit = std::numeric_limits<double>::quiet_NaN();

} // namespace

ChannelBars::ChannelBars(QWidget* parent) : QWidget(parent), m_limit(noLimit)
{
    installValueAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
    refreshAccessible();
}

void ChannelBars::setValues(const QList<double>& values)
{
    m_values = values;
    if (m_chosen >= count())
        m_chosen = -1;
    measure();
    refreshAccessible();
    update();
}

void ChannelBars::setPlaces(double first, double stride, bool isFunction)
{
    m_first = first;
    m_stride = stride;
    m_isFunction = isFunction;
    measure();
    refreshAccessible();
    update();
}

QString ChannelBars::placeOf(int channel) const
{
    return m_isFunction ? text::value(m_first + m_stride * channel) : QString::number(channel);
}

void ChannelBars::setChosen(int channel)
{
    m_chosen = channel >= 0 && channel < count() ? channel : -1;
    refreshAccessible();
    update();
}

void ChannelBars::setLimit(double limit, const QString& name)
{
    m_limit = limit;
    m_limitName = name;
    measure();
    update();
}

void ChannelBars::setLogarithmic(bool on)
{
    m_log = on;
    measure();
    update();
}

void ChannelBars::setDeadShare(double share)
{
    m_deadShare = share;
    measure();
    update();
}

void ChannelBars::measure()
{
    QList<double> finite;
    for (const double value : m_values)
        if (std::isfinite(value))
            finite.append(value);
    m_dead = -1;
    m_least = 0;
    m_most = 1;
    m_median = 0;
    m_smallest = 1e-7;
    if (finite.isEmpty())
        return;
    std::sort(finite.begin(), finite.end());
    m_median = finite[finite.size() / 2];
    m_most = std::max(finite.last(), std::isfinite(m_limit) ? m_limit : finite.last());
    m_least = std::min(0.0, finite.first());
    if (m_most <= m_least)
        m_most = m_least + 1;
    const auto positive = std::upper_bound(finite.begin(), finite.end(), 0.0);
    if (positive != finite.end())
        m_smallest = std::min(*positive, m_most / 10) / 2;
    double smallest = m_deadShare * std::abs(m_median);
    for (int i = 0; i < count() && !m_log && !m_isFunction; ++i)
        if (std::abs(m_values[i]) < smallest) {
            smallest = std::abs(m_values[i]);
            m_dead = i;
        }
}

QSize ChannelBars::sizeHint() const
{
    return {320, std::max(104, QFontMetrics(theme().font()).height() * 6)};
}

QRectF ChannelBars::plot() const
{
    const QFontMetricsF metrics(theme().monoFont());
    const qreal left = metrics.horizontalAdvance(QStringLiteral("0.000")) + 6;
    const qreal flag = QFontMetricsF(theme().font(TextScale::small, true)).height();
    return {left, flag + 2, std::max<qreal>(1, width() - left - 6),
            std::max<qreal>(1, height() - flag - metrics.height() - 6)};
}

qreal ChannelBars::fraction(double value) const
{
    if (!std::isfinite(value))
        return 1;
    if (m_log)
        return logFraction(value, m_smallest, m_most);
    // Halved, so that the largest numbers of both signs do not overflow.
    return (value / 2 - m_least / 2) / (m_most / 2 - m_least / 2);
}

QRectF ChannelBars::bar(int channel) const
{
    const QRectF area = plot();
    const qreal step = area.width() / std::max(1, count());
    const qreal gap = step > 4 ? 1 : 0;
    const qreal zero = m_log ? area.bottom() : area.bottom() - fraction(0) * area.height();
    const qreal top = area.bottom() - fraction(m_values[channel]) * area.height();
    return QRectF(QPointF(area.left() + channel * step + gap / 2, std::min(top, zero)),
                  QPointF(area.left() + (channel + 1) * step - gap / 2, std::max(top, zero)));
}

int ChannelBars::channelAt(qreal x) const
{
    if (m_values.isEmpty())
        return -1;
    const QRectF area = plot();
    const auto at = static_cast<int>(std::floor((x - area.left()) / area.width() * count()));
    return std::clamp(at, 0, count() - 1);
}

void ChannelBars::paintFlag(QPainter& painter, int channel, const QString& words,
                            const QColor& fill, bool above) const
{
    painter.setFont(theme().font(TextScale::small, true));
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(words) + 12, metrics.height());
    const QRectF area = plot();
    const qreal middle = bar(channel).center().x();
    QRectF box(QPointF(middle - size.width() / 2,
                       above ? 0 : std::max(area.top(), area.bottom() - size.height())),
               size);
    box.moveLeft(std::clamp<qreal>(box.left(), 0, std::max<qreal>(0, width() - size.width())));
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, radius::tag, radius::tag);
    painter.setPen(theme().color(above ? Token::onAccent : Token::glyph));
    painter.drawText(box, Qt::AlignCenter, words);
}

void ChannelBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& t = theme();
    const QRectF area = plot();
    if (!m_log)
        paintValueAxis(painter, area, m_least, m_most);
    if (m_isFunction)
        paintPlaceAxis(painter, area, m_first, m_first + m_stride * (count() - 1),
                       count());
    else
        paintIndexAxis(painter, area, count());
    painter.setPen(Qt::NoPen);
    const qreal step = area.width() / std::max(1, count());
    if (step >= 1.5) {
        for (int i = 0; i < count(); ++i) {
            const bool bad = !std::isfinite(m_values[i]) || m_values[i] > m_limit;
            painter.setBrush(t.color(bad ? Token::removed : Token::edge));
            painter.drawRect(bar(i));
        }
    } else if (count() > 0) {
        // More channels than pixels: each pixel column shows the largest of its channels.
        for (int x = 0; x < static_cast<int>(area.width()); ++x) {
            const auto from = static_cast<int>(x / area.width() * count());
            const auto to = std::max(from + 1, static_cast<int>((x + 1) / area.width() * count()));
            int most = from;
            for (int i = from; i < std::min(to, count()); ++i)
                if (fraction(m_values[i]) > fraction(m_values[most]))
                    most = i;
            const QRectF one = bar(most);
            const bool bad = !std::isfinite(m_values[most]) || m_values[most] > m_limit;
            painter.fillRect(QRectF(area.left() + x, one.top(), 1, one.height()),
                             t.color(bad ? Token::removed : Token::edge));
        }
    }
    painter.setPen(t.pen(Token::text2));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const bool limited = std::isfinite(m_limit);
    const double lineAt = limited ? m_limit : m_median;
    if (!m_values.isEmpty() && (limited || !m_isFunction)) {
        QPen dashed(t.color(limited ? Token::changed : Token::text), t.lineWidth(1));
        dashed.setDashPattern({5, 3});
        painter.setPen(dashed);
        const qreal y = area.bottom() - fraction(lineAt) * area.height();
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (limited && !m_limitName.isEmpty()) {
            painter.setFont(t.font(TextScale::badge));
            painter.setPen(t.color(Token::changedInk));
            painter.drawText(QRectF(area.left(), y - 40, area.width() - 2, 39),
                             Qt::AlignRight | Qt::AlignBottom, m_limitName);
        }
    }
    if (m_dead >= 0 && m_dead != m_chosen)
        paintFlag(painter, m_dead,
                  tr("%1: %2, nearly dead").arg(m_dead).arg(text::value(m_values[m_dead])),
                  t.color(Token::changed), false);
    if (m_chosen >= 0) {
        QRectF one = bar(m_chosen);
        if (one.width() < 2)
            one.adjust(-1, 0, 1, 0);
        const QColor fill =
            std::isfinite(m_values[m_chosen]) ? t.color(Token::accent) : t.color(Token::removed);
        painter.fillRect(one, fill);
        painter.setPen(QPen(fill, 1));
        painter.drawLine(QPointF(one.center().x(), area.top()),
                         QPointF(one.center().x(), one.top()));
        paintFlag(painter, m_chosen,
                  QStringLiteral("%1: %2").arg(placeOf(m_chosen), text::value(m_values[m_chosen], 5)),
                  t.color(Token::accent), true);
    }
    if (hasFocus())
        paintFocus(painter, rect());
}

void ChannelBars::choose(int channel)
{
    if (m_values.isEmpty())
        return;
    channel = std::clamp(channel, 0, count() - 1);
    if (channel == m_chosen)
        return;
    setChosen(channel);
    Q_EMIT chosenByUser(channel);
}

void ChannelBars::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        choose(channelAt(event->position().x()));
    else
        event->ignore();
}

void ChannelBars::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        choose(m_chosen - 1);
        return;
    case Qt::Key_Right:
        choose(m_chosen + 1);
        return;
    case Qt::Key_Home:
        choose(0);
        return;
    case Qt::Key_End:
        choose(count() - 1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool ChannelBars::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = channelAt(help->pos().x());
        if (at >= 0)
            QToolTip::showText(
                help->globalPos(),
                text::toolTip((m_isFunction ? tr("At %1: %2") : tr("Channel %1: %2"))
                                  .arg(placeOf(at), text::value(m_values[at], 6))),
                this);
        return true;
    }
    return QWidget::event(event);
}

void ChannelBars::refreshAccessible()
{
    if (m_isFunction) {
        setAccessibleName(m_chosen >= 0 ? tr("At %1: %2").arg(placeOf(m_chosen),
                                                              text::value(m_values[m_chosen], 5))
                                        : tr("%n place(s)", nullptr, count()));
        setAccessibleDescription(tr("Left and Right choose a place."));
        return;
    }
    setAccessibleName(m_chosen >= 0 ? tr("Channel %1 of %2: %3")
                                          .arg(m_chosen)
                                          .arg(count())
                                          .arg(text::value(m_values[m_chosen], 5))
                                    : tr("%n channels", nullptr, count()));
    setAccessibleDescription(tr("Left and Right choose a channel."));
}

double ChannelBars::spokenValue() const
{
    return std::max(0, m_chosen);
}

double ChannelBars::spokenMost() const
{
    return std::max(0, count() - 1);
}

QString ChannelBars::spokenWords() const
{
    return m_chosen < 0 || m_chosen >= count()
               ? QString()
               : tr("channel %1: %2").arg(m_chosen).arg(text::scientific(m_values[m_chosen]));
}

void ChannelBars::takeSpokenValue(double value)
{
    choose(static_cast<int>(value));
}

} // namespace fusescope
