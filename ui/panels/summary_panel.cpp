#include "ui/panels/summary_panel.h"

#include "session/catalog.h"
#include "session/gains.h"
#include "session/written_nodes.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/empty_state.h"

#include <QHeaderView>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <set>

namespace fusescope {

namespace {

constexpr int patience = 120;
constexpr std::size_t keptFigures = 64;

QString capital(QString words)
{
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words;
}

} // namespace

SummaryPanel::SummaryPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this)),
      m_stack(new QStackedWidget(this)), m_operators(new QStandardItemModel(this)),
      m_figures(new QStandardItemModel(this))
{
    setAccessibleName(tr("Summary"));
    sayWhyEmpty();
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    m_operatorView = parts::makeRows(m_operators, true, tr("Operators"), splitter).view;
    m_figureView = parts::makeRows(m_figures, true, tr("Whole model"), splitter).view;
    splitter->addWidget(m_operatorView);
    splitter->addWidget(m_figureView);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_late.setSingleShot(true);
    m_late.setInterval(patience);
    connect(&m_late, &QTimer::timeout, this, &SummaryPanel::request);
    for (const auto signal : {&AppState::sessionChanged, &AppState::timelineChanged,
                              &AppState::cursorChanged, &AppState::profileChanged,
                              &AppState::predictChanged})
        connect(&state, signal, &m_late, qOverload<>(&QTimer::start));
    connect(&state, &AppState::sessionChanged, this, [this] {
        m_known.clear();
        sayWhyEmpty();
    });
    connect(&theme(), &Theme::changed, this, &SummaryPanel::request);
}

void SummaryPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    m_late.start();
}

// What the passes will make of the model is no figure to read while it is to be guessed.
bool SummaryPanel::isHidden(StepPair steps) const
{
    return state().predict() && steps.b > state().b();
}

void SummaryPanel::sayWhyEmpty()
{
    if (state().hasModel())
        m_empty->setContent(QStringLiteral("predict"), tr("Hidden while you predict"),
                            tr("What a step changes stands here once it is shown."));
    else
        m_empty->setContent(
            QStringLiteral("info"), tr("No model is open"),
            tr("Open a model: its operators and figures before and after stand here."));
    m_stack->setCurrentIndex(0);
}

void SummaryPanel::request()
{
    if (!state().hasModel() || !isVisible())
        return;
    if (isHidden(state().namedPair())) {
        sayWhyEmpty();
        return;
    }
    const TimelinePtr timeline = state().timeline();
    if (timeline->generation != m_generation) {
        m_known.clear();
        m_generation = timeline->generation;
    }
    const StepPair steps = state().namedPair();
    const auto before = m_known.find(steps.a);
    const auto after = m_known.find(steps.b);
    if (before != m_known.end() && after != m_known.end()) {
        fill(steps, {before->second, after->second});
        return;
    }
    state().jobs().start<Pair>(
        JobKind::figures, {},
        [session = state().session(), timeline, steps](std::stop_token stop,
                                                       const Progress&) -> Result<Pair> {
            Pair pair;
            pair.before = session->figures(*timeline, steps.a);
            if (stop.stop_requested())
                return cancelled();
            pair.after = session->figures(*timeline, steps.b);
            return pair;
        },
        [this, steps, generation = m_generation](Result<Pair> pair) {
            if (!pair || generation != m_generation)
                return;
            if (m_known.size() > keptFigures)
                m_known.clear();
            m_known[steps.a] = pair->before;
            m_known[steps.b] = pair->after;
            if (steps == state().namedPair() && !isHidden(steps))
                fill(steps, *pair);
        },
        true);
}

void SummaryPanel::fill(StepPair steps, const Pair& pair)
{
    m_stack->setCurrentIndex(1);
    const QString before = tr("Before, %1").arg(parts::stepName(steps.a));
    const QString after = tr("After, %1").arg(parts::stepName(steps.b));
    m_operators->clear();
    m_operators->setHorizontalHeaderLabels({tr("Operator"), before, after, tr("Change")});
    fillOperators(pair);
    m_figures->clear();
    m_figures->setHorizontalHeaderLabels({tr("Whole model"), before, after, tr("Change")});
    fillFigures(steps, pair);
    for (QTreeView* view : {m_operatorView, m_figureView}) {
        QHeaderView* header = view->header();
        header->setStretchLastSection(false);
        header->setSectionResizeMode(QHeaderView::Interactive);
        for (int column = 1; column < 4; ++column)
            header->resizeSection(column, column == 3 ? 80 : 130);
        header->setSectionResizeMode(0, QHeaderView::Stretch);
    }
}

