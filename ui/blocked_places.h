#pragma once

#include "ui/app_state.h"

namespace fusescope {

// Shows a blocked row in the graph with its first culprit that is an operator, or its root. Where
// that stands at another step only, goes there and says so.
void goToBlocked(AppState& state, const Blocked& row);
// The same with its first culprit, which may be a value; nothing where it has none.
void goToCulprit(AppState& state, const Blocked& row);

} // namespace fusescope
