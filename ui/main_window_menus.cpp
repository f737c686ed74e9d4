#include "ui/main_window.h"

#include "ui/examples.h"
#include "ui/graph/graph_area.h"
#include "ui/recent_files.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_edit.h"

#include <QActionGroup>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QThread>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>

namespace fusescope {

namespace {

// Nothing stands for a separator.
using MenuRow = std::optional<Act>;
constexpr std::nullopt_t line = std::nullopt;

void fill(QMenu* menu, const Actions& actions, std::initializer_list<MenuRow> rows)
{
    for (const MenuRow& row : rows) {
        if (row)
            menu->addAction(actions[*row]);
        else
            menu->addSeparator();
    }
}

} // namespace

void MainWindow::makeMenus()
{
    const Actions& actions = *m_actions;
    const auto add = [this](const QString& title) {
        QMenu* menu = menuBar()->addMenu(title);
        menu->setToolTipsVisible(true);
        return menu;
    };
    QMenu* file = add(tr("&File"));
    fill(file, actions, {Act::open});
    m_recentMenu = file->addMenu(tr("Open &Recent"));
    m_exampleMenu = file->addMenu(tr("Open Exa&mple"));
    m_exampleMenu->setToolTipsVisible(true);
    fill(file, actions,
         {Act::reload, line, Act::exportModel, Act::exportPicture, Act::exportReport, Act::exportValues,
          line, Act::properties, Act::closeModel, Act::quit});

    fill(add(tr("&Edit")), actions,
         {Act::undo, Act::redo, line, Act::copyName, Act::copyText, line, Act::find, Act::findNext,
          Act::findPrevious, Act::selectAllOfType, line, Act::settings});

    QMenu* view = add(tr("&View"));
    fill(view, actions,
         {Act::before, Act::after, Act::overlay, Act::split, Act::moveTogether, line, Act::zoomIn,
          Act::zoomOut, Act::actualSize, Act::fit, Act::fitSelection, line, Act::attributes, Act::weights,
          Act::names, Act::leftToRight, line, Act::expand, Act::collapse, Act::expandAll, Act::collapseAll,
          Act::leaveBody, Act::arrangeAlone, Act::trace, line, Act::placeBack, Act::placeForward, line});
    fillTheme(view->addMenu(tr("T&heme")));
    fill(view, actions, {Act::fullScreen});

    fill(add(tr("&Steps")), actions,
         {Act::first, Act::back, Act::forward, Act::last, line, Act::runPass, Act::runAll, Act::skip, line,
          Act::growRange, Act::shrinkRange, Act::nextChange, Act::previousChange, Act::predict, line,
          Act::passes});

    QMenu* run = add(tr("&Run"));
    fill(run, actions,
         {Act::compare, Act::divergence, Act::profile, Act::cancel, line, Act::inputs, Act::dimensions,
          Act::tolerance});
    fillThreads(run->addMenu(tr("T&hreads")));

    fill(add(tr("&Tools")), actions,
         {Act::why, Act::applyFix, Act::applySafeFixes, Act::scratch, line, Act::pin, Act::markPure,
          Act::history, Act::showInputs, Act::showOutputs});

    QMenu* window = add(tr("&Window"));
    int number = 0;
    for (const Dock& dock : m_docks) {
        QDockWidget* widget = dock.widget;
        const QAction* own = widget->toggleViewAction();
        auto* toggle = new QAction(own->text(), widget);
        toggle->setCheckable(true);
        toggle->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + number++)));
        window->addAction(toggle);
        const auto mirror = [own, toggle] {
            toggle->setText(own->text());
            toggle->setChecked(own->isChecked());
        };
        mirror();
        connect(own, &QAction::changed, toggle, mirror);
        // What stands behind another tab is brought to the front; only what is seen is hidden.
        connect(toggle, &QAction::triggered, widget, [widget, toggle, own] {
            const bool seen = !widget->isHidden() && !widget->visibleRegion().isEmpty();
            widget->setVisible(!seen);
            if (!seen)
                widget->raise();
            toggle->setChecked(own->isChecked());
        });
    }
    window->addSeparator();
    QAction* beside = window->addAction(tr("&Profile beside Compare"));
    beside->setCheckable(true);
    connect(window, &QMenu::aboutToShow, beside,
            [this, beside] { beside->setChecked(isProfileBeside()); });
    connect(beside, &QAction::triggered, this, &MainWindow::setProfileBeside);
    fill(window, actions, {Act::resetLayout, Act::newWindow});

    fill(add(tr("&Help")), actions,
         {Act::shortcuts, Act::examples, Act::tour, Act::reasons, line, Act::reportProblem, Act::about});

    for (int i = 0; i < RecentFiles::most; ++i) {
        auto* action = new QAction(this);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
        connect(action, &QAction::triggered, this, [this, action] { openFiles({action->data().toString()}); });
        m_recentMenu->addAction(action);
        m_recentActions << action;
    }
    connect(m_recent, &RecentFiles::changed, this, &MainWindow::fillRecent);
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    fillRecent();
    fillExamples();
}

