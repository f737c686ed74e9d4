#include "ui/blocked_places.h"

#include "ui/names.h"

#include <QCoreApplication>

namespace fusescope {

namespace {

struct BlockedPlaces
{
    Q_DECLARE_TR_FUNCTIONS(BlockedPlaces)
};

void show(AppState& state, const Blocked& row, Subject subject)
{
    state.showBlocked(row);
    const int before = state.b();
    state.goTo(subject);
    if (state.b() == before)
        return;
    state.notify({NoticeLevel::info,
                  BlockedPlaces::tr("%1 stands at step %2: went there. Alt+Left returns.")
                      .arg(names::brief(state, subject))
                      .arg(state.b()),
                  state.selected(),
                  {},
                  {}});
}

} // namespace

void goToBlocked(AppState& state, const Blocked& row)
{
    const Blocked kept = row; // the list that it stands in may be made anew
    const std::vector<Reason>& reasons = kept.miss.reasons;
    const NodeId culprit = reasons.empty() ? NodeId() : names::firstNode(reasons.front().culprits);
    show(state, kept, culprit ? culprit : kept.miss.root);
}

void goToCulprit(AppState& state, const Blocked& row)
{
    const Blocked kept = row;
    const std::vector<Reason>& reasons = kept.miss.reasons;
    if (!reasons.empty() && !reasons.front().culprits.empty())
        show(state, kept, reasons.front().culprits.front());
}

} // namespace fusescope
