#include "ui/dock_chrome.h"

#include "ui/theme/icons.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/labels.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPainter>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

namespace fusescope {

namespace {

constexpr char cornerName[] = "dockCorner";

QToolButton* cornerButton(const QString& name, const QString& words, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(name, Token::text2));
    button->setIconSize({14, 14});
    button->setFixedSize(22, 22);
    button->setToolTip(words);
    button->setAccessibleName(words);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

// A chip that lets clicks through to the tab below it.
QWidget* tabChip(const Pill& pill, QWidget* parent)
{
    auto* chip = new Chip(pill, parent);
    chip->setAttribute(Qt::WA_TransparentForMouseEvents);
    chip->setFocusPolicy(Qt::NoFocus);
    chip->setAccessibleName(pill.text);
    return chip;
}

} // namespace

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock), m_title(new ElidedLabel(dock->windowTitle(), this)),
      m_note(new ElidedLabel({}, this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::section, 0, space::glyph, 0);
    layout->setSpacing(space::control);
    m_title->setLook(TextScale::normal, true, false);
    m_note->setLook(TextScale::small, false, true);
    m_note->setToken(Token::text2);
    for (ElidedLabel* label : {m_title, m_note}) {
        label->setFocusPolicy(Qt::NoFocus);
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    layout->addWidget(m_title);
    layout->addWidget(m_note, 1);
    layout->addStretch(0);
    auto* floating = cornerButton(QStringLiteral("float"), tr("Float"), this);
    auto* close = cornerButton(QStringLiteral("dock-close"), tr("Close"), this);
    layout->addWidget(floating);
    layout->addWidget(close);
    connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QWidget::close);
    connect(dock, &QWidget::windowTitleChanged, m_title, &ElidedLabel::setText);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DockTitle::setNote(const QString& note)
{
    // Setting it asks for another layout, after which this is called again.
    if (m_note->text() != note)
        m_note->setText(note);
}

QSize DockTitle::sizeHint() const
{
    return {200, rowHeight(Row::dockTitle, fontMetrics())};
}

void DockTitle::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(Token::head));
}

DockChrome::DockChrome(QMainWindow* window) : QObject(window), m_window(window)
{
    window->installEventFilter(this);
    connect(window, &QMainWindow::tabifiedDockWidgetActivated, this, &DockChrome::later);
}

void DockChrome::add(QDockWidget* dock)
{
    m_docks << dock;
    connect(dock, &QDockWidget::topLevelChanged, this, &DockChrome::later);
    connect(dock, &QDockWidget::visibilityChanged, this, &DockChrome::later);
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockChrome::later);
    later();
}

void DockChrome::setBadge(QDockWidget* dock, const QString& text, Tone tone)
{
    const Pill pill{text, tone, Mark::none, false};
    if (m_badges.value(dock) == pill)
        return;
    m_badges[dock] = pill;
    later();
}

void DockChrome::later()
{
    if (m_pending)
        return;
    m_pending = true;
    QTimer::singleShot(0, this, &DockChrome::sync);
}

QDockWidget* DockChrome::dockAt(QTabBar* bar, int index) const
{
    // Qt keeps the dock's address with its tab.
    const auto address = bar->tabData(index).value<quintptr>();
    for (QDockWidget* dock : m_docks) {
        if (reinterpret_cast<quintptr>(dock) == address)
            return dock;
    }
    return nullptr;
}

QTabBar* DockChrome::tabBarOf(QDockWidget* dock, int* index) const
{
    for (auto* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        for (int i = 0; bar->isVisibleTo(m_window) && i < bar->count(); ++i) {
            if (dockAt(bar, i) == dock) {
                if (index)
                    *index = i;
                return bar;
            }
        }
    }
    return nullptr;
}

void DockChrome::sync()
{
    m_pending = false;
    for (QDockWidget* dock : std::as_const(m_docks)) {
        const bool tabbed = !dock->isFloating() && !dock->isHidden() && tabBarOf(dock);
        auto* title = qobject_cast<DockTitle*>(dock->titleBarWidget());
        if (tabbed && (title || !dock->titleBarWidget())) {
            auto* empty = new QWidget(dock);
            empty->setFixedHeight(0);
            dock->setTitleBarWidget(empty);
            delete title;
        } else if (!tabbed && !title) {
            QWidget* old = dock->titleBarWidget();
            title = new DockTitle(dock);
            dock->setTitleBarWidget(title);
            delete old;
        }
        if (!tabbed && title)
            title->setNote(m_badges.value(dock).text);
    }
    for (auto* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        dress(bar);
}

void DockChrome::dress(QTabBar* bar)
{
    if (!bar->isVisibleTo(m_window))
        return;
    bar->setDrawBase(false);
    if (bar->expanding())
        bar->setExpanding(false);
    if (bar->elideMode() != Qt::ElideNone)
        bar->setElideMode(Qt::ElideNone);
    for (int i = 0; i < bar->count(); ++i) {
        QDockWidget* dock = dockAt(bar, i);
        if (!dock)
            continue;
        const Pill pill = m_badges.value(dock);
        auto* chip = qobject_cast<Chip*>(bar->tabButton(i, QTabBar::RightSide));
        if (pill.text.isEmpty()) {
            if (chip) {
                bar->setTabButton(i, QTabBar::RightSide, nullptr);
                chip->deleteLater();
            }
        } else if (!chip) {
            bar->setTabButton(i, QTabBar::RightSide, tabChip(pill, bar));
        } else if (chip->pill() != pill) {
            bar->setTabButton(i, QTabBar::RightSide, nullptr);
            chip->deleteLater();
            bar->setTabButton(i, QTabBar::RightSide, tabChip(pill, bar));
        }
        bar->setAccessibleTabName(i, pill.text.isEmpty() ? dock->windowTitle()
                                                         : dock->windowTitle() + QLatin1Char(' ') + pill.text);
    }
    auto* corner = bar->findChild<QWidget*>(QLatin1String(cornerName), Qt::FindDirectChildrenOnly);
    if (!corner) {
        corner = new QWidget(bar);
        corner->setObjectName(QLatin1String(cornerName));
        auto* layout = new QHBoxLayout(corner);
        layout->setContentsMargins(0, 0, space::glyph, 0);
        layout->setSpacing(2);
        auto* floating = cornerButton(QStringLiteral("float"), tr("Float"), corner);
        auto* close = cornerButton(QStringLiteral("dock-close"), tr("Close"), corner);
        layout->addWidget(floating);
        layout->addWidget(close);
        connect(floating, &QToolButton::clicked, bar, [this, bar] {
            if (QDockWidget* dock = dockAt(bar, bar->currentIndex()))
                dock->setFloating(true);
        });
        connect(close, &QToolButton::clicked, bar, [this, bar] {
            if (QDockWidget* dock = dockAt(bar, bar->currentIndex()))
                dock->close();
        });
        bar->installEventFilter(this);
    }
    const QSize size = corner->sizeHint();
    corner->setGeometry(bar->width() - size.width(), (bar->height() - size.height()) / 2, size.width(),
                        size.height());
    corner->setVisible(bar->count() > 0 &&
                       bar->tabRect(bar->count() - 1).right() < bar->width() - size.width());
    corner->raise();
}

bool DockChrome::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Show:
        if (auto* bar = qobject_cast<QTabBar*>(watched))
            dress(bar);
        break;
    case QEvent::ChildAdded:
    case QEvent::LayoutRequest:
        if (watched == m_window)
            later();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace fusescope
