#include "ui/main_window.h"

#include "session/written_nodes.h"
#include "ui/graph/graph_area.h"
#include "ui/names.h"
#include "ui/panels/steps_panel.h"
#include "ui/recent_files.h"
#include "ui/skips.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/verdict.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/status_progress.h"

#include <QAccessible>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace fusescope {

namespace {

// One line that says by an ellipsis that it is cut; its tool tip has all of it.
class CutLabel final : public QLabel
{
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect place = contentsRect();
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         fontMetrics().elidedText(text(), Qt::ElideRight, place.width()));
    }
};

QLabel* prepared(QLabel* label, const QString& name)
{
    label->setTextFormat(Qt::PlainText);
    label->setAccessibleName(name);
    label->setContentsMargins(space::section, 0, space::section, 0);
    return label;
}

QLabel* statusLabel(const QString& name, QWidget* parent)
{
    return prepared(new QLabel(parent), name);
}

} // namespace

void MainWindow::makeStatusBar()
{
    QStatusBar* bar = statusBar();
    bar->setSizeGripEnabled(false);
    bar->setFixedHeight(rowHeight(Row::status, fontMetrics()));
    m_statusText = prepared(new CutLabel(bar), tr("Status"));
    m_statusText->setMinimumWidth(1);
    m_statusText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_undoReset = new QToolButton(bar);
    m_undoReset->setText(tr("Undo"));
    m_undoReset->setToolTip(tr("Put the layout back"));
    m_undoReset->setFixedHeight(20);
    m_undoReset->hide();
    m_progress = new StatusProgress(bar);
    m_statusNodes = statusLabel(tr("Nodes"), bar);
    m_statusVerdict = statusLabel(tr("Verdict"), bar);
    m_statusZoom = statusLabel(tr("Zoom"), bar);
    bar->addWidget(m_statusText, 1);
    bar->addWidget(m_undoReset);
    bar->addPermanentWidget(m_progress);
    bar->addPermanentWidget(m_statusNodes);
    bar->addPermanentWidget(m_statusVerdict);
    bar->addPermanentWidget(m_statusZoom);
    showZoom(m_graph->zoom());
    connect(m_undoReset, &QToolButton::clicked, this, [this] {
        restoreState(m_layoutBeforeReset, layoutVersion);
        m_undoReset->hide();
        updateStatus();
    });
    connect(m_progress, &StatusProgress::cancelRequested, (*m_actions)[Act::cancel], &QAction::trigger);
    connectJobs();
}

void MainWindow::connectJobs()
{
    Jobs& jobs = m_state->jobs();
    connect(&jobs, &Jobs::started, this, [this](JobKind kind, const QString& text) {
        std::erase_if(m_running, [kind](const auto& job) { return job.first == kind; });
        m_running.emplace_back(kind, text);
        m_progress->begin(text);
        updateActions();
    });
    connect(&jobs, &Jobs::progressed, this, [this](JobKind kind, double fraction, const Message& doing) {
        if (m_running.empty() || m_running.back().first != kind)
            return;
        m_progress->setFraction(fraction);
        if (doing) {
            const Graph* graph = m_state->hasModel() ? &m_state->session()->opened() : nullptr;
            m_progress->setText(m_running.back().second + QStringLiteral(": ") +
                                m_state->sentence(doing, graph));
        }
    });
    connect(&jobs, &Jobs::finished, this, [this](JobKind kind) {
        std::erase_if(m_running, [kind](const auto& job) { return job.first == kind; });
        if (m_running.empty())
            m_progress->end();
        else
            m_progress->begin(m_running.back().second);
        updateActions();
    });
}

