#include "ui/main_window.h"

#include "session/safe_fixes.h"

#include "ui/cancelled.h"
#include "ui/graph/graph_area.h"
#include "ui/models/steps_model.h"
#include "ui/names.h"
#include "ui/panels/blocked_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/steps_tree.h"
#include "ui/skips.h"
#include "ui/text.h"
#include "ui/widgets/step_slider.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMessageBox>
#include <QShortcut>

#include <array>

namespace fusescope {

namespace {

QString operatorKey(const Node& node)
{
    return QString::fromStdString(node.op.domain + ':' + node.op.type);
}

} // namespace

void MainWindow::connectActions()
{
    AppState* state = m_state.get();
    Actions& actions = *m_actions;
    const auto on = [&](Act act, auto slot) { connect(actions[act], &QAction::triggered, this, slot); };
    // Window-wide keys hold wherever the focus is; the rest belongs to the graph and the tree.
    actions.addTo(this, KeyScope::window);

    on(Act::open, [this] { chooseAndOpen(); });
    on(Act::reload, [this, state] {
        if (m_example.isEmpty())
            state->reload();
        else
            state->openExample(m_example);
    });
    on(Act::closeModel, [this, state] {
        if (state->isScratch())
            close();
        else
            state->close();
    });
    on(Act::quit, [] { QApplication::closeAllWindows(); });
    on(Act::newWindow, [] { (new MainWindow)->show(); });
    on(Act::undo, [state] { state->undoStack().undo(); });
    on(Act::redo, [state] { state->undoStack().redo(); });
    on(Act::copyName, [this] { copyName(true); });
    on(Act::copyText, [this] { copyName(false); });
    on(Act::selectAllOfType, [this] { selectAllOfType(); });

    const std::pair<Act, GraphMode> modes[] = {{Act::before, GraphMode::before},
                                               {Act::after, GraphMode::after},
                                               {Act::overlay, GraphMode::overlay},
                                               {Act::split, GraphMode::split}};
    for (const auto& [act, mode] : modes)
        on(act, [state, mode = mode] { state->setMode(mode); });
    const auto showMode = [this, modes = std::to_array(modes)] {
        for (const auto& [act, mode] : modes)
            (*m_actions)[act]->setChecked(m_state->mode() == mode);
    };
    connect(state, &AppState::modeChanged, this, showMode);
    showMode();
    on(Act::fullScreen, [this](bool checked) { setFullScreen(checked); });

    on(Act::first, [state] { state->first(); });
    on(Act::back, [state] { state->back(); });
    on(Act::forward, [this] { m_steps->forward(); });
    on(Act::last, [state] { state->last(); });
    on(Act::runPass, [state] { state->runPass(); });
    on(Act::runAll, [state] { state->last(); });
    on(Act::skip, [this] { skipOrUnskip(); });
    on(Act::growRange, [state] { state->growRange(); });
    on(Act::shrinkRange, [state] { state->shrinkRange(); });
    on(Act::predict, [state](bool checked) { state->setPredict(checked); });
    connect(state, &AppState::predictChanged, this, [this] {
        (*m_actions)[Act::predict]->setChecked(m_state->predict());
        updateStatus();
    });
    on(Act::placeBack, [state] { state->placeBack(); });
    on(Act::placeForward, [state] { state->placeForward(); });

    on(Act::compare, [this, state] {
        showPanel(QStringLiteral("compare"));
        state->runAndCompare();
    });
    on(Act::divergence, [this, state] {
        showPanel(QStringLiteral("compare"));
        state->findDivergence();
    });
    on(Act::profile, [this, state] {
        showPanel(QStringLiteral("profile"));
        state->profile();
    });
    on(Act::cancel, [this] { cancelAndSay(*m_state, m_running); });

    on(Act::why, [this] { showPanel(QStringLiteral("why")); });
    on(Act::history, [this] { showPanel(QStringLiteral("inspector")); });
    on(Act::applyFix, [this] { m_blocked->applyFix(); });
    on(Act::applySafeFixes, [state] {
        Plan plan = state->plan();
        for (const Fix& fix : *state->safeFixes())
            addFix(plan, fix);
        state->changePlan(std::move(plan), tr("All Safe Fixes"));
    });
    on(Act::pin, [this] { togglePin(); });
    on(Act::markPure, [this] { markPure(); });
    on(Act::showInputs, [this] { showNeighbours(true); });
    on(Act::showOutputs, [this] { showNeighbours(false); });
    on(Act::resetLayout, [this] { resetLayoutUndoably(); });
    on(Act::about, [this] { about(); });

    QUndoStack& undo = state->undoStack();
    connect(&undo, &QUndoStack::indexChanged, this, &MainWindow::updateUndo);
    connect(&undo, &QUndoStack::canUndoChanged, this, &MainWindow::updateUndo);
    connect(&undo, &QUndoStack::canRedoChanged, this, &MainWindow::updateUndo);
    updateUndo();
    connectGraphKeys();
}

// Second keys of commands, where letters are commands: in the graph. The tree has its own.
void MainWindow::connectGraphKeys()
{
    const std::pair<QKeySequence, Act> keys[] = {
        {QKeySequence(Qt::Key_N), Act::forward}, {QKeySequence(Qt::Key_B), Act::back},
        {QKeySequence(Qt::Key_Home), Act::first}, {QKeySequence(Qt::Key_End), Act::last}};
    for (const auto& [key, act] : keys) {
        auto* shortcut = new QShortcut(key, m_graph);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, (*m_actions)[act], &QAction::trigger);
    }
    for (QWidget* widget : {static_cast<QWidget*>(m_graph), static_cast<QWidget*>(&m_steps->tree())}) {
        const std::pair<QKeySequence, Act> both[] = {{QKeySequence(Qt::Key_Slash), Act::find},
                                                     {QKeySequence(Qt::Key_Question), Act::shortcuts}};
        for (const auto& [key, act] : both) {
            auto* shortcut = new QShortcut(key, widget);
            shortcut->setContext(Qt::WidgetWithChildrenShortcut);
            connect(shortcut, &QShortcut::activated, (*m_actions)[act], &QAction::trigger);
        }
    }
}