void SummaryPanel::fillOperators(const Pair& pair)
{
    std::set<std::string> names;
    int most = 1;
    for (const ModelFigures* figures : {&pair.before, &pair.after}) {
        for (const auto& [name, count] : figures->operators) {
            names.insert(name);
            most = std::max(most, count);
        }
    }
    const auto countIn = [](const ModelFigures& figures, const std::string& name) {
        const auto found = figures.operators.find(name);
        return found == figures.operators.end() ? 0 : found->second;
    };
    std::vector<std::string> sorted(names.begin(), names.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
        return std::max(countIn(pair.before, a), countIn(pair.after, a))
               > std::max(countIn(pair.before, b), countIn(pair.after, b));
    });
    for (const std::string& name : sorted) {
        const int before = countIn(pair.before, name);
        const int after = countIn(pair.after, name);
        QStandardItem* title = parts::item(
            isRule(name) ? state().sentence(ruleName(name), nullptr) : parts::str(name));
        title->setData(title->text(), WholeTextRole);
        const auto counted = [most](int count, Token color) {
            QStandardItem* made = parts::item(text::count(count));
            made->setData(true, MonoRole);
            RowBars bars;
            bars.first = static_cast<double>(count) / most;
            bars.color = theme().color(color);
            made->setData(QVariant::fromValue(bars), BarsRole);
            return made;
        };
        QStandardItem* change = parts::number(text::signedCount(after - before));
        if (after != before)
            change->setData(QVariant::fromValue(after < before ? Tone::removed : Tone::added),
                            ToneRole);
        m_operators->appendRow(
            {title, counted(before, Token::edge), counted(after, Token::accent), change});
    }
}

void SummaryPanel::addFigure(const QString& name, const QString& before, const QString& after,
                             const QString& change)
{
    QStandardItem* last = parts::number(change);
    last->setData(true, EmphasisRole);
    m_figures->appendRow({parts::item(name), parts::number(before), parts::number(after), last});
}

void SummaryPanel::fillFigures(StepPair steps, const Pair& pair)
{
    const ModelFigures& a = pair.before;
    const ModelFigures& b = pair.after;
    const auto counted = [this](const QString& name, auto before, auto after) {
        addFigure(name, text::count(static_cast<qint64>(before)),
                  text::count(static_cast<qint64>(after)),
                  text::percentChange(static_cast<double>(before), static_cast<double>(after)));
    };
    const auto sized = [this](const QString& name, std::int64_t before, std::int64_t after) {
        addFigure(name, text::bytes(static_cast<quint64>(std::max<std::int64_t>(0, before))),
                  text::bytes(static_cast<quint64>(std::max<std::int64_t>(0, after))),
                  text::percentChange(static_cast<double>(before), static_cast<double>(after)));
    };
    counted(tr("Nodes"), a.nodes, b.nodes);
    const std::size_t writtenBefore = writtenNodes(*state().graphAt(steps.a));
    const std::size_t writtenAfter = writtenNodes(*state().graphAt(steps.b));
    if (writtenBefore != a.nodes || writtenAfter != b.nodes)
        counted(tr("Nodes as standard operators"), writtenBefore, writtenAfter);
    counted(tr("Initializers"), a.initializers, b.initializers);
    counted(tr("Parameters"), a.parameters, b.parameters);
    sized(tr("Stored constants"), a.bytes, b.bytes);
    const QString assumed = a.approximate || b.approximate ? tr(" (sizes assumed)") : QString();
    sized(tr("Activations written") + assumed, a.activationBytes, b.activationBytes);
    if (a.flops > 0 || b.flops > 0)
        addFigure(tr("FLOPs") + assumed, text::scaled(a.flops), text::scaled(b.flops),
                  text::percentChange(a.flops, b.flops));
    const auto& profile = state().profileResult();
    std::optional<std::pair<double, double>> medians;
    if (profile && profile->pair == steps && profile->report.plans.size() == 2) {
        medians.emplace(profile->report.plans[0].medianMs, profile->report.plans[1].medianMs);
        const PlanProfile& before = profile->report.plans[0];
        const PlanProfile& after = profile->report.plans[1];
        addFigure(capital(tr("time, %n thread(s)", nullptr, after.threads)),
                  text::milliseconds(before.medianMs), text::milliseconds(after.medianMs),
                  text::percentChange(before.medianMs, after.medianMs));
    }
    // What articles promise, beside what this model gained.
    for (const Gain& gain : gainsOf(a, b, medians)) {
        const QString name = gain.what == Gain::What::size
                                 ? tr("Size, as articles promise")
                             : gain.what == Gain::What::memory
                                 ? tr("Memory, as articles promise")
                                 : tr("Speed, as articles promise");
        const QString promised =
            QStringLiteral("%1 … %2").arg(text::percentChange(100, 100 + gain.from),
                                          text::percentChange(100, 100 + gain.to));
        addFigure(name, promised, gain.measured ? QString() : tr("not measured"),
                  gain.measured ? text::percentChange(100, 100 + *gain.measured) : QString());
    }
}

} // namespace fusescope
