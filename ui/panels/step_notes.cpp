#include "ui/panels/step_notes.h"

#include "ui/app_state.h"
#include "ui/names.h"
#include "ui/panels/panel_parts.h"

#include <QCoreApplication>

namespace fusescope {

namespace {

struct StepNotes
{
    Q_DECLARE_TR_FUNCTIONS(StepNotes)
};

// "Blocked until step 12: second reader"
QString liftedBy(const AppState& state, int number, const Graph& before)
{
    for (const Lifted& lifted : state.timeline()->lifted) {
        if (lifted.until != number || lifted.miss.reasons.empty())
            continue;
        const Reason& reason = lifted.miss.reasons.front();
        return StepNotes::tr("Blocked until step %1: %2")
            .arg(number)
            .arg(state.sentence(reason.headline ? reason.headline : reason.message, &before));
    }
    return {};
}

} // namespace

QStringList notesOfStep(const AppState& state, int number)
{
    const Timeline& timeline = *state.timeline();
    if (number < 1 || number > timeline.size())
        return {};
    const auto before = state.graphAt(number - 1);
    QStringList notes;
    if (const QString lifted = liftedBy(state, number, *before); !lifted.isEmpty())
        notes << lifted;
    for (const Remark& remark : timeline.steps[static_cast<std::size_t>(number - 1)]->remarks)
        notes << state.sentence(remark.reason.message, before.get());
    notes.removeDuplicates();
    return notes;
}

QStringList notesOfNode(const AppState& state, NodeId node)
{
    const Timeline& timeline = *state.timeline();
    if (parts::lastTold(state) < timeline.size())
        return {};
    const auto graph = state.graphOf(node);
    QStringList notes;
    for (const Remark& remark : timeline.remarks) {
        if (remark.root == node)
            notes << state.sentence(remark.reason.message, graph.get());
    }
    notes.removeDuplicates();
    return notes;
}

} // namespace fusescope