void MainWindow::updateUndo()
{
    const QUndoStack& undo = m_state->undoStack();
    QAction* back = (*m_actions)[Act::undo];
    QAction* again = (*m_actions)[Act::redo];
    back->setText(undo.canUndo() ? tr("&Undo %1").arg(text::label(undo.undoText())) : tr("&Undo"));
    again->setText(undo.canRedo() ? tr("&Redo %1").arg(text::label(undo.redoText())) : tr("&Redo"));
    m_actions->setEnabled(Act::undo, undo.canUndo(), tr("Nothing to undo."));
    m_actions->setEnabled(Act::redo, undo.canRedo(), tr("Nothing to redo."));
}

void MainWindow::updateActions()
{
    Actions& actions = *m_actions;
    const AppState& state = *m_state;
    const bool model = state.hasModel();
    const QString noModel = tr("No model is open.");
    const int b = state.b(), count = state.stepCount();
    const bool node = model && state.selected();
    const auto enable = [&](std::initializer_list<Act> acts, bool on, const QString& why) {
        for (const Act act : acts)
            actions.setEnabled(act, on, why);
    };
    actions.setEnabled(Act::exportModel, model, tr("Nothing to export: no model is open."));
    enable({Act::exportPicture, Act::exportReport, Act::exportValues}, model,
           tr("Nothing to export: no model is open."));
    enable({Act::reload, Act::properties, Act::closeModel, Act::find, Act::findNext, Act::findPrevious,
            Act::before, Act::after, Act::overlay, Act::split, Act::zoomIn, Act::zoomOut, Act::actualSize,
            Act::fit, Act::expandAll, Act::collapseAll, Act::expand, Act::collapse, Act::leftToRight,
            Act::attributes, Act::weights, Act::names, Act::arrangeAlone, Act::leaveBody, Act::moveTogether,
            Act::predict, Act::passes, Act::inputs, Act::dimensions, Act::tolerance, Act::nextChange,
            Act::previousChange, Act::profile, Act::divergence, Act::compare, Act::why},
           model, noModel);
    const QString first = model ? tr("This is the first step.") : noModel;
    const QString last = model ? tr("This is the last step.") : noModel;
    enable({Act::first, Act::back}, model && b > 0, first);
    enable({Act::forward, Act::runPass}, model && b < count, last);
    enable({Act::last, Act::runAll}, model && (b < count || !state.isFinished()), last);
    actions[Act::skip]->setText(model && isSkipped(state, b)
                                    ? tr("Apply &Skipped Rewrite Again")
                                    : QCoreApplication::translate("Actions", "&Skip This Rewrite"));
    actions.setEnabled(Act::skip, model && b > 0 && b <= count,
                       model ? tr("There is no rewrite at step 0.") : noModel);
    actions.setEnabled(Act::growRange, model && state.a().value_or(b) > 0, first);
    actions.setEnabled(Act::shrinkRange, model && state.a().has_value(),
                       model ? tr("One step is shown, not a range.") : noModel);
    const QString noNode = model ? tr("No node is selected.") : noModel;
    enable({Act::copyName, Act::copyText, Act::selectAllOfType, Act::fitSelection, Act::trace, Act::pin,
            Act::history, Act::showInputs, Act::showOutputs, Act::scratch},
           node, noNode);
    bool custom = false;
    if (node) {
        const Node* record = state.timeline()->unionGraph.lastRecord(state.selected());
        custom = record && !record->op.domain.empty() && !record->region;
    }
    actions.setEnabled(Act::markPure, custom,
                       node ? tr("Only operators of other domains can have side effects.") : noNode);
    actions[Act::pin]->setChecked(node && state.plan().policy.pinnedNodes.contains(state.selected()));
    bool fixes = false, safe = false;
    if (model) {
        safe = !state.safeFixes()->empty();
        if (const auto shown = state.shownBlocked()) {
            for (const Reason& reason : shown->miss.reasons)
                fixes = fixes || reason.fix;
        }
    }
    actions.setEnabled(Act::applyFix, fixes, model ? tr("No blocked row with a fix is open.") : noModel);
    actions.setEnabled(Act::applySafeFixes, safe,
                       model ? tr("No blocked candidate has a fix that keeps meaning and interface.")
                             : noModel);
    actions.setEnabled(Act::cancel, m_state->jobs().anyRunning() || state.isWaitingForLast(),
                       tr("Nothing is running."));
}

