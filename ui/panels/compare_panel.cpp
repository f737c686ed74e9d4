#include "ui/panels/compare_panel.h"

#include "session/safe_fixes.h"
#include "ui/panels/compare_rows.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/verdict_strip.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/verdict.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/log_chart.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace fusescope {

ComparePanel::ComparePanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this)),
      m_stack(new QStackedWidget(this)), m_model(new QStandardItemModel(this))
{
    setAccessibleName(tr("Compare"));
    auto* result = new QWidget(m_stack);
    auto* column = new QVBoxLayout(result);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeStrip());
    const parts::Rows rows = parts::makeRows(m_model, true, tr("Compared tensors"), this);
    m_table = rows.view;
    column->addWidget(m_table, 1);
    m_table->viewport()->installEventFilter(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(result);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(m_empty, &EmptyState::buttonClicked, actions[Act::compare], &QAction::trigger);
    connect(rows.delegate, &RowDelegate::linkActivated, this, &ComparePanel::activate);
    connect(m_table, &QTreeView::activated, this, &ComparePanel::activate);
    for (const auto signal :
         {&AppState::sessionChanged, &AppState::cursorChanged, &AppState::compareChanged,
          &AppState::inputsChanged, &AppState::planChanged})
        connect(&state, signal, this, &ComparePanel::refresh);
    connect(&state, &AppState::timelineChanged, this, [this] {
        if (m_compareAgain && this->state().isFinished()) {
            m_compareAgain = false;
            const int end = this->state().stepCount();
            this->state().setB(m_againAtEnd ? end : std::min(m_againPair.b, end));
            if (m_againPair.a > 0)
                this->state().setA(m_againPair.a);
            else
                this->state().setA(std::nullopt);
            this->state().runAndCompare();
        }
        if (!showsResult())
            refresh();
    });
    connect(&theme(), &Theme::changed, this, &ComparePanel::refresh);
    const auto ofCompare = [this](JobKind kind) {
        if (kind == JobKind::compare)
            refresh();
    };
    connect(&state.jobs(), &Jobs::started, this, ofCompare);
    connect(&state.jobs(), &Jobs::finished, this, ofCompare);
    refresh();
}

QWidget* ComparePanel::makeStrip()
{
    m_strip = new VerdictStrip(this);
    m_headline = new PlainLabel({}, Token::text, TextScale::verdict, true, m_strip);
    m_sentence = new PlainLabel({}, Token::text, TextScale::normal, false, m_strip);
    // One line: where it does not fit its middle goes, and the tool tip has all of it.
    m_terms = new ElidedLabel({}, m_strip);
    m_terms->setLook(TextScale::small, false, false);
    m_terms->setToken(Token::text2);
    const auto button = [this](const QString& words) {
        auto* made = new QPushButton(text::label(words), m_strip);
        made->setAccessibleName(words);
        return made;
    };
    m_run = button(tr("Run & Compare"));
    m_find = button(tr("Find First Divergence"));
    m_open = button(tr("Open Step"));
    m_skip = button(tr("Skip It and Compare Again"));
    m_set = button(tr("Set…"));
    m_set->setToolTip(text::toolTip(tr("Give the inputs and the sizes that were assumed")));
    m_chart = new LogChart(m_strip);
    m_chart->setAccessibleName(tr("Largest difference after each tested step"));
    m_chart->setMinimumWidth(260);
    auto* left = new QVBoxLayout;
    left->setSpacing(2);
    left->addWidget(m_headline);
    left->addWidget(m_sentence);
    left->addWidget(m_terms);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(space::control);
    for (QPushButton* one : {m_open, m_skip, m_find, m_run, m_set})
        buttons->addWidget(one);
    buttons->addStretch(1);
    left->addLayout(buttons);
    auto* row = new QHBoxLayout(m_strip);
    row->setContentsMargins(space::section + 20, space::cell, space::section, space::cell);
    row->addLayout(left, 3);
    row->addWidget(m_chart, 2);
    m_strip->setMarkBeside(m_headline);
    connect(m_run, &QPushButton::clicked, actions()[Act::compare], &QAction::trigger);
    connect(m_find, &QPushButton::clicked, actions()[Act::divergence], &QAction::trigger);
    connect(m_set, &QPushButton::clicked, actions()[Act::inputs], &QAction::trigger);
    connect(m_open, &QPushButton::clicked, this, [this] {
        const auto& result = state().compareResult();
        if (result && result->divergence && result->divergence->step) {
            state().setB(*result->divergence->step);
            state().setMode(GraphMode::overlay);
        }
    });
    connect(m_skip, &QPushButton::clicked, this, [this] {
        const auto& result = state().compareResult();
        if (!result || !result->divergence || !result->divergence->step)
            return;
        m_compareAgain = true;
        m_againPair = result->pair; // not what the way to the step left
        m_againAtEnd = result->pair.b == state().stepCount();
        const int step = *result->divergence->step;
        state().skipStep(step);
    });
    connect(m_chart, &LogChart::stepClicked, this, [this](int step) { state().setB(step); });
    return m_strip;
}

