#pragma once

#include "ui/app_state.h"

namespace fusescope {

// The comparison that stands for what is shown: of the pair that is named, or the one whose first
// step that differs is gone to. Null where none does; an old one is told nowhere.
const AppState::CompareResult* currentComparison(const AppState& state);

// What the first step that differs was traced to; null where nothing was.
const DivergenceCause* causeOf(const AppState::CompareResult& result);
// The largest |Δ| of the outputs before and after that step, as far as both were run.
std::optional<std::pair<double, double>> worstAround(const AppState::CompareResult& result);

} // namespace fusescope
