#include "ui/app_state.h"

#include <algorithm>
#include <utility>

// Where the window stands: the range of steps, what is selected, what is shown of the graph.
namespace fusescope {

StepPair AppState::pair() const
{
    if (m_a)
        return {std::min(*m_a, m_b), std::max(*m_a, m_b)};
    return {std::max(0, m_b - 1), m_b};
}

StepPair AppState::namedPair() const
{
    if (m_a)
        return pair();
    return {0, m_b == 0 ? stepCount() : m_b};
}

void AppState::setB(int step)
{
    step = std::clamp(step, 0, stepCount());
    if (step == m_b) {
        if (std::exchange(m_waitingForLast, false))
            Q_EMIT cursorChanged();
        return;
    }
    m_resume.reset();
    m_b = step;
    if (m_a && *m_a >= m_b)
        m_a.reset();
    m_waitingForLast = false;
    Q_EMIT cursorChanged();
    updateDiff();
}

void AppState::setA(std::optional<int> step)
{
    if (step) {
        step = std::clamp(*step, 0, stepCount());
        if (*step >= m_b)
            step.reset();
    }
    if (step == m_a)
        return;
    m_resume.reset();
    m_a = step;
    Q_EMIT cursorChanged();
    updateDiff();
}

void AppState::first()
{
    goToStep(0);
}

void AppState::last()
{
    rememberPlace();
    if (isFinished()) {
        setB(stepCount());
        return;
    }
    m_waitingForLast = true;
    setB(stepCount());
    m_waitingForLast = true;
    Q_EMIT cursorChanged();
}

void AppState::forward()
{
    setB(m_b + 1);
}

void AppState::back()
{
    setB(m_b - 1);
}

void AppState::runPass()
{
    if (m_b >= stepCount())
        return;
    const auto& steps = m_timeline->steps;
    const Step& next = *steps[static_cast<std::size_t>(m_b)];
    int end = m_b + 1;
    while (end < stepCount() && steps[static_cast<std::size_t>(end)]->rule == next.rule &&
           steps[static_cast<std::size_t>(end)]->round == next.round)
        ++end;
    setB(end);
}

void AppState::growRange()
{
    const int from = m_a.value_or(m_b);
    if (from > 0)
        setA(from - 1);
}

void AppState::shrinkRange()
{
    if (m_a)
        setA(*m_a + 1);
}

void AppState::setChangeFilter(std::optional<ChangeKind> kind)
{
    if (kind == m_changeFilter)
        return;
    m_changeFilter = kind;
    Q_EMIT changeFilterChanged();
}

void AppState::setMode(GraphMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    Q_EMIT modeChanged();
}

void AppState::setPredict(bool on)
{
    if (on == m_predict)
        return;
    m_predict = on;
    Q_EMIT predictChanged();
}

void AppState::select(NodeId node)
{
    if (node == m_selected && !m_second && !m_selectedValue)
        return;
    m_selected = node;
    m_second = {};
    m_selectedValue = {};
    Q_EMIT selectionChanged();
}

void AppState::selectSecond(NodeId node)
{
    if (!m_selected || node == m_selected) {
        select(node);
        return;
    }
    m_second = node;
    Q_EMIT selectionChanged();
}

void AppState::selectValue(ValueId value)
{
    m_selectedValue = value;
    Q_EMIT selectionChanged();
}

void AppState::goTo(NodeId node)
{
    if (!node || !m_session)
        return;
    rememberPlace();
    arriveAt(node);
}

void AppState::arriveAt(NodeId node)
{
    const Lifespan* life = m_timeline->unionGraph.lifespan(node);
    if (life && !life->aliveAt(m_b)) {
        const int nearest = m_b < life->first ? life->first : std::max(0, life->last);
        setB(nearest);
    }
    select(node);
    Q_EMIT goToRequested(node);
}

void AppState::goTo(NodeId node, int step)
{
    if (!node || !m_session)
        return;
    rememberPlace();
    setB(step);
    arriveAt(node);
}

void AppState::goToStep(int step)
{
    rememberPlace();
    setB(step);
}

void AppState::goToOriginal(NodeId node)
{
    const Lifespan* life = m_timeline->unionGraph.lifespan(node);
    if (!life || life->aliveAt(m_b) || life->last < 0 || life->last >= m_b) {
        goTo(node);
        return;
    }
    rememberPlace();
    setA(life->last);
    setMode(GraphMode::overlay);
    select(node);
    Q_EMIT goToRequested(node);
}

void AppState::goToChange(Subject subject)
{
    const StepPair pair = this->pair();
    // A removed initializer is shown at what read it.
    NodeId node;
    if (const auto* changed = std::get_if<NodeId>(&subject)) {
        node = *changed;
    } else if (const auto value = std::get<ValueId>(subject); !graphAt(pair.b)->value(value)) {
        const auto uses = graphAt(pair.a)->uses(value);
        node = uses.empty() ? NodeId{} : uses.front().node;
    }
    const Lifespan* life = m_timeline->unionGraph.lifespan(node);
    const bool stands = life && life->aliveAt(pair.b);
    if (stands || !life || !life->aliveAt(pair.a)) {
        goTo(stands ? Subject(node) : subject);
        return;
    }
    rememberPlace();
    if (m_mode == GraphMode::after)
        setMode(GraphMode::overlay);
    select(node);
    Q_EMIT goToRequested(node);
}

void AppState::goTo(Subject subject)
{
    if (const auto* node = std::get_if<NodeId>(&subject)) {
        goTo(*node);
        return;
    }
    const ValueId value = std::get<ValueId>(subject);
    const auto graph = graphAt(m_b);
    NodeId at = graph->producer(value);
    if (!at && !graph->uses(value).empty())
        at = graph->uses(value).front().node;
    if (at)
        goTo(at);
    selectValue(value);
}

void AppState::showBlocked(std::optional<Blocked> row)
{
    m_shownBlocked = std::move(row);
    Q_EMIT shownBlockedChanged();
}

} // namespace fusescope
