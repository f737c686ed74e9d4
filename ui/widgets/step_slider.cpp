#include "ui/widgets/step_slider.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/text.h"
#include "ui/theme/badges.h"

namespace fusescope {

namespace {

constexpr qreal trackHeight = 10;
constexpr qreal flagTip = 4;
constexpr int keyPage = 10;

QFont flagFont()
{
    return theme().font(TextScale::small, true);
}

qreal flagHeight()
{
    return std::max<qreal>(15, QFontMetricsF(flagFont()).height());
}

// A box with a tip that points down (above the track) or up (below it).
QPainterPath flagPath(const QRectF& box, qreal tip, bool above)
{
    QPainterPath path;
    path.addRoundedRect(box, radius::tag, radius::tag);
    const qreal edge = above ? box.bottom() : box.top();
    const qreal out = above ? flagTip : -flagTip;
    QPainterPath point;
    const qreal middle = std::clamp(tip, box.left() + 5, box.right() - 5);
    point.addPolygon(QPolygonF({QPointF(middle - 5, edge), QPointF(tip, edge + out),
                                QPointF(middle + 5, edge), QPointF(middle - 5, edge)}));
    return path.united(point);
}

} // namespace

StepSlider::StepSlider(QWidget* parent) : QWidget(parent)
{
    installValueAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
    refreshAccessible();
}

void StepSlider::setLast(int last)
{
    m_last = std::max(0, last);
    setThumbs(m_a, m_b);
}

void StepSlider::setThumbs(int a, int b)
{
    m_a = std::clamp(a, 0, m_last);
    m_b = std::clamp(b, 0, m_last);
    refreshAccessible();
    update();
}

void StepSlider::setStates(const QList<TrackState>& states)
{
    m_states = states;
    update();
}

void StepSlider::setNotches(const QList<int>& steps)
{
    m_notches = steps;
    update();
}

void StepSlider::setBlocked(const QList<int>& positions)
{
    m_blocked = positions;
    update();
}

void StepSlider::setCaption(const QString& caption)
{
    m_caption = caption;
    update();
}

void StepSlider::setHiddenBeyond(std::optional<int> position)
{
    m_hiddenBeyond = position;
    update();
}

QSize StepSlider::sizeHint() const
{
    const int grown = static_cast<int>(2 * flagHeight() + trackHeight + 2 * flagTip + 6);
    return {240, std::max(54, grown)};
}

QSize StepSlider::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

QRectF StepSlider::track() const
{
    const qreal top = flagHeight() + flagTip + 1;
    return {space::section, top, std::max<qreal>(1, width() - 2 * space::section), trackHeight};
}

qreal StepSlider::xOf(int position) const
{
    const QRectF line = track();
    if (m_last == 0)
        return line.left();
    return line.left() + line.width() * position / m_last;
}

int StepSlider::positionAt(qreal x) const
{
    const QRectF line = track();
    const qreal at = (x - line.left()) / line.width() * m_last;
    return std::clamp(static_cast<int>(std::lround(at)), 0, m_last);
}

QString StepSlider::flagText(QChar letter, int position) const
{
    return QStringLiteral("%1 %2").arg(letter).arg(position);
}

QRectF StepSlider::flagB() const
{
    const qreal width = QFontMetricsF(flagFont()).horizontalAdvance(flagText(u'B', m_b)) + 10;
    const qreal left = std::clamp<qreal>(xOf(m_b) - width / 2, 1,
                                         std::max<qreal>(1, this->width() - width - 1));
    return {left, track().top() - flagTip - flagHeight(), width, flagHeight()};
}

QRectF StepSlider::flagA() const
{
    if (!twoThumbs())
        return {};
    const qreal width = QFontMetricsF(flagFont()).horizontalAdvance(flagText(u'A', m_a)) + 10;
    const qreal left = std::clamp<qreal>(xOf(m_a) - width / 2, 1,
                                         std::max<qreal>(1, this->width() - width - 1));
    return {left, track().bottom() + flagTip, width, flagHeight()};
}

void StepSlider::paintTrack(QPainter& painter) const
{
    const Theme& t = theme();
    const QRectF line = track();
    // Present where nothing says otherwise; without a selection the whole track is plain.
    const QColor present = mix(t.color(Token::base), t.color(Token::text3), 0.62);
    painter.setPen(t.pen(Token::control));
    painter.setBrush(m_states.isEmpty() ? present : t.color(Token::base));
    painter.drawRoundedRect(line.adjusted(-0.5, -0.5, 0.5, 0.5), radius::tag, radius::tag);
    painter.save();
    QPainterPath inside;
    inside.addRoundedRect(line, radius::tag - 1, radius::tag - 1);
    painter.setClipPath(inside);
    const auto shown = [this](int at) { return !m_hiddenBeyond || at <= *m_hiddenBeyond; };
    const auto count = static_cast<int>(std::min<qsizetype>(m_states.size(), m_last + 1));
    // A run of equal presence is one box.
    for (int from = 0; from < count;) {
        const auto there = [this](int at) {
            return m_states[at] != TrackState::absent && m_states[at] != TrackState::removed;
        };
        int to = from;
        while (to + 1 < count && there(to + 1) == there(from))
            ++to;
        if (there(from)) {
            const qreal left = from == 0 ? line.left() : xOf(from);
            const qreal right = to + 1 >= count ? line.right() : xOf(to + 1);
            painter.fillRect(QRectF(left, line.top(), right - left, line.height()), present);
        }
        from = to + 1;
    }
    const qreal step = m_last > 0 ? line.width() / m_last : line.width();
    const qreal tickWidth = std::clamp<qreal>(step, 2, 5);
    for (int at = 0; at < count; ++at) {
        const TrackState state = m_states[at];
        if (state == TrackState::present || state == TrackState::absent || !shown(at))
            continue;
        const Tone tone = state == TrackState::added     ? Tone::added
                          : state == TrackState::changed ? Tone::changed
                                                         : Tone::removed;
        const QRectF tick(xOf(at) - tickWidth / 2, line.top(), tickWidth, line.height());
        painter.fillRect(tick, t.line(tone));
    }
    if (m_hiddenBeyond && *m_hiddenBeyond < m_last) {
        const qreal left = xOf(*m_hiddenBeyond) + 1;
        painter.fillRect(QRectF(left, line.top(), line.right() - left, line.height()),
                         t.color(Token::alt));
    }
    painter.restore();
    // Notches of stage borders reach out of the track.
    painter.setPen(QPen(t.color(Token::text2), t.lineWidth(1.2)));
    for (const int at : m_notches) {
        if (at < 0 || at > m_last)
            continue;
        const qreal x = std::round(xOf(at)) + 0.5;
        painter.drawLine(QPointF(x, line.top() - 2), QPointF(x, line.bottom() + 3));
    }
    if (twoThumbs()) {
        const qreal left = xOf(std::min(m_a, m_b));
        const qreal right = xOf(std::max(m_a, m_b));
        const QRectF range(left, line.top() - 1, right - left, line.height() + 2);
        QColor veil = t.color(Token::accent);
        veil.setAlphaF(t.highContrast() ? 0.0F : 0.18F);
        painter.setBrush(veil);
        painter.setPen(QPen(t.color(Token::accent), t.lineWidth(1.5)));
        painter.drawRoundedRect(range, 2, 2);
    }
    qreal lastX = -100;
    for (const int at : m_blocked) {
        const qreal x = xOf(std::clamp(at, 0, m_last));
        if (!shown(at) || x - lastX < octagonSmall)
            continue; // one sign says "here", many in one place would be a bar
        paintOctagon(painter, QPointF(x, line.top() - 2 - octagonSmall / 2), octagonSmall);
        lastX = x;
    }
    if (m_hiddenBeyond && *m_hiddenBeyond < m_last) {
        painter.setFont(theme().font(TextScale::badge, true));
        painter.setPen(t.color(Token::text2));
        const qreal left = xOf(*m_hiddenBeyond) + 1;
        painter.drawText(QRectF(left, line.top() - 4, line.right() - left, line.height() + 8),
                         Qt::AlignCenter, QStringLiteral("?"));
    }
}

void StepSlider::paintFlags(QPainter& painter) const
{
    const Theme& t = theme();
    painter.setFont(flagFont());
    const QRectF line = track();
    const QColor accent = isEnabled() ? t.color(Token::accent) : t.color(Token::text3);
    painter.setPen(QPen(accent, t.lineWidth(2)));
    painter.drawLine(QPointF(xOf(m_b), line.top() - 1), QPointF(xOf(m_b), line.bottom() + 1));
    if (twoThumbs()) {
        const QRectF box = flagA();
        painter.setPen(QPen(accent, t.lineWidth(1.5)));
        painter.setBrush(t.color(Token::base));
        painter.drawPath(flagPath(box, xOf(m_a), false));
        painter.setPen(accent);
        painter.drawText(box, Qt::AlignCenter, flagText(u'A', m_a));
    }
    const QRectF box = flagB();
    painter.setPen(Qt::NoPen);
    painter.setBrush(accent);
    painter.drawPath(flagPath(box, xOf(m_b), true));
    painter.setPen(t.color(Token::onAccent));
    painter.drawText(box, Qt::AlignCenter, flagText(u'B', m_b));
    if (!m_caption.isEmpty()) {
        painter.setFont(t.font(TextScale::badge));
        painter.setPen(t.color(Token::text2));
        const QFontMetricsF metrics(painter.font());
        const qreal least = twoThumbs() ? flagA().right() + 6 : line.left();
        QRectF room(line.left(), line.bottom() + flagTip, line.width(), flagHeight());
        const qreal width = metrics.horizontalAdvance(m_caption);
        if (room.right() - width >= least) {
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, m_caption);
        } else if (twoThumbs() && flagA().left() - room.left() > width + 6) {
            painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, m_caption);
        }
    }
}