void MainWindow::copyName(bool whole)
{
    const NodeId node = m_state->selected();
    if (!node)
        return;
    const QString name = names::whole(*m_state, node);
    QString words = name;
    if (!whole) {
        const auto graph = m_state->graphOf(node);
        words = names::operatorOf(*m_state, node) + QLatin1Char(' ')
                + (m_state->graphOf(node)->node(node) && m_state->graphOf(node)->node(node)->name.empty()
                       ? names::besideOperator(*m_state, node)
                       : name);
        if (const Node* record = graph->node(node)) {
            const auto list = [&](const std::vector<ValueId>& values) {
                QStringList all;
                for (const ValueId value : values)
                    all << (value ? names::brief(*m_state, Subject(value)) : QStringLiteral("–"));
                return names::listed(all);
            };
            words += QLatin1Char('\n') + tr("inputs: %1").arg(list(record->inputs)) + QLatin1Char('\n') +
                     tr("outputs: %1").arg(list(record->outputs));
        }
    }
    QApplication::clipboard()->setText(words);
}

void MainWindow::selectAllOfType()
{
    const auto timeline = m_state->timeline();
    const Node* record = timeline->unionGraph.lastRecord(m_state->selected());
    if (record)
        showFind(QString::fromStdString(record->op.type));
}

void MainWindow::markPure()
{
    const auto timeline = m_state->timeline();
    if (const Node* record = timeline->unionGraph.lastRecord(m_state->selected()))
        m_state->markPure(operatorKey(*record));
}

void MainWindow::togglePin()
{
    if (const NodeId node = m_state->selected())
        m_state->setPinned(node, !m_state->plan().policy.pinnedNodes.contains(node));
}

void MainWindow::showNeighbours(bool inputs)
{
    const NodeId node = m_state->selected();
    if (!node)
        return;
    const auto graph = m_state->graphOf(node);
    const Node* record = graph->node(node);
    if (!record)
        return;
    QMenu menu(this);
    const auto add = [&](const QString& what, NodeId other) {
        const QString words = names::operatorOf(*m_state, other) + QLatin1Char(' ')
                              + names::besideOperator(*m_state, other);
        menu.addAction(text::label(text::oneLine(what + words)), this, [this, other] { m_state->goTo(other); });
    };
    if (inputs) {
        for (const ValueId value : record->inputs) {
            if (!value)
                continue;
            const QString name = names::brief(*m_state, Subject(value));
            if (const NodeId producer = graph->producer(value))
                add(name + QStringLiteral(": "), producer);
            else
                menu.addAction(text::label(text::oneLine(name)), this,
                               [this, value] { m_state->selectValue(value); });
        }
    } else {
        for (const ValueId value : record->outputs) {
            for (const Use& use : graph->uses(value)) {
                if (use.node)
                    add({}, use.node);
            }
        }
    }
    if (menu.isEmpty())
        menu.addAction(inputs ? tr("No inputs") : tr("Nobody reads it"))->setEnabled(false);
    menu.exec(m_graph->mapToGlobal(QPoint(m_graph->width() / 2, m_graph->height() / 3)));
}

// Skip acts on the step at B; on one that is skipped it applies it again.
void MainWindow::skipOrUnskip()
{
    const int b = m_state->b();
    if (b < 1 || b > m_state->stepCount())
        return;
    if (isSkipped(*m_state, b))
        applyAgain(*m_state, b);
    else
        m_state->skipStep(b);
}

// Popups and drags take Esc themselves; then Find, trace, a running job or the wait for the last
// step, full screen, selection.
void MainWindow::escape()
{
    if (closeFind())
        return;
    QAction* trace = (*m_actions)[Act::trace];
    if (trace->isChecked()) {
        trace->trigger();
        return;
    }
    if (m_state->jobs().anyRunning() || m_state->isWaitingForLast()) {
        cancelAndSay(*m_state, m_running);
        return;
    }
    if (isFullScreen()) {
        setFullScreen(false);
        return;
    }
    if (m_state->shownBlocked())
        m_state->showBlocked(std::nullopt);
    else
        m_state->select({});
}

void MainWindow::about()
{
    QMessageBox box(this);
    box.setWindowTitle(tr("About Fusescope"));
    box.setTextFormat(Qt::PlainText);
    box.setIconPixmap(windowIcon().pixmap(48, 48));
    box.setText(QStringLiteral("Fusescope %1").arg(QCoreApplication::applicationVersion()));
    box.setInformativeText(
        tr("See what an optimizer does to an ONNX model, one rewrite at a time, and why it stops."));
    box.exec();
}

} // namespace fusescope