QString ComparePanel::headline() const
{
    return m_headline->text();
}

bool ComparePanel::showsResult() const
{
    return currentComparison(state()) != nullptr;
}

void ComparePanel::refresh()
{
    const auto& result = state().compareResult();
    if (!showsResult()) {
        m_stack->setCurrentIndex(0);
        const StepPair pair = state().namedPair();
        if (!state().hasModel())
            m_empty->setContent(QStringLiteral("run"), tr("Not compared yet"),
                                tr("Press F9 to run the model before and after on the same "
                                   "inputs."));
        else if (state().jobs().isRunning(JobKind::compare))
            m_empty->setContent(QStringLiteral("run"), tr("Comparing…"), {});
        else
            m_empty->setContent(
                QStringLiteral("run"), tr("Not compared yet"),
                tr("Press F9 to run %1 and %2 on the same inputs.")
                    .arg(parts::stepName(pair.a), parts::stepName(pair.b)),
                tr("Run & Compare"));
        Q_EMIT badgeChanged({}, Tone::neutral);
        return;
    }
    m_stack->setCurrentIndex(1);
    refreshStrip(*result);
    refreshTable(*result);
}

void ComparePanel::refreshStrip(const AppState::CompareResult& result)
{
    const Comparison& comparison = result.comparison;
    const Graph* graph = state().graphAt(result.pair.b).get();
    const auto total = static_cast<int>(comparison.outputs.size());
    const auto failed = static_cast<int>(
        std::count_if(comparison.outputs.begin(), comparison.outputs.end(),
                      [](const TensorComparison& one) { return !one.pass; }));
    double worst = 0;
    Tolerance tolerance;
    for (const TensorComparison& one : comparison.outputs) {
        worst = one.maxAbs > worst || one.maxAbs != one.maxAbs ? one.maxAbs : worst;
        tolerance = one.tolerance;
    }
    const bool diverges = result.divergence && result.divergence->step;
    const bool pass = comparison.status == VerificationStatus::pass;
    const bool partial = comparison.status == VerificationStatus::partial;
    QString headline;
    if (diverges)
        headline = tr("First diverges at step %1").arg(*result.divergence->step);
    else if (comparison.status == VerificationStatus::notRun)
        headline = tr("Not compared");
    else if (failed > 0 || comparison.status == VerificationStatus::fail)
        headline = total == 1 ? tr("The output differs")
                              : tr("%n of %1 outputs differ", nullptr, failed).arg(total);
    else if (partial)
        headline = tr("All that could run agrees");
    else
        headline = tr("Before and after agree");
    // What a fix or an edit of the plan is meant to change is no fault of a rewrite; what differs only
    // from a later step on is.
    const int meant = lastMeaningChange(*state().timeline());
    const bool isMeant = result.pair.a < meant && meant <= result.pair.b &&
                         (diverges ? *result.divergence->step <= meant : failed > 0);
    const bool good = (pass || partial) && !diverges;
    const bool notRun = comparison.status == VerificationStatus::notRun && !diverges;
    const Mark mark = notRun ? Mark::info : partial || isMeant ? Mark::warning : good ? Mark::tick : Mark::cross;
    const Tone tone = notRun ? Tone::neutral : partial || isMeant ? Tone::changed
                      : good ? Tone::added : Tone::removed;
    m_headline->setText(headline);
    m_strip->setVerdict(mark, tone, headline);
    QStringList sentence;
    if (diverges) {
        const int step = *result.divergence->step;
        const Step& culprit = *state().timeline()->steps[static_cast<std::size_t>(step - 1)];
        sentence << tr("%1.").arg(
            state().sentence(culprit.title, state().graphAt(step - 1).get()));
        if (const auto moved = worstAround(result))
            sentence << tr("That raises max |Δ| from %1 to %2.")
                            .arg(text::scientific(moved->first), text::scientific(moved->second));
        if (step - 1 > result.pair.a)
            sentence << tr("Steps %1–%2 agree.").arg(result.pair.a + 1).arg(step - 1);
        sentence << (total > 0 ? tr("Compared: %1, max |Δ| %2.").arg(parts::pairName(result.pair.a, result.pair.b),
                                                           text::scientific(worst))
                               : tr("Compared: %1.").arg(parts::pairName(result.pair.a, result.pair.b)));
    } else if (total > 0) {
        sentence << tr("Compared: %1, max |Δ| %2.").arg(parts::pairName(result.pair.a, result.pair.b),
                                              text::scientific(worst));
    }
    if (result.divergence && !diverges)
        sentence << tr("After step %1 the outputs agree within the tolerance, so no step before it was "
                       "tested.")
                        .arg(result.pair.b);
    if (isMeant)
        sentence << tr("Step %1 is meant to change what the model computes: compare from there on to test "
                       "the rewrites.")
                        .arg(meant);
    if (comparison.why)
        sentence << state().sentence(comparison.why, graph);
    if (comparison.top1Agreement >= 0)
        sentence << tr("Top-1 agrees in %1 %, top-5 in %2 % of %3 samples.")
                        .arg(comparison.top1Agreement * 100, 0, 'f', 1)
                        .arg(comparison.top5Agreement * 100, 0, 'f', 1)
                        .arg(comparison.samples);
    m_sentence->setText(sentence.join(QStringLiteral(" ")));
    m_sentence->setVisible(!sentence.isEmpty());
    QString inputs = tr("seed %1").arg(comparison.seed);
    if (!comparison.dataSet.empty())
        inputs = tr("%1, sizes and integers of %2")
                     .arg(inputs, QFileInfo(QFile::decodeName(comparison.dataSet.c_str())).fileName());
    for (const auto& [symbol, size] : comparison.assumedDims)
        inputs = tr("%1, %2").arg(inputs, tr("assumed %1 = %2").arg(parts::str(symbol)).arg(size));
    QString line = tr("Inputs: %1. ").arg(inputs);
    // Exported files and tests name the two numbers; people are told what they are taken of.
    if (total > 0 && tolerance.atol > 0)
        line += tr("Tolerance: max |Δ| up to %1 of the output's largest value (rtol), plus %2 (atol). ")
                    .arg(text::scientific(tolerance.rtol), text::scientific(tolerance.atol));
    else if (total > 0)
        line += tr("Tolerance: max |Δ| up to %1 of the output's largest value (rtol). ")
                    .arg(text::scientific(tolerance.rtol));
    if (!comparison.executor.empty())
        line += tr("Executor: %1, %2 before, %3 after.")
                    .arg(parts::str(comparison.executor), text::milliseconds(comparison.beforeMs),
                         text::milliseconds(comparison.afterMs));
    m_terms->setText(line);
    m_find->setVisible(failed > 0 && !result.divergence);
    m_open->setVisible(diverges && state().b() != *result.divergence->step);
    m_skip->setVisible(diverges);
    if (diverges)
        m_open->setText(tr("Open Step %1").arg(*result.divergence->step));
    m_set->setVisible(true);
    m_run->setVisible(!diverges);
    m_chart->setVisible(result.divergence.has_value());
    if (result.divergence) {
        QList<LogChart::Point> points;
        for (const auto& [step, value] : result.divergence->tested)
            points.push_back({step, value, !diverges || step < *result.divergence->step});
        std::sort(points.begin(), points.end(),
                  [](const auto& a, const auto& b) { return a.step < b.step; });
        m_chart->setPoints(points, result.pair.b,
                           std::max(result.divergence->tolerance.atol,
                                    result.divergence->tolerance.rtol),
                           result.divergence->step.value_or(-1));
    }
    if (total == 0)
        Q_EMIT badgeChanged({}, Tone::neutral);
    else if (failed > 0)
        Q_EMIT badgeChanged(failed == 1 ? tr("%1 of %2 fails").arg(failed).arg(total)
                                      : tr("%1 of %2 fail").arg(failed).arg(total), Tone::removed);
    else
        Q_EMIT badgeChanged(QStringLiteral("%1/%2").arg(total).arg(total), tone);
}

