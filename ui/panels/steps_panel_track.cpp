#include "ui/panels/steps_panel.h"

#include "ui/models/steps_model.h"
#include "ui/names.h"
#include "ui/widgets/step_slider.h"

#include <algorithm>
#include <set>

// The slider of the Steps dock: what its track shows and its tool tips say.
namespace fusescope {

QString StepsPanel::stageCaption() const
{
    const auto timeline = state().timeline();
    const int count = timeline->size();
    if (!count || state().predict()) // the stage would tell what comes
        return {};
    const int at = std::clamp(state().b(), 1, count);
    const Stage stage = timeline->steps[static_cast<std::size_t>(at - 1)]->stage;
    int from = at, to = at;
    while (from > 1 && timeline->steps[static_cast<std::size_t>(from - 2)]->stage == stage)
        --from;
    while (to < count && timeline->steps[static_cast<std::size_t>(to)]->stage == stage)
        ++to;
    const QModelIndex row = m_model->indexOfStep(at);
    const QString name = row.parent().parent().data().toString();
    return from == to ? tr("%1 %2").arg(name).arg(from) : tr("%1 %2–%3").arg(name).arg(from).arg(to);
}

void StepsPanel::refreshSlider()
{
    const auto timeline = state().timeline();
    m_slider->setLast(timeline->size());
    const int b = state().b();
    m_slider->setThumbs(state().a().value_or(b), b);
    m_slider->setCaption(stageCaption());
    m_slider->setHiddenBeyond(state().predict() ? std::optional<int>(b) : std::nullopt);
}

// What belongs to the timeline and the selection; it does not change while one steps.
void StepsPanel::refreshTrack()
{
    const auto timeline = state().timeline();
    const int count = timeline->size();
    QList<TrackState> states;
    const Lifespan* life = state().selected() ? timeline->unionGraph.lifespan(state().selected())
                                              : nullptr;
    if (life) {
        states.reserve(count + 1);
        for (int i = 0; i <= count; ++i)
            states << (life->aliveAt(i) ? TrackState::present : TrackState::absent);
        if (life->first > 0 && life->first <= count)
            states[life->first] = TrackState::added;
        for (const int at : life->changedAt) {
            if (at > 0 && at <= count)
                states[at] = TrackState::changed;
        }
        if (life->last >= 0 && life->last + 1 <= count)
            states[life->last + 1] = TrackState::removed;
    }
    m_slider->setStates(states);
    QList<int> notches;
    for (int i = 1; i < count; ++i) {
        if (state().predict() && i >= state().b())
            break;
        if (timeline->steps[static_cast<std::size_t>(i)]->stage !=
            timeline->steps[static_cast<std::size_t>(i - 1)]->stage)
            notches << i;
    }
    m_slider->setNotches(notches);
    std::set<int> blocked;
    if (timeline->finished) {
        for (const Blocked& row : timeline->blocked) {
            if (!row.miss.reasons.empty() && row.miss.reasons.front().kind() == ReasonKind::legality)
                blocked.insert(std::clamp(row.finalAt, 0, count));
        }
    }
    m_slider->setBlocked(QList<int>(blocked.begin(), blocked.end()));
}

QString StepsPanel::describe(int position) const
{
    const auto timeline = state().timeline();
    if (position <= 0 || position > timeline->size())
        return tr("The model as opened");
    QStringList lines{tr("Step %1").arg(position)};
    if (state().predict() && position > state().b())
        return lines.front();
    const Step& step = *timeline->steps[static_cast<std::size_t>(position - 1)];
    lines << names::title(state(), step);
    if (const Lifespan* life = timeline->unionGraph.lifespan(state().selected())) {
        const QString name = names::brief(state(), state().selected());
        if (position == life->first)
            lines << tr("%1: added here").arg(name);
        else if (life->last >= 0 && position == life->last + 1)
            lines << tr("%1: removed here").arg(name);
        else if (std::find(life->changedAt.begin(), life->changedAt.end(), position) !=
                 life->changedAt.end())
            lines << tr("%1: changed here").arg(name);
        else
            lines << (life->aliveAt(position) ? tr("%1: present").arg(name)
                                              : tr("%1: not there").arg(name));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace fusescope