void MainWindow::connectState()
{
    AppState& state = *m_state;
    connect(&state, &AppState::sessionChanged, this, [this] {
        const bool model = m_state->hasModel();
        m_center->setCurrentIndex(model ? 1 : 0);
        // One bar: above the graph, or above the start page.
        if (model)
            m_graph->setNoticeBar(m_bar);
        else
            m_startLayout->insertWidget(0, m_bar);
        m_bar->clear();
        m_noticeActions.clear();
        if (model) {
            const QString path =
                QFile::decodeName(QByteArray::fromStdString(m_state->session()->path()));
            if (QFileInfo(path).isAbsolute() && !path.startsWith(QLatin1Char(':')) && QFileInfo::exists(path))
                m_recent->add(path);
            // The keys of the graph work at once, but for one who writes or walks the steps.
            QWidget* focus = focusWidget();
            if (!focus || !focus->isVisible() || m_graph->isAncestorOf(focus)
                || !(qobject_cast<QLineEdit*>(focus) || m_steps->isAncestorOf(focus)))
                m_graph->setFocus();
        }
        // Why a command under the mouse was disabled is no longer true.
        statusBar()->clearMessage();
        updateTitle();
        updateStatus();
        updateVerdict();
        updateActions();
    });
    const auto moved = [this] {
        updateTitle();
        updateStatus();
        updateVerdict();
        updateActions();
    };
    connect(&state, &AppState::timelineChanged, this, [this, moved] {
        moved();
        rememberVerdicts();
    });
    connect(&state, &AppState::cursorChanged, this, moved);
    connect(&state, &AppState::selectionChanged, this, [this] {
        updateStatus();
        updateActions();
    });
    connect(&state, &AppState::shownBlockedChanged, this, &MainWindow::updateActions);
    connect(&state, &AppState::planChanged, this, moved);
    connect(&state, &AppState::compareChanged, this, [this] {
        updateVerdict();
        rememberVerdicts();
        updateActions();
    });
    connect(&state, &AppState::inputsChanged, this, &MainWindow::updateVerdict);
    connect(&state, &AppState::logged, this, &MainWindow::showLog);
    connect(&state, &AppState::logCleared, this, [this] { m_bar->clear(); });
    connect(m_graph, &GraphArea::zoomChanged, this, &MainWindow::showZoom);
    connect(m_graph, &GraphArea::changesRequested, this,
            [this] { showPanel(QStringLiteral("changes")); });
    connect(m_graph, &GraphArea::blockedListRequested, this,
            [this] { showPanel(QStringLiteral("blocked")); });
    connect(m_bar, &NoticeBar::moreRequested, this, [this] { showPanel(QStringLiteral("messages")); });
    connect(m_bar, &NoticeBar::actionTriggered, this, [this](const QString& notice, const QString& action) {
        const auto found = m_noticeActions.find(notice + QLatin1Char('/') + action);
        if (found == m_noticeActions.end())
            return;
        const auto run = found->second;
        m_bar->withdraw(notice);
        run();
    });
    connect(&theme(), &Theme::changed, this, &MainWindow::updateVerdict);
}

void MainWindow::updateTitle()
{
    if (!m_state->hasModel()) {
        setWindowTitle(QStringLiteral("Fusescope"));
        return;
    }
    QString file = text::title(text::oneLine(m_state->title()));
    if (m_state->isScratch())
        file = tr("scratch copy of %1").arg(file);
    setWindowTitle(tr("%1 — step %2 of %3%4 — Fusescope")
                       .arg(file)
                       .arg(m_state->b())
                       .arg(m_state->stepCount())
                       .arg(m_state->isFinished() ? QString() : QStringLiteral("…")));
}

QString MainWindow::statusText() const
{
    return m_statusText->text();
}

void MainWindow::updateStatus()
{
    m_undoReset->hide();
    const AppState& state = *m_state;
    if (!state.hasModel()) {
        m_statusText->setText(tr("Ready"));
        m_statusNodes->hide();
        m_statusVerdict->hide();
        m_statusZoom->hide();
        return;
    }
    m_statusNodes->show();
    m_statusVerdict->show();
    m_statusZoom->show();
    const auto timeline = state.timeline();
    const auto titleOf = [&](int step) {
        return names::title(state, *timeline->steps[static_cast<std::size_t>(step - 1)]);
    };
    QString words;
    const int b = state.b();
    if (state.selected() && state.secondSelected()) {
        words = tr("Two nodes selected: %1 and %2")
                    .arg(names::operatorOf(state, state.selected()) + QLatin1Char(' ') +
                             names::besideOperator(state, state.selected()),
                         names::operatorOf(state, state.secondSelected()) + QLatin1Char(' ') +
                             names::besideOperator(state, state.secondSelected()));
    } else if (state.isWaitingForLast()) {
        words = tr("Waiting for the passes to end");
    } else if (!state.stepCount()) {
        words = state.isFinished() ? tr("No pass found anything to rewrite.") : tr("Running the passes…");
    } else {
        if (b > 0 && b <= timeline->size())
            words = tr("%1. ", "a sentence before another")
                        .arg(isSkipped(state, b) ? tr("Skipped by you: %1").arg(titleOf(b))
                                                 : titleOf(b));
        if (b < timeline->size())
            words += state.predict() ? tr("Next: ?") : tr("Next: %1").arg(titleOf(b + 1));
        else
            words += state.isFinished() ? tr("This is the last step.") : tr("More steps are coming…");
    }
    m_statusText->setText(text::oneLine(words.left(500)));
    m_statusText->setToolTip(text::toolTip(words));
    const StepPair pair = state.namedPair();
    const auto nodes = [&](int step) -> qint64 {
        return static_cast<std::size_t>(step) < timeline->nodeCounts.size()
                   ? static_cast<qint64>(timeline->nodeCounts[static_cast<std::size_t>(step)])
                   : 0;
    };
    const bool hidden = state.predict() && pair.b > b;
    QString counts = hidden ? tr("%1 → ? nodes").arg(text::count(nodes(pair.a)))
                            : tr("%1 → %2 nodes").arg(text::count(nodes(pair.a)), text::count(nodes(pair.b)));
    QString what = tr("Step %1 → step %2").arg(pair.a).arg(pair.b);
    const qint64 written =
        hidden ? nodes(pair.b) : static_cast<qint64>(writtenNodes(*state.graphAt(pair.b)));
    if (written != nodes(pair.b)) {
        counts = tr("%1, %2 as standard operators", "a number of nodes").arg(counts, text::count(written));
        what += QLatin1Char('\n') + tr("A fused node counts as one; exported as standard operators "
                                       "it is the operators that it stands for.");
    }
    m_statusNodes->setText(counts);
    m_statusNodes->setToolTip(text::toolTip(what));
}

