#include "ui/main_window.h"

#include "ui/dock_chrome.h"
#include "ui/find_bar.h"
#include "ui/graph/graph_area.h"
#include "ui/panels/blocked_panel.h"
#include "ui/panels/changes_panel.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/messages_panel.h"
#include "ui/panels/profile_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/summary_panel.h"
#include "ui/panels/why_panel.h"
#include "ui/recent_files.h"
#include "ui/start/start_page.h"
#include "ui/widgets/notice_bar.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace fusescope {

namespace {

constexpr int stepsWidth = 296;
constexpr int rightWidth = 328;
constexpr int teachingWidth = 530;
constexpr int leastGraphWidth = 330;
constexpr int changesHeight = 160;
constexpr int bottomHeight = 227; // with its tabs
constexpr int leastPanelWidth = 180;

} // namespace

void MainWindow::makeCenter()
{
    m_center = new QStackedWidget(this);
    m_start = new StartPage(*m_actions, *m_recent, m_center);
    m_bar = new NoticeBar;
    auto* page = new QWidget(m_center);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_graph = new GraphArea(*m_state, *m_actions, page);
    m_findBar = new FindBar(*m_state, page);
    m_findBar->hide();
    column->addWidget(m_findBar);
    column->addWidget(m_graph, 1);
    auto* startPage = new QWidget(m_center);
    m_startLayout = new QVBoxLayout(startPage);
    m_startLayout->setContentsMargins(0, 0, 0, 0);
    m_startLayout->setSpacing(0);
    m_startLayout->addWidget(m_bar);
    m_startLayout->addWidget(m_start, 1);
    m_center->addWidget(startPage);
    m_center->addWidget(page);
    m_center->setMinimumSize(320, 240);
    setCentralWidget(m_center);
    connect(m_start, &StartPage::fileChosen, this, [this](const QString& path) { openFiles({path}); });
    connect(m_start, &StartPage::exampleChosen, this, &MainWindow::openExample);
}

void MainWindow::addDock(const QString& id, const char* title, Panel* panel)
{
    auto* dock = new QDockWidget(tr(title), this);
    dock->setObjectName(id);
    // A wide panel must not keep the window from a small screen.
    panel->setMinimumWidth(leastPanelWidth);
    dock->setWidget(panel);
    dock->setAccessibleName(tr(title));
    m_docks.push_back({id, title, panel, dock});
    m_chrome->add(dock);
    connect(panel, &Panel::badgeChanged, this, [this, dock](const QString& text, Tone tone) {
        m_chrome->setBadge(dock, text, tone);
    });
    connect(panel, &Panel::showRequested, this, [this, id] { showPanel(id); });
}

void MainWindow::makePanels()
{
    m_steps = new StepsPanel(*m_state, *m_actions, this);
    m_blocked = new BlockedPanel(*m_state, *m_actions, this);
    addDock(QStringLiteral("steps"), QT_TR_NOOP("Steps"), m_steps);
    addDock(QStringLiteral("changes"), QT_TR_NOOP("Changes"), new ChangesPanel(*m_state, *m_actions, this));
    m_inspector = new InspectorPanel(*m_state, *m_actions, this);
    connect(m_inspector, &InspectorPanel::teachingChanged, this, &MainWindow::setTeaching);
    addDock(QStringLiteral("inspector"), QT_TR_NOOP("Inspector"), m_inspector);
    addDock(QStringLiteral("why"), QT_TR_NOOP("Why not fused?"), new WhyPanel(*m_state, *m_actions, this));
    addDock(QStringLiteral("blocked"), QT_TR_NOOP("Blocked"), m_blocked);
    addDock(QStringLiteral("compare"), QT_TR_NOOP("Compare"), new ComparePanel(*m_state, *m_actions, this));
    addDock(QStringLiteral("profile"), QT_TR_NOOP("Profile"), new ProfilePanel(*m_state, *m_actions, this));
    addDock(QStringLiteral("summary"), QT_TR_NOOP("Summary"), new SummaryPanel(*m_state, *m_actions, this));
    addDock(QStringLiteral("messages"), QT_TR_NOOP("Messages"),
            new MessagesPanel(*m_state, *m_actions, this));
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    placeDocks();
}

bool MainWindow::isSmall() const
{
    return width() <= 1100 || height() <= 780;
}

void MainWindow::placeDocks()
{
    for (const Dock& dock : m_docks) {
        removeDockWidget(dock.widget);
        dock.widget->setFloating(false);
    }
    const auto at = [this](const char* id) { return dock(QString::fromLatin1(id)); };
    addDockWidget(Qt::LeftDockWidgetArea, at("steps"));
    splitDockWidget(at("steps"), at("changes"), Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, at("blocked"));
    for (const char* id : {"compare", "profile", "summary", "messages"})
        tabifyDockWidget(at("blocked"), at(id));
    if (isSmall()) {
        tabifyDockWidget(at("messages"), at("inspector"));
        tabifyDockWidget(at("inspector"), at("why"));
    } else {
        addDockWidget(Qt::RightDockWidgetArea, at("inspector"));
        tabifyDockWidget(at("inspector"), at("why"));
    }
    for (const Dock& dock : m_docks)
        dock.widget->show();
    if (!isSmall())
        at("inspector")->raise();
    at("blocked")->raise();
    sizeDocks();
    // And again when titles and tabs stand, which take room of their own.
    QTimer::singleShot(0, this, [this] { QTimer::singleShot(0, this, &MainWindow::sizeDocks); });
}