void MainWindow::fillRecent()
{
    const QList<RecentFile> files = m_recent->files();
    for (qsizetype i = 0; i < m_recentActions.size(); ++i) {
        QAction* action = m_recentActions[i];
        const bool used = i < files.size();
        action->setVisible(used);
        action->setEnabled(used && files[i].exists);
        if (!used)
            continue;
        action->setData(files[i].path);
        action->setText(text::label(text::oneLine(QFileInfo(files[i].path).fileName())));
        action->setToolTip(text::toolTip(files[i].path));
    }
    m_recentMenu->setEnabled(!files.isEmpty());
}

void MainWindow::fillExamples()
{
    std::map<ExampleGroup, QMenu*> groups;
    for (const Example& example : examples())
        groups.emplace(example.group, nullptr);
    for (auto& [group, menu] : groups) {
        menu = m_exampleMenu->addMenu(text::label(nameOf(group)));
        menu->setToolTipsVisible(true);
    }
    for (const Example& example : examples()) {
        QAction* action = groups[example.group]->addAction(
            text::label(example.title), this,
            [this, resource = example.resource] { openExample(resource); });
        action->setToolTip(text::toolTip(example.text));
    }
    (*m_actions)[Act::examples]->setMenu(m_exampleMenu);
    m_exampleMenu->setEnabled(!examples().isEmpty());
}

void MainWindow::fillTheme(QMenu* menu)
{
    auto* group = new QActionGroup(menu);
    const std::pair<ThemeChoice, QString> rows[] = {{ThemeChoice::system, tr("&System")},
                                                    {ThemeChoice::light, tr("&Light")},
                                                    {ThemeChoice::dark, tr("&Dark")},
                                                    {ThemeChoice::highContrast, tr("&High Contrast")}};
    for (const auto& [choice, words] : rows) {
        QAction* action = menu->addAction(words);
        action->setCheckable(true);
        action->setChecked(theme().choice() == choice);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [choice = choice] {
            theme().setChoice(choice);
            QSettings().setValue(QStringLiteral("theme"), static_cast<int>(choice));
        });
        // The choice is the program's: another window may have made it.
        connect(menu, &QMenu::aboutToShow, action,
                [action, choice = choice] { action->setChecked(theme().choice() == choice); });
    }
}

void MainWindow::fillThreads(QMenu* menu)
{
    auto* group = new QActionGroup(menu);
    const int most = std::max(1, QThread::idealThreadCount());
    for (int count = 1; count <= most; count = count < 2 ? 2 : count * 2) {
        QAction* action = menu->addAction(QString::number(count));
        action->setCheckable(true);
        action->setChecked(m_state->threads() == count);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, count] { m_state->setThreads(count); });
    }
}