void StepSlider::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTrack(painter);
    paintFlags(painter);
    if (hasFocus())
        paintFocus(painter, rect());
}

void StepSlider::move(int a, int b)
{
    a = std::clamp(a, 0, m_last);
    b = std::clamp(b, 0, m_last);
    if (a == m_a && b == m_b)
        return;
    setThumbs(a, b);
    QAccessibleValueChangeEvent event(this, m_b);
    QAccessible::updateAccessibility(&event);
    Q_EMIT thumbsMoved(m_a, m_b);
}

void StepSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const QPointF at = event->position();
    const int position = positionAt(at.x());
    if (event->modifiers() & Qt::ShiftModifier) {
        m_drag = Drag::a;
        move(position, m_b);
    } else if (flagA().adjusted(-2, -flagTip, 2, 2).contains(at)) {
        m_drag = Drag::a;
    } else if (flagB().adjusted(-2, -2, 2, flagTip).contains(at)) {
        m_drag = Drag::b;
    } else {
        m_drag = Drag::b;
        move(twoThumbs() ? m_a : position, position);
    }
}

void StepSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag == Drag::none)
        return;
    const int position = positionAt(event->position().x());
    if (m_drag == Drag::a)
        move(position, m_b);
    else
        move(twoThumbs() ? m_a : position, position);
}