void ComparePanel::addGroup(const QString& title, std::vector<TensorComparison> tensors)
{
    if (tensors.empty())
        return;
    sortWorstFirst(tensors);
    QStandardItem* heading = parts::item(title);
    heading->setData(true, EmphasisRole);
    m_model->appendRow(heading);
    m_table->setFirstColumnSpanned(m_model->rowCount() - 1, {}, true);
    for (const TensorComparison& one : tensors)
        m_model->appendRow(compareRow(one, state().sentence(one.why, nullptr)));
}

void ComparePanel::refreshTable(const AppState::CompareResult& result)
{
    m_model->clear();
    m_model->setHorizontalHeaderLabels(compareHeader());
    m_model->setHeaderData(4, Qt::Horizontal,
                           text::toolTip(tr("The largest difference relative to the element itself. "
                                            "Near zero it grows without meaning much: the verdict "
                                            "takes max |Δ| against the output's largest value.")),
                           Qt::ToolTipRole);
    std::vector<TensorComparison> outputs = result.comparison.outputs;
    const auto graph = state().graphAt(result.pair.b);
    for (TensorComparison& output : outputs) {
        for (const ValueId id : graph->body(graph->mainBody())->outputs) {
            if (!output.value && graph->value(id)->name == output.name)
                output.value = id;
        }
    }
    addGroup(tr("Outputs"), std::move(outputs));
    addGroup(tr("Intermediates that exist on both sides, worst first"),
             result.comparison.intermediates);
    for (const int column : {3, 5, 6, 7, 8, 9}) // the words, where they are cut
        m_model->setHeaderData(column, Qt::Horizontal,
                               m_model->headerData(column, Qt::Horizontal), Qt::ToolTipRole);
    QHeaderView* header = m_table->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(20);
    header->setTextElideMode(Qt::ElideRight);
    fitColumns();
}

