#pragma once

#include "ui/app_state.h"

namespace fusescope {

// What a job that was stopped leaves: "No file was written."
QString keptAfter(const AppState& state, JobKind kind);
// Stops all jobs that show progress, and says of each that it stopped and what is kept.
void cancelAndSay(AppState& state, const std::vector<std::pair<JobKind, QString>>& running);

} // namespace fusescope