void MainWindow::sizeDocks()
{
    const auto at = [this](const char* id) { return dock(QString::fromLatin1(id)); };
    const int left = isSmall() ? std::min(stepsWidth, width() / 4) : stepsWidth;
    resizeDocks({at("steps")}, {left}, Qt::Horizontal);
    if (!isSmall())
        resizeDocks({at("inspector")}, {rightWidth}, Qt::Horizontal);
    resizeDocks({at("blocked")}, {isSmall() ? std::min(bottomHeight, height() / 4) : bottomHeight},
                Qt::Vertical);
    const int column = at("steps")->height() + at("changes")->height();
    resizeDocks({at("steps"), at("changes")}, {std::max(200, column - changesHeight), changesHeight},
                Qt::Vertical);
}

bool MainWindow::isProfileBeside() const
{
    QDockWidget* of = dock(QStringLiteral("profile"));
    return of->isVisible() && !of->isFloating() && tabifiedDockWidgets(of).isEmpty();
}

void MainWindow::setProfileBeside(bool on)
{
    QDockWidget* of = dock(QStringLiteral("profile"));
    // A tabbed dock cannot be split from its tabs where it stands.
    removeDockWidget(of);
    if (on)
        addDockWidget(Qt::BottomDockWidgetArea, of, Qt::Horizontal);
    else
        tabifyDockWidget(dock(QStringLiteral("compare")), of);
    of->show();
    of->raise();
    if (on) {
        showPanel(QStringLiteral("compare"));
        resizeDocks({of}, {std::max(leastPanelWidth, width() / 4)}, Qt::Horizontal);
    }
}

void MainWindow::resetLayout()
{
    placeDocks();
    m_toolBar->show();
}

void MainWindow::resetLayoutUndoably()
{
    m_layoutBeforeReset = saveState(layoutVersion);
    resetLayout();
    m_statusText->setText(tr("The layout was reset."));
    m_undoReset->show();
}

// The formula has a width of its own; each of the two is remembered.
void MainWindow::setTeaching(bool on)
{
    QDockWidget* of = dock(QStringLiteral("inspector"));
    if (!of || of->isFloating() || !of->isVisible() || dockWidgetArea(of) != Qt::RightDockWidgetArea)
        return;
    const QString own = QStringLiteral("window/inspectorWidth");
    const QString teaching = QStringLiteral("window/teachingWidth");
    QSettings settings;
    settings.setValue(on ? own : teaching, of->width());
    const int wanted = settings.value(on ? teaching : own, on ? teachingWidth : rightWidth).toInt();
    const int most = width() - dock(QStringLiteral("steps"))->width() - leastGraphWidth;
    resizeDocks({of}, {std::clamp(wanted, leastPanelWidth, std::max(leastPanelWidth, most))},
                Qt::Horizontal);
}

void MainWindow::saveLayout()
{
    if (m_inspector->isTeaching())
        setTeaching(false); // the next start does not teach
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), m_layoutBeforeFullScreen.isEmpty()
                                                          ? saveState(layoutVersion)
                                                          : m_layoutBeforeFullScreen);
}

void MainWindow::restoreLayout()
{
    QSettings settings;
    const bool known = restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    if (!known) {
        // The frame, which nobody knows before the window stands, has to have its place too.
        const int title = style()->pixelMetric(QStyle::PM_TitleBarHeight);
        const int side = style()->pixelMetric(QStyle::PM_DefaultFrameWidth);
        if (const QScreen* screen = QGuiApplication::primaryScreen())
            resize(size().boundedTo(screen->availableSize() - QSize(2 * side, title + 2 * side)));
    }
    // A window that would stand off all screens comes back.
    bool seen = false;
    for (const QScreen* screen : QGuiApplication::screens())
        seen = seen || screen->availableGeometry().intersects(geometry());
    if (!seen && QGuiApplication::primaryScreen())
        move(QGuiApplication::primaryScreen()->availableGeometry().topLeft());
    const QByteArray saved = settings.value(QStringLiteral("window/state")).toByteArray();
    m_placed = !saved.isEmpty() && restoreState(saved, layoutVersion);
    if (m_placed)
        return;
    placeDocks();
    // Sizes of docks hold only once the window stands.
    QTimer::singleShot(0, this, [this] {
        if (!m_placed)
            placeDocks();
        m_placed = true;
    });
}

void MainWindow::setFullScreen(bool on)
{
    if (on == isFullScreen())
        return;
    if (on) {
        m_layoutBeforeFullScreen = saveState(layoutVersion);
        m_wasMaximized = isMaximized();
        for (const Dock& dock : m_docks)
            dock.widget->hide();
        m_toolBar->hide();
        statusBar()->hide();
        showFullScreen();
    } else {
        if (m_wasMaximized)
            showMaximized();
        else
            showNormal();
        statusBar()->show();
        restoreState(m_layoutBeforeFullScreen, layoutVersion);
        m_layoutBeforeFullScreen.clear();
    }
    (*m_actions)[Act::fullScreen]->setChecked(on);
}

void MainWindow::showPanel(const QString& id)
{
    if (QDockWidget* of = dock(id)) {
        of->show();
        of->raise();
    }
}

} // namespace fusescope
