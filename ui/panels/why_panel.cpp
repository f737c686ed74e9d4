#include "ui/panels/why_panel.h"

#include "report/render.h"
#include "session/catalog.h"
#include "session/node_story.h"
#include "session/pair_story.h"
#include "ui/names.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/verdict_strip.h"
#include "ui/panels/why_fused.h"
#include "ui/panels/why_parts.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"

#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace fusescope {

namespace {

struct ToldPair
{
    PairExplanation pair;
    int step; // of the graph that it is about
};

} // namespace

WhyPanel::WhyPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this)),
      m_stack(new QStackedWidget(this))
{
    setAccessibleName(tr("Why not fused?"));
    m_empty->setContent(QStringLiteral("why"), tr("Nothing selected"),
                        tr("Select two nodes to ask why they were not fused. Ctrl+click selects "
                           "the second."));
    auto* content = new QWidget;
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(0, space::cell, 0, space::cell);
    m_layout->setSpacing(space::glyph);
    m_stack->addWidget(m_empty);
    QScrollArea* area = parts::scroll(content, this);
    // A long name that cannot be broken is scrolled to, not cut.
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_stack->addWidget(area);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    for (const auto signal :
         {&AppState::sessionChanged, &AppState::cursorChanged, &AppState::selectionChanged,
          &AppState::planChanged, &AppState::predictChanged})
        connect(&state, signal, this, &WhyPanel::refresh);
    connect(&state, &AppState::timelineChanged, this, [this] {
        if (this->state().isFinished())
            refresh();
    });
}

void WhyPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    if (m_stale)
        refresh();
}

void WhyPanel::refresh()
{
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    m_stale = false;
    m_verdict.clear();
    parts::clear(m_layout);
    const NodeId a = state().selected();
    const NodeId b = state().secondSelected();
    if (!a || !state().hasModel()) {
        m_stack->setCurrentIndex(0);
        return;
    }
    m_stack->setCurrentIndex(1);
    addChip(u'A', a);
    if (b)
        addChip(u'B', b);
    m_fusions.clear();
    m_removal = {};
    if (!b)
        m_fusions = fusionsOf(*state().timeline(), a);
    else if (const PairStep decided = pairStep(*state().timeline(), a, b); decided.number > 0)
        m_fusions = {decided.number};
    if (b && !m_fusions.empty()) {
        const PairStory story = pairStory(*state().timeline(), a, b);
        if (story.answer == PairStory::Answer::removed)
            m_removal = story.message;
    }
    addFusions();
    if (b && !m_fusions.empty()) {
        m_layout->addStretch(1);
        return;
    }
    const int step = stepOf(a, b ? b : a);
    if (step < 0) {
        addVerdict(Mark::info, Tone::neutral, tr("They never stand in one graph"),
                   tr("One of them is gone before the other appears."));
        m_layout->addStretch(1);
        return;
    }
    m_step = step;
    ask(a, b, step);
}

// The step told above that did what is refused here: an earlier one had to make room for it.
int WhyPanel::fusedBy(const Explanation& explanation) const
{
    for (const int fused : m_fusions) {
        const Step& step = *state().timeline()->steps[static_cast<std::size_t>(fused - 1)];
        if (fused > m_step && step.rule == explanation.rule && step.root == explanation.root &&
            !(state().predict() && fused > state().b()))
            return fused;
    }
    return 0;
}

