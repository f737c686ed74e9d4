#include "ui/widgets/notice_bar.h"

#include <algorithm>

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "ui/text.h"
#include "ui/theme/badges.h"
#include "ui/theme/icons.h"

namespace fusescope {

namespace {

Mark markOf(NoticeLevel level)
{
    switch (level) {
    case NoticeLevel::info:
        return Mark::info;
    case NoticeLevel::success:
        return Mark::tick;
    case NoticeLevel::warning:
        return Mark::warning;
    case NoticeLevel::error:
        return Mark::cross;
    }
    return Mark::info;
}

QString nameOf(NoticeLevel level)
{
    switch (level) {
    case NoticeLevel::info:
        return NoticeBar::tr("Note");
    case NoticeLevel::success:
        return NoticeBar::tr("Done");
    case NoticeLevel::warning:
        return NoticeBar::tr("Warning");
    case NoticeLevel::error:
        return NoticeBar::tr("Error");
    }
    return {};
}

} // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent), m_sign(new QLabel(this)), m_text(new QLabel(this)),
      m_actions(new QWidget(this)), m_more(new QToolButton(this)), m_close(new QToolButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::section, 4, space::control, 4);
    layout->setSpacing(space::control);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFocusPolicy(Qt::NoFocus);
    auto* actions = new QHBoxLayout(m_actions);
    actions->setContentsMargins(0, 0, 0, 0);
    actions->setSpacing(space::control);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_close->setFocusPolicy(Qt::TabFocus);
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setToolTip(tr("Close"));
    m_close->setAccessibleName(tr("Close this notice"));
    layout->addWidget(m_sign);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_actions);
    layout->addWidget(m_more);
    layout->addWidget(m_close);
    connect(m_more, &QToolButton::clicked, this, &NoticeBar::moreRequested);
    connect(m_close, &QToolButton::clicked, this, [this] {
        const QString id = shown().id;
        withdraw(id);
        Q_EMIT closed(id);
    });
    connect(&theme(), &Theme::changed, this, &NoticeBar::restyle);
    refresh();
}

void NoticeBar::post(const Notice& notice)
{
    m_notices.removeIf([&](const Notice& other) { return other.id == notice.id; });
    m_notices.prepend(notice);
    refresh();
}

void NoticeBar::withdraw(const QString& id)
{
    m_notices.removeIf([&](const Notice& other) { return other.id == id; });
    refresh();
}

void NoticeBar::clear()
{
    m_notices.clear();
    refresh();
}

const Notice& NoticeBar::shown() const
{
    return *std::max_element(m_notices.begin(), m_notices.end(),
                             [](const Notice& a, const Notice& b) { return a.level < b.level; });
}

void NoticeBar::refresh()
{
    auto* layout = static_cast<QHBoxLayout*>(m_actions->layout());
    while (QLayoutItem* item = layout->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    setVisible(!m_notices.isEmpty());
    if (m_notices.isEmpty()) {
        m_announced.clear();
        return;
    }
    const Notice& notice = shown();
    m_text->setText(notice.text.left(2000));
    for (const NoticeAction& action : notice.actions) {
        auto* button = new QPushButton(text::label(action.text), m_actions);
        connect(button, &QPushButton::clicked, this,
                [this, id = notice.id, which = action.id] { Q_EMIT actionTriggered(id, which); });
        layout->addWidget(button);
    }
    m_actions->setVisible(!notice.actions.isEmpty());
    m_more->setVisible(count() > 1);
    m_more->setText(tr("%n more", nullptr, count() - 1));
    m_more->setAccessibleName(tr("%n more notices", nullptr, count() - 1));
    setAccessibleName(tr("%1: %2").arg(nameOf(notice.level), notice.text.left(2000)));
    restyle();
    if (m_announced != notice.text) {
        m_announced = notice.text;
        QAccessibleEvent event(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

void NoticeBar::restyle()
{
    if (m_notices.isEmpty())
        return;
    const qreal ratio = devicePixelRatioF();
    QPixmap pixmap(QSize(16, 16) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintMark(painter, QRectF(0, 0, 16, 16), markOf(shown().level));
    painter.end();
    m_sign->setPixmap(pixmap);
    update();
}

void NoticeBar::paintEvent(QPaintEvent*)
{
    if (m_notices.isEmpty())
        return;
    QPainter painter(this);
    const Tone tone = toneOf(markOf(shown().level));
    const QColor fill =
        tone == Tone::accent ? theme().color(Token::accentSoft) : theme().fill(tone);
    painter.fillRect(rect(), fill);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme().line(tone));
}

} // namespace fusescope
