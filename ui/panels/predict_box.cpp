#include "ui/panels/predict_box.h"

#include "ui/app_state.h"
#include "ui/names.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/widgets/labels.h"

#include <QApplication>
#include <QGridLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace fusescope {

namespace {

QString wordOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::fused:
        return PredictBox::tr("Fused or merged");
    case Outcome::folded:
        return PredictBox::tr("Folded");
    case Outcome::removed:
        return PredictBox::tr("Removed");
    case Outcome::inlined:
        return PredictBox::tr("Inlined");
    case Outcome::blocked:
        return PredictBox::tr("Blocked: it stays");
    }
    return {};
}

QString tipOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::fused:
        return PredictBox::tr("It becomes one node with a neighbour, or with its equal.");
    case Outcome::folded:
        return PredictBox::tr("It is computed beforehand: a constant or a neighbour's weights hold it.");
    case Outcome::removed:
        return PredictBox::tr("It goes: nobody reads it, or it changes nothing.");
    case Outcome::inlined:
        return PredictBox::tr("The body of the function takes its place.");
    case Outcome::blocked:
        return PredictBox::tr("A condition fails.");
    }
    return {};
}

// What is right to say of a step. Weights that take a node in are folded and fused alike.
std::set<Outcome> outcomesOf(const Step& step)
{
    if (step.stage == Stage::inlining)
        return {Outcome::inlined};
    if (step.stage == Stage::fusion)
        return std::string_view(step.title.text.key).starts_with("title.fold")
                   ? std::set{Outcome::fused, Outcome::folded}
                   : std::set{Outcome::fused};
    if (step.rule.starts_with("fold"))
        return {Outcome::folded};
    if (step.stage == Stage::deadCode || step.rule.starts_with("remove"))
        return {Outcome::removed};
    return {Outcome::fused, Outcome::removed}; // of two equal or joined ones, one goes
}

} // namespace

std::vector<Question> questionsAbout(const Timeline& timeline, int b)
{
    std::vector<Question> questions;
    if (b < 0 || b >= timeline.size())
        return questions;
    const Step& step = *timeline.steps[static_cast<std::size_t>(b)];
    if (step.stage == Stage::fixes || step.state == StepState::skipped)
        return questions;
    questions.push_back({step.root, outcomesOf(step), -1});
    for (std::size_t i = 0; timeline.finished && i < timeline.blocked.size(); ++i) {
        const Blocked& row = timeline.blocked[i];
        const Lifespan* life = timeline.unionGraph.lifespan(row.miss.root);
        if (row.finalAt != b + 1 || row.miss.root == step.root || !life || !life->aliveAt(b) ||
            row.miss.reasons.empty() || row.miss.reasons.front().kind() != ReasonKind::legality)
            continue;
        questions.push_back({row.miss.root, {Outcome::blocked}, static_cast<int>(i)});
        break;
    }
    // The order must not tell which of them is the step.
    std::stable_sort(questions.begin(), questions.end(),
                     [](const Question& a, const Question& b2) { return a.node < b2.node; });
    return questions;
}