void MainWindow::makeToolBar()
{
    m_toolBar = addToolBar(tr("Toolbar"));
    m_toolBar->setObjectName(QStringLiteral("toolbar"));
    m_toolBar->setMovable(false);
    m_toolBar->setIconSize({16, 16});
    m_toolBar->setFixedHeight(rowHeight(Row::toolbar, fontMetrics()));
    m_toolBar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto button = [this](Act act, const QString& words = {}) {
        QAction* action = (*m_actions)[act];
        if (!words.isEmpty())
            action->setIconText(words);
        auto* tool = new QToolButton(m_toolBar);
        tool->setDefaultAction(action);
        tool->setToolButtonStyle(words.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
        tool->setFixedHeight(28);
        tool->setFocusPolicy(Qt::TabFocus);
        tool->setAccessibleName(Actions::plainName(action));
        m_toolBar->addWidget(tool);
        if (!words.isEmpty())
            m_wordyButtons << tool;
        return tool;
    };
    button(Act::open, tr("Open"));
    button(Act::exportModel, tr("Export"));
    m_toolBar->addSeparator();
    button(Act::zoomOut);
    m_zoomBox = new QComboBox(m_toolBar);
    m_zoomBox->setEditable(true);
    m_zoomBox->setInsertPolicy(QComboBox::NoInsert);
    m_zoomBox->setFixedWidth(std::max(fontMetrics().horizontalAdvance(QStringLiteral("1000 %")),
                                      fontMetrics().horizontalAdvance(tr("Fit"))) +
                             36);
    m_zoomBox->setAccessibleName(tr("Zoom"));
    m_zoomBox->setToolTip(tr("Zoom"));
    for (const int percent : {10, 25, 50, 75, 100, 150, 200, 400})
        m_zoomBox->addItem(QStringLiteral("%1 %").arg(percent), percent / 100.0);
    m_zoomBox->addItem(tr("Fit"));
    m_zoomBox->setCurrentText(QStringLiteral("100 %"));
    m_toolBar->addWidget(m_zoomBox);
    const auto applyZoom = [this] {
        bool valid = false;
        const double percent =
            m_zoomBox->currentText().remove(QLatin1Char('%')).trimmed().toDouble(&valid);
        if (m_zoomBox->currentText().trimmed() == tr("Fit"))
            (*m_actions)[Act::fit]->trigger();
        else if (valid && percent >= 1 && percent <= 1000)
            m_graph->setZoom(percent / 100);
        else
            showZoom(m_graph->zoom());
    };
    connect(m_zoomBox, &QComboBox::textActivated, this, applyZoom);
    connect(m_zoomBox->lineEdit(), &QLineEdit::editingFinished, this, applyZoom);
    button(Act::zoomIn);
    button(Act::fit);
    button(Act::leftToRight);
    m_toolBar->addSeparator();
    button(Act::collapse);
    button(Act::expand);
    m_toolBar->addSeparator();
    m_findBox = new FilterEdit(tr("Find node, tensor, attribute, Conv>Relu"), QStringLiteral("find"),
                               (*m_actions)[Act::find]->shortcut().toString(QKeySequence::NativeText),
                               m_toolBar);
    m_findBox->setAccessibleName(tr("Find"));
    m_findBox->setFixedWidth(300);
    m_toolBar->addWidget(m_findBox);
    connect(m_findBox, &QLineEdit::returnPressed, this, [this] { showFind(m_findBox->text()); });
    auto* stretch = new QWidget(m_toolBar);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolBar->addWidget(stretch);
    button(Act::why, tr("Why not fused?"));
    m_toolBar->addSeparator();
    QToolButton* run = button(Act::compare, text::label(tr("Run & Compare")));
    run->setProperty("primary", true);
    (*m_actions)[Act::compare]->setIcon(icon(QStringLiteral("run"), Token::text, Token::onAccent));
    // On accent the sign has the colour of the words.
    const QIcon onAccent = icon(QStringLiteral("run"), Token::onAccent);
    run->setIcon(onAccent);
    connect((*m_actions)[Act::compare], &QAction::changed, run, [run, onAccent] { run->setIcon(onAccent); });
}

void MainWindow::setToolBarTexts()
{
    if (!m_toolBar)
        return;
    const bool words = !isSmall();
    for (QToolButton* button : std::as_const(m_wordyButtons))
        button->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    m_findBox->setFixedWidth(words ? 300 : 200);
}

} // namespace fusescope