// What becomes of a candidate for which all conditions hold.
QString WhyPanel::fateOf(const Explanation& explanation) const
{
    const QString rule = names::rule(state(), explanation.rule);
    if (state().predict())
        return tr("%1 can be done. What is done lies beyond step %2.").arg(rule).arg(state().b());
    const Timeline& timeline = *state().timeline();
    if (const int done = stepAtRoot(timeline, explanation.rule, explanation.root, m_step)) {
        const Step& step = *timeline.steps[static_cast<std::size_t>(done - 1)];
        return (step.state == StepState::skipped ? tr("%1 would do it at step %2, which is skipped.")
                                                 : tr("%1 does it at step %2."))
            .arg(rule)
            .arg(done);
    }
    for (const NodeId node : {explanation.root, state().selected()}) {
        if (const int taken = stepThatTakes(timeline, node, m_step))
            return tr("%1 could have done it, but step %2 took the node before: %3.")
                .arg(rule)
                .arg(taken)
                .arg(state().sentence(timeline.steps[static_cast<std::size_t>(taken - 1)]->title,
                                      state().graphAt(taken - 1).get()));
    }
    return timeline.finished ? tr("%1 could do it, but the steps end before.").arg(rule)
                             : tr("%1 can do it; the passes are still running.").arg(rule);
}

int WhyPanel::stepOf(NodeId a, NodeId b) const
{
    const UnionGraph& all = state().timeline()->unionGraph;
    const Lifespan* first = all.lifespan(a);
    const Lifespan* second = all.lifespan(b);
    if (!first || !second)
        return -1;
    const int end = state().stepCount();
    const int from = std::max(first->first, second->first);
    const int to = std::min(first->last < 0 ? end : first->last,
                            second->last < 0 ? end : second->last);
    return from > to ? -1 : std::clamp(state().b(), from, to);
}

void WhyPanel::addFusions()
{
    for (const int fused : m_fusions) {
        if (state().predict() && fused > state().b()) {
            addVerdict(Mark::predicted, Tone::neutral, tr("Guess first"),
                       tr("The answer lies beyond step %1.").arg(state().b()));
            break;
        }
        const Step& rewrite = *state().timeline()->steps[static_cast<std::size_t>(fused - 1)];
        const auto graph = state().graphAt(fused - 1);
        if (m_removal)
            addVerdict(Mark::info, Tone::neutral, tr("Taken away at step %1").arg(fused),
                       state().sentence(m_removal, graph.get()));
        else
            addVerdict(Mark::tick, Tone::added, tr("Fused at step %1").arg(fused),
                       state().sentence(rewrite.title, graph.get()));
        addLink(tr("Show step %1").arg(fused), [this, fused] { state().goToStep(fused); });
    }
}

void WhyPanel::ask(NodeId a, NodeId b, int step)
{
    if (m_fusions.empty())
        addVerdict(Mark::info, Tone::neutral, tr("Looking at the conditions…"), {});
    const auto clearAnswer = [this, a, b] {
        if (state().selected() != a || state().secondSelected() != b)
            return false;
        parts::clear(m_layout);
        addChip(u'A', a);
        if (b)
            addChip(u'B', b);
        addFusions();
        return true;
    };
    const auto failed = [this](const Error& error) {
        if (error.code != ErrorCode::cancelled)
            state().notifyError(error);
    };
    if (b) {
        const bool guessing = state().predict();
        state().jobs().start<ToldPair>(
            JobKind::explain, tr("Looking at the conditions"),
            [session = state().session(), timeline = state().timeline(), step, a, b,
             guessing](std::stop_token, const Progress&) {
                ToldPair told{session->explainPair(*timeline, step, a, b), step};
                using Says = PairExplanation::Answer;
                if (guessing || (told.pair.answer != Says::legal &&
                                 told.pair.answer != Says::noPattern))
                    return Result<ToldPair>(std::move(told));
                // What the whole run says: why it was not done, or what they became parts of.
                const PairStory story = pairStory(*timeline, a, b);
                if (told.pair.answer == Says::legal) {
                    told.pair.message = story.message;
                } else if (story.answer != PairStory::Answer::noPattern) {
                    told = {story.asked, story.state};
                    told.pair.note = story.note;
                }
                return Result<ToldPair>(std::move(told));
            },
            [this, clearAnswer, failed](Result<ToldPair> told) {
                if (!told)
                    failed(told.error());
                else if (clearAnswer())
                    showPair(told->pair, *state().graphAt(told->step));
            },
            true);
        return;
    }
    state().jobs().start<NodeStory>(
        JobKind::explain, tr("Looking at the conditions"),
        [session = state().session(), timeline = state().timeline(), step, a,
         guessing = state().predict()](std::stop_token, const Progress&) {
            if (guessing) // what later steps refuse is not told
                return Result<NodeStory>({step, session->explain(*timeline, step, a)});
            return Result<NodeStory>(nodeStory(*session, *timeline, step, a));
        },
        [this, clearAnswer, failed](Result<NodeStory> story) {
            if (!story) {
                failed(story.error());
            } else if (clearAnswer()) {
                m_step = story->state;
                showNode(story->answers, *state().graphAt(story->state));
            }
        },
        true);
}