// All columns stand in sight as long as there is room for the least of each; what is cut then has
// its whole text as a tool tip. The name takes what is left over.
void ComparePanel::fitColumns()
{
    constexpr int count = 10, name = 1;
    constexpr int least[count] = {34, 100, 90, 96, 66, 74, 96, 62, 62, 60};
    constexpr int wanted[count] = {34, 200, 120, 120, 80, 80, 120, 80, 80, 80};
    QHeaderView* header = m_table->header();
    if (header->count() != count)
        return;
    int hints[count], leastSum = 0, hintSum = 0;
    for (int column = 0; column < count; ++column) {
        hints[column] = std::max(wanted[column],
                                 column == name ? 0 : header->sectionSizeHint(column));
        leastSum += least[column];
        hintSum += hints[column];
    }
    const double room = m_table->viewport()->width() - leastSum;
    const double share = std::clamp(room / (hintSum - leastSum), 0.0, 1.0);
    header->setSectionResizeMode(QHeaderView::Interactive);
    for (int column = 0; column < count; ++column)
        header->resizeSection(column, least[column] + static_cast<int>(
                                          share * (hints[column] - least[column])));
    if (room > 0)
        header->setSectionResizeMode(name, QHeaderView::Stretch);
}

bool ComparePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitColumns();
    return Panel::eventFilter(watched, event);
}

void ComparePanel::activate(const QModelIndex& index)
{
    const ValueId value{index.data(ValueOfRow).toUInt()};
    if (value)
        state().goTo(Subject(value));
}

} // namespace fusescope
