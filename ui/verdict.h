#pragma once

#include "ui/app_state.h"

namespace fusescope {

// The comparison that stands for what is shown: of the pair that is named, or the one whose first
// step that differs is gone to. Null where none does; an old one is told nowhere.
const AppState::CompareResult* currentComparison(const AppState& state);

} // namespace fusescope
