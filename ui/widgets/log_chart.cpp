#include "ui/widgets/log_chart.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
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

constexpr qreal dotRadius = 3;

int powerOf(double value, double (*round)(double))
{
    return static_cast<int>(round(std::log10(value)));
}

} // namespace

LogChart::LogChart(QWidget* parent) : QWidget(parent)
{
    installValueAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LogChart::setPoints(const QList<Point>& points, int last, double tolerance, int culprit)
{
    m_points = points;
    m_last = std::max(1, last);
    m_tolerance = tolerance;
    m_culprit = culprit;
    m_focused = -1;
    m_lowest = 0;
    m_highest = 0;
    QList<double> all;
    for (const Point& point : points)
        all.append(point.value);
    all.append(tolerance);
    for (const double value : all) {
        if (!std::isfinite(value) || value <= 0)
            continue;
        m_lowest = std::min(m_lowest, powerOf(value, std::floor));
        m_highest = std::max(m_highest, powerOf(value, std::ceil));
    }
    m_lowest = std::clamp(m_lowest, -20, m_highest - 2);
    m_highest = std::min(m_highest, 40);
    setAccessibleName(
        culprit >= 0
            ? tr("Largest difference after each tested step; it passes the tolerance at step %1")
                  .arg(culprit)
            : tr("Largest difference after each tested step; all within the tolerance"));
    update();
}

QSize LogChart::sizeHint() const
{
    return {320, std::max(96, QFontMetrics(theme().font()).height() * 6)};
}

QRectF LogChart::plot() const
{
    const QFontMetricsF metrics(theme().monoFont(TextScale::badge));
    const qreal left = metrics.horizontalAdvance(QStringLiteral("1e-10")) + 8;
    const qreal below = metrics.height() + 4;
    return {left, 8, std::max<qreal>(1, width() - left - 10),
            std::max<qreal>(1, height() - 8 - below)};
}

QPointF LogChart::place(const Point& point) const
{
    const QRectF area = plot();
    const double up =
        std::isfinite(point.value)
            ? logFraction(point.value, std::pow(10.0, m_lowest), std::pow(10.0, m_highest))
            : 1;
    return {area.left() + area.width() * point.step / m_last, area.bottom() - area.height() * up};
}

void LogChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& t = theme();
    const QRectF area = plot();
    paintLogAxis(painter, area, m_lowest, m_highest);
    painter.setPen(t.pen(Token::edge));
    painter.drawLine(area.bottomLeft(), area.bottomRight());

    const QFont small = t.monoFont(TextScale::badge);
    const QFontMetricsF metrics(small);
    const QRectF below(area.left(), area.bottom() + 2, area.width(), metrics.height() + 2);
    painter.setFont(small);
    painter.setPen(t.color(Token::text2));
    const qreal culpritX = area.left() + area.width() * std::max(0, m_culprit) / m_last;
    if (m_culprit < 0 || culpritX - area.left() > 24)
        painter.drawText(below, Qt::AlignLeft | Qt::AlignTop, QStringLiteral("0"));
    if (m_culprit < 0 || area.right() - culpritX > 40)
        painter.drawText(below, Qt::AlignRight | Qt::AlignTop, QString::number(m_last));

    if (m_tolerance > 0) {
        const qreal y = place({0, m_tolerance, true}).y();
        QPen dashed(t.color(Token::changed), t.lineWidth(1.3));
        dashed.setDashPattern({4, 3});
        painter.setPen(dashed);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setFont(t.font(TextScale::badge));
        painter.setPen(t.color(Token::changedInk));
        painter.drawText(QRectF(area.left(), y - 30, area.width(), 28.5),
                         Qt::AlignRight | Qt::AlignBottom, tr("tolerance"));
    }
    painter.setPen(QPen(t.color(Token::text2), t.lineWidth(1.2)));
    for (int i = 1; i < m_points.size(); ++i)
        painter.drawLine(place(m_points[i - 1]), place(m_points[i]));
    for (int i = 0; i < m_points.size(); ++i) {
        const Point& point = m_points[i];
        const qreal r = point.step == m_culprit ? dotRadius + 1.5 : dotRadius;
        const QPointF at = place(point);
        if (point.step == m_culprit) {
            QPen drop(t.color(Token::removed), t.lineWidth(1));
            drop.setDashPattern({3, 2});
            painter.setPen(drop);
            painter.drawLine(at, QPointF(at.x(), area.bottom()));
        }
        // Failing dots are square, so that the two are told apart without colour.
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.color(point.passes ? Token::added : Token::removed));
        if (point.passes)
            painter.drawEllipse(at, r, r);
        else
            painter.drawRoundedRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r), 1, 1);
        if (i == m_focused) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(t.color(Token::accent), 2));
            painter.drawEllipse(at, r + 3, r + 3);
        }
    }
    if (m_culprit >= 0) {
        painter.setFont(t.monoFont(TextScale::badge, true));
        painter.setPen(t.color(Token::removed));
        painter.drawText(QRectF(culpritX - 40, below.top(), 80, below.height()),
                         Qt::AlignHCenter | Qt::AlignTop, QString::number(m_culprit));
    }
    if (hasFocus())
        paintFocus(painter, rect());
}

int LogChart::nearest(const QPointF& at) const
{
    int best = -1;
    qreal distance = 12;
    for (int i = 0; i < m_points.size(); ++i) {
        const qreal one = QLineF(at, place(m_points[i])).length();
        if (one < distance) {
            distance = one;
            best = i;
        }
    }
    return best;
}

void LogChart::mousePressEvent(QMouseEvent* event)
{
    const int at = nearest(event->position());
    if (event->button() == Qt::LeftButton && at >= 0) {
        m_focused = at;
        update();
        Q_EMIT stepClicked(m_points[at].step);
    } else {
        event->ignore();
    }
}

void LogChart::keyPressEvent(QKeyEvent* event)
{
    const auto last = static_cast<int>(m_points.size()) - 1;
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Left) {
        m_focused = std::clamp(m_focused + (event->key() == Qt::Key_Right ? 1 : -1),
                               std::min(0, last), last);
        update();
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                event->key() == Qt::Key_Space) &&
               m_focused >= 0) {
        Q_EMIT stepClicked(m_points[m_focused].step);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool LogChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = nearest(help->pos());
        QToolTip::showText(help->globalPos(),
                           at < 0 ? QString()
                                  : text::toolTip(tr("Step %1: largest difference %2")
                                                      .arg(m_points[at].step)
                                                      .arg(text::scientific(m_points[at].value))),
                           this);
        return true;
    }
    return QWidget::event(event);
}

double LogChart::spokenValue() const
{
    return m_focused >= 0 && m_focused < m_points.size() ? m_points[m_focused].step
                                                         : std::max(0, m_culprit);
}

double LogChart::spokenMost() const
{
    return m_last;
}

QString LogChart::spokenWords() const
{
    for (const Point& point : m_points) {
        if (point.step == static_cast<int>(spokenValue()))
            return tr("Step %1: largest difference %2")
                .arg(point.step)
                .arg(text::scientific(point.value));
    }
    return {};
}

// The tested step nearest to it.
void LogChart::takeSpokenValue(double value)
{
    for (int i = 0; i < m_points.size(); ++i) {
        if (m_focused < 0
            || std::abs(m_points[i].step - value) < std::abs(m_points[m_focused].step - value))
            m_focused = i;
    }
    update();
}

} // namespace fusescope