void StepSlider::mouseReleaseEvent(QMouseEvent*)
{
    m_drag = Drag::none;
}

void StepSlider::keyPressEvent(QKeyEvent* event)
{
    int target = m_b;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        --target;
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        ++target;
        break;
    case Qt::Key_PageDown:
        target -= keyPage;
        break;
    case Qt::Key_PageUp:
        target += keyPage;
        break;
    case Qt::Key_Home:
        target = 0;
        break;
    case Qt::Key_End:
        target = m_last;
        break;
    case Qt::Key_Escape:
        if (twoThumbs()) {
            move(m_b, m_b);
            return;
        }
        QWidget::keyPressEvent(event);
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        QWidget::keyPressEvent(event); // the window's own
        return;
    }
    if (event->modifiers() & Qt::ShiftModifier) {
        move(m_a + (target - m_b), m_b);
        return;
    }
    target = std::clamp(target, 0, m_last);
    move(twoThumbs() ? m_a : target, target);
}

void StepSlider::wheelEvent(QWheelEvent* event)
{
    event->ignore(); // a wheel over a panel scrolls the panel
}

bool StepSlider::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int position = positionAt(help->pos().x());
        if (m_describe && m_last > 0)
            QToolTip::showText(help->globalPos(), text::toolTip(m_describe(position)), this);
        return true;
    }
    return QWidget::event(event);
}

void StepSlider::refreshAccessible()
{
    setAccessibleName(twoThumbs() ? tr("Steps, B at %1 of %2, compared with A at %3")
                                        .arg(m_b)
                                        .arg(m_last)
                                        .arg(m_a)
                                  : tr("Steps, at %1 of %2").arg(m_b).arg(m_last));
    setAccessibleDescription(
        tr("Left and Right move B. Shift+Left and Shift+Right move A. Shift+click sets A."));
}

double StepSlider::spokenValue() const
{
    return m_b;
}

double StepSlider::spokenMost() const
{
    return m_last;
}

QString StepSlider::spokenWords() const
{
    if (m_describe)
        return m_describe(m_b);
    return QString::number(m_b);
}

void StepSlider::takeSpokenValue(double value)
{
    const int b = static_cast<int>(value);
    move(twoThumbs() ? m_a : b, b);
}

} // namespace fusescope
