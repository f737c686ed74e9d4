#pragma once

#include "ui/app_state.h"

namespace fusescope {

// Writes the report of all steps, so it waits for the passes, with a proof of the result. What the
// window compared is what the report tells; else it compares, with the window's inputs and tolerance.
void writeReportFile(AppState& state, const QString& path);

} // namespace fusescope