void WhyPanel::showPair(const PairExplanation& answer, const Graph& graph)
{
    const QString note = answer.note ? state().sentence(answer.note, &graph) : QString();
    if (answer.answer == PairExplanation::Answer::noPattern)
        addVerdict(Mark::info, Tone::neutral, tr("No pattern covers this pair"),
                   state().sentence(answer.message, &graph));
    if (!note.isEmpty())
        m_layout->addWidget(paddedLabel(note, Token::text2, this));
    Explanation nearest = answer.nearest;
    if (answer.answer == PairExplanation::Answer::noPattern &&
        nearest.status == Explanation::Status::legal) {
        nearest.status = Explanation::Status::noCandidate; // of other nodes than these two
        nearest.conditions.clear();
    }
    if (!nearest.rule.empty())
        addExplanation(nearest, graph, state().sentence(answer.message, &graph));
    m_layout->addStretch(1);
}

void WhyPanel::showNode(const std::vector<Explanation>& answers, const Graph& graph)
{
    if (answers.empty() && m_fusions.empty())
        addVerdict(Mark::info, Tone::neutral, tr("No pattern begins or ends here"),
                   tr("No rule looks for this operator with these neighbours."));
    for (std::size_t i = 0; i < answers.size(); ++i) {
        // What all conditions hold for and a step did is told above.
        const bool told = answers[i].status == Explanation::Status::legal && !m_fusions.empty();
        if (told)
            continue;
        if (i > 0 || !m_fusions.empty())
            m_layout->addWidget(new Rule(this));
        addExplanation(answers[i], graph);
    }
    m_layout->addStretch(1);
}

void WhyPanel::addChip(QChar letter, NodeId node)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(space::section, 0, space::section, 0);
    layout->setSpacing(space::control);
    layout->addWidget(new LetterBadge(letter, row));
    auto* op = new PlainLabel(text::oneLine(names::operatorOf(state(), node)), Token::text,
                              TextScale::normal, true, row);
    op->setWordWrap(false);
    layout->addWidget(op);
    const Node* record = state().timeline()->unionGraph.lastRecord(node);
    auto* link = new LinkLabel(record && record->name.empty() ? names::besideOperator(state(), node)
                                                              : names::whole(state(), node),
                               true, row);
    connect(link, &QAbstractButton::clicked, this, [this, node] {
        const NodeId first = state().selected();
        const NodeId second = state().secondSelected();
        state().goTo(node);
        // Looking at one of a pair keeps the pair.
        if (second) {
            state().select(first);
            state().selectSecond(second);
        }
    });
    layout->addWidget(link, 1);
    m_layout->addWidget(row);
}

void WhyPanel::addVerdict(Mark mark, Tone tone, const QString& headline, const QString& sentence)
{
    if (m_verdict.isEmpty() || m_verdict.endsWith(QChar(0x2026)))
        m_verdict = headline;
    m_layout->addWidget(verdictBox(mark, tone, headline, sentence, this));
}