// A verdict shows only for its own pair; AppState drops it when the plan or the inputs change.
void MainWindow::updateVerdict()
{
    const auto* result = currentComparison(*m_state);
    Tone tone = Tone::neutral;
    QString words = tr("Not compared");
    if (result && result->divergence && result->divergence->step) {
        words = QStringLiteral("✗ ") + tr("Differs from step %1 on").arg(*result->divergence->step);
        tone = Tone::removed;
    } else if (result &&
        result->comparison.status != VerificationStatus::notRun) {
        double most = 0;
        for (const TensorComparison& tensor : result->comparison.outputs) {
            if (!(tensor.maxAbs <= most))
                most = tensor.maxAbs;
        }
        const QString delta = tr("max |Δ| %1").arg(text::scientific(most));
        if (result->comparison.status == VerificationStatus::fail) {
            words = QStringLiteral("✗ ") + tr("Before and after differ, %1").arg(delta);
            tone = Tone::removed;
        } else {
            words = QStringLiteral("✓ ") + tr("Before and after agree, %1").arg(delta);
            tone = Tone::added;
            if (result->comparison.status == VerificationStatus::partial)
                words += tr(" (in part)");
        }
    }
    m_statusVerdict->setText(words);
    QPalette palette = statusBar()->palette();
    palette.setColor(QPalette::WindowText,
                     tone == Tone::removed ? theme().ink(tone) : theme().color(Token::text2));
    m_statusVerdict->setPalette(palette);
    for (QLabel* label : {m_statusText, m_statusNodes, m_statusZoom}) {
        QPalette plain = label->palette();
        plain.setColor(QPalette::WindowText, theme().color(Token::text2));
        label->setPalette(plain);
    }
}

void MainWindow::rememberVerdicts()
{
    if (!m_state->hasModel())
        return;
    const QString path = QFile::decodeName(QByteArray::fromStdString(m_state->session()->path()));
    if (m_state->isFinished()) {
        int legality = 0;
        for (const Blocked& row : m_state->timeline()->blocked)
            legality += row.miss.reasons.empty() || row.miss.reasons.front().kind() == ReasonKind::legality;
        m_recent->setBlocked(path, legality);
    }
    if (const auto& result = m_state->compareResult())
        m_recent->setDiffers(path, result->comparison.status == VerificationStatus::fail);
}

void MainWindow::showLog(const LogEntry& entry)
{
    // Notes without a button stand in Messages and the status bar only.
    if (entry.level == NoticeLevel::info && !entry.action) {
        m_statusText->setText(text::oneLine(entry.text));
        return;
    }
    Notice notice;
    notice.id = QString::number(++m_nextNotice);
    notice.level = entry.level;
    notice.text = entry.text;
    const auto add = [&](const QString& id, const QString& words, std::function<void()> action) {
        notice.actions << NoticeAction{id, words};
        m_noticeActions[notice.id + QLatin1Char('/') + id] = std::move(action);
    };
    if (entry.action && !entry.actionText.isEmpty())
        add(QStringLiteral("action"), entry.actionText, entry.action);
    if (entry.node)
        add(QStringLiteral("node"), tr("Show Node"), [this, node = entry.node] { m_state->goTo(node); });
    m_bar->post(notice);
}

void MainWindow::showZoom(double zoom)
{
    const double percent = zoom * 100;
    // "0 %" says nothing: below 2 % a decimal stands.
    const QString words = QStringLiteral("%1 %").arg(
        percent < 2 ? QLocale().toString(percent, 'f', percent < 0.1 ? 2 : 1)
                    : QString::number(std::lround(percent)));
    if (m_statusZoom)
        m_statusZoom->setText(words);
    if (m_zoomBox && !m_zoomBox->lineEdit()->isModified())
        m_zoomBox->setCurrentText(m_graph->isFitted() ? tr("Fit") : words);
}

} // namespace fusescope
