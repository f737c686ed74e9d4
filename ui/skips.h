#pragma once

#include "ui/app_state.h"

namespace fusescope {

// Adds a fix; one that is there and skipped is applied again.
void addFix(Plan& plan, const Fix& fix);
// The number of a step of the fixes and edits of `shown` in `plan`, which may be newer; 0 where it is
// none of them there.
int numberIn(const Plan& plan, const Plan& shown, int number);
bool isSkipped(const AppState& state, int number);
// Applies a skipped step again: one entry of the undo stack.
void applyAgain(AppState& state, int number);

} // namespace fusescope
