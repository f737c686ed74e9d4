#include "ui/cancelled.h"

#include <QCoreApplication>

namespace fusescope {

namespace {

struct Cancelled
{
    Q_DECLARE_TR_FUNCTIONS(Cancelled)
};

} // namespace

QString keptAfter(const AppState& state, JobKind kind)
{
    switch (kind) {
    case JobKind::open:
        return state.hasModel() ? Cancelled::tr("%1 stays open.").arg(state.title())
                                : Cancelled::tr("Nothing was opened.");
    case JobKind::compare:
        return state.compareResult() ? Cancelled::tr("The comparison before it is kept.")
                                     : Cancelled::tr("Nothing was compared.");
    case JobKind::bisect:
        return state.compareResult() ? Cancelled::tr("The comparison is kept.")
                                     : Cancelled::tr("Nothing was compared.");
    case JobKind::profile:
        return state.profileResult() ? Cancelled::tr("The profile before it is kept.")
                                     : Cancelled::tr("Nothing was measured.");
    case JobKind::exportModel:
    case JobKind::picture:
    case JobKind::report:
    case JobKind::values:
        return Cancelled::tr("No file was written.");
    default:
        return Cancelled::tr("The model and its steps are as before.");
    }
}

void cancelAndSay(AppState& state, const std::vector<std::pair<JobKind, QString>>& running)
{
    for (const auto& [kind, text] : running)
        state.notify({NoticeLevel::info,
                      Cancelled::tr("Stopped: %1. %2").arg(text, keptAfter(state, kind)),
                      {},
                      {},
                      {}});
    if (state.isWaitingForLast()) {
        state.setB(state.b()); // a choice of a step ends the wait
        state.notify({NoticeLevel::info,
                      Cancelled::tr("No longer waiting for the last step; the passes run on."),
                      {},
                      {},
                      {}});
    }
    state.jobs().cancelAll();
}

} // namespace fusescope