PredictBox::PredictBox(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_verdict(new PlainLabel({}, Token::text)),
      m_question(new PlainLabel({}, Token::text, TextScale::normal, true)),
      m_choices(new QWidget(this)), m_giveUp(new LinkLabel(tr("Show without guessing"), false, this))
{
    setAccessibleName(tr("Predict"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::section, space::cell, space::section, space::cell);
    layout->setSpacing(space::glyph);
    layout->addWidget(m_verdict);
    layout->addWidget(m_question);
    auto* grid = new QGridLayout(m_choices);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(space::glyph);
    int place = 0;
    for (const Outcome outcome : {Outcome::fused, Outcome::folded, Outcome::removed,
                                  Outcome::inlined, Outcome::blocked}) {
        auto* button = new QPushButton(text::label(wordOf(outcome)), m_choices);
        button->setToolTip(text::toolTip(tipOf(outcome)));
        button->setAccessibleName(wordOf(outcome));
        connect(button, &QPushButton::clicked, this, [this, outcome] { guess(outcome); });
        grid->addWidget(button, place / 2, place % 2);
        m_buttons.emplace_back(outcome, button);
        ++place;
    }
    layout->addWidget(m_choices);
    layout->addWidget(m_giveUp);
    m_verdict->hide();
    connect(m_giveUp, &QAbstractButton::clicked, this, [this] {
        for (const Question& question : m_questions)
            tell(question, true, false);
        m_questions.clear();
        askNext();
    });
    for (const auto signal : {&AppState::sessionChanged, &AppState::cursorChanged,
                              &AppState::timelineChanged, &AppState::predictChanged})
        connect(&state, signal, this, &PredictBox::refresh);
    refresh();
}

QString PredictBox::verdict() const
{
    return m_verdict->isHidden() ? QString() : m_verdict->text();
}

void PredictBox::refresh()
{
    setVisible(m_state.predict() && m_state.hasModel());
    const auto timeline = m_state.timeline();
    const int next = m_state.b() + 1;
    if (!m_state.predict()) {
        m_step = -1;
        m_asked = m_right = 0;
        m_questions.clear();
        m_verdict->hide();
        return;
    }
    // What is blocked at the next step is known when the passes have ended.
    const int generation = 2 * timeline->generation + (timeline->finished ? 1 : 0);
    if (next == m_step && generation == m_generation)
        return;
    if (next != m_step + 1)
        m_verdict->hide(); // it spoke of another place
    m_step = next;
    m_generation = generation;
    m_questions = questionsAbout(*timeline, m_state.b());
    const bool owed = owesGuess();
    m_choices->setVisible(owed);
    m_giveUp->setVisible(owed);
    if (owed)
        askNext();
    else
        m_question->setText(next > timeline->size()
                                ? tr("Nothing is left to guess.")
                                : tr("The next step is of your own plan: nothing to guess."));
}

void PredictBox::ask()
{
    QWidget* before = QApplication::focusWidget();
    if (before && !isAncestorOf(before))
        m_focus = before;
    m_buttons.front().second->setFocus(Qt::ShortcutFocusReason);
}

void PredictBox::askNext()
{
    if (!owesGuess()) {
        if (m_focus && m_focus->isVisible())
            m_focus->setFocus();
        m_focus = nullptr;
        Q_EMIT answered();
        return;
    }
    const Question& question = m_questions.front();
    m_question->setText(
        question.node ? tr("Guess: what becomes of %1 %2?")
                            .arg(names::operatorOf(m_state, question.node),
                                 names::besideOperator(m_state, question.node))
                      : tr("Guess: what happens at step %1?").arg(m_step));
}

void PredictBox::guess(Outcome outcome)
{
    if (!owesGuess())
        return;
    const Question question = m_questions.front();
    m_questions.erase(m_questions.begin());
    const bool right = question.right.contains(outcome);
    ++m_asked;
    m_right += right;
    tell(question, false, right);
    askNext();
}

void PredictBox::tell(const Question& question, bool gaveUp, bool right)
{
    const QString truth = truthOf(question);
    const QString score = tr("%1 of %2 right.").arg(m_right).arg(m_asked);
    m_verdict->setText(gaveUp  ? truth
                       : right ? QStringLiteral("✓ ") + tr("Right. %1 %2").arg(truth, score)
                               : tr("Not this time: %1 %2").arg(truth, score));
    m_verdict->setToken(right ? Token::added : Token::text);
    m_verdict->show();
}

QString PredictBox::truthOf(const Question& question) const
{
    const auto timeline = m_state.timeline();
    if (question.blocked >= 0 && question.blocked < static_cast<int>(timeline->blocked.size())) {
        const MissReason& miss = timeline->blocked[static_cast<std::size_t>(question.blocked)].miss;
        return tr("It is blocked: %1")
            .arg(m_state.sentence(miss.reasons.front().message, &timeline->history->latest()));
    }
    if (m_step < 1 || m_step > timeline->size())
        return {};
    return tr("%1.", "a sentence")
        .arg(names::title(m_state, *timeline->steps[static_cast<std::size_t>(m_step - 1)]));
}

void PredictBox::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(Token::accentSoft));
}

} // namespace fusescope