void WhyPanel::addExplanation(const Explanation& explanation, const Graph& graph,
                              const QString& whenLegal)
{
    const QString rule = names::rule(state(), explanation.rule);
    QList<ConditionText> conditions = conditionsToTell(state(), explanation.conditions, graph);
    if (conditions.isEmpty() && explanation.miss)
        conditions = conditionsToTell(state(), *explanation.miss, graph);
    const auto total = static_cast<int>(conditions.size());
    const auto failing = static_cast<int>(
        std::count_if(conditions.begin(), conditions.end(),
                      [](const ConditionText& one) { return !one.holds; }));
    const int lifted = explanation.status == Explanation::Status::blocked ? fusedBy(explanation) : 0;
    switch (explanation.status) {
    case Explanation::Status::blocked: {
        const bool hasReasons = explanation.miss && !explanation.miss->reasons.empty();
        const ReasonKind kind = hasReasons ? explanation.miss->reasons.front().kind()
                                           : ReasonKind::legality;
        const QString sentence = hasReasons
            ? state().sentence(explanation.miss->reasons.front().message, &graph) : QString();
        const QString headline = total == 1 ? tr("Blocked: its one condition fails")
                                            : tr("Blocked: %n of %1 conditions fail", nullptr, failing).arg(total);
        if (lifted)
            addVerdict(Mark::info, Tone::neutral,
                       tr("Not yet at step %1: step %2 does it").arg(m_step).arg(lifted), sentence);
        else if (kind == ReasonKind::legality)
            addVerdict(Mark::blocked, Tone::blocked, headline, sentence);
        else if (kind == ReasonKind::profit)
            addVerdict(Mark::profit, Tone::neutral, tr("Legal, but it would not pay"), sentence);
        else
            addVerdict(Mark::policy, Tone::neutral, tr("Legal, but asked not to be done"), sentence);
        break;
    }
    case Explanation::Status::legal:
        addVerdict(Mark::tick, Tone::accent, tr("All conditions hold"),
                   whenLegal.isEmpty() ? fateOf(explanation) : whenLegal);
        break;
    case Explanation::Status::disabled:
        addVerdict(Mark::info, Tone::accent, tr("%1 would fuse it and is off").arg(rule),
                   tr("Switch the pass on in Steps > Passes."));
        addLink(tr("Passes…"), [this] { actions()[Act::passes]->trigger(); });
        break;
    case Explanation::Status::noCandidate:
        break;
    }
    m_layout->addWidget(
        ruleLine(rule, parts::str(explanation.rule), this));
    for (const ConditionText& one : std::as_const(conditions))
        m_layout->addWidget(new ConditionLine(one.holds, one.sentence, one.saw, this));
    if (explanation.miss && !lifted)
        addFixes(*explanation.miss, graph);
}

void WhyPanel::addFixes(const MissReason& miss, const Graph& graph)
{
    bool titled = false;
    for (const Reason& reason : miss.reasons) {
        if (!reason.unblock)
            continue;
        if (!titled) {
            m_layout->addWidget(new Rule(this));
            m_layout->addWidget(paddedLabel(tr("What would unblock it"), Token::text, this, true));
            titled = true;
        }
        m_layout->addWidget(
            paddedLabel(state().sentence(reason.unblock, &graph), Token::text, this));
        if (!reason.fix)
            continue;
        const Fix fix = *reason.fix;
        auto* button = new QPushButton(icon(QStringLiteral("wrench"), Token::blocked),
                                       text::label(names::fixButton(state(), fix)), this);
        button->setAccessibleName(names::fixText(state(), fix));
        button->setToolTip(text::toolTip(names::fixText(state(), fix)));
        connect(button, &QPushButton::clicked, this, [this, fix] { state().applyFix(fix); });
        auto* row = new QWidget(this);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(space::section, 0, space::section, 0);
        layout->addWidget(button);
        auto* warning = new PlainLabel(names::fixWarning(fix), Token::changedInk,
                                       TextScale::normal, false, row);
        layout->addWidget(warning, 1);
        m_layout->addWidget(row);
    }
}

void WhyPanel::addLink(const QString& words, std::function<void()> action)
{
    auto* link = new LinkLabel(words, false, this);
    connect(link, &QAbstractButton::clicked, this, std::move(action));
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(space::section, 0, space::section, 0);
    layout->addWidget(link);
    layout->addStretch(1);
    m_layout->addWidget(row);
}

} // namespace fusescope
