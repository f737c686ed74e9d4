#pragma once

#include "ui/app_state.h"

namespace fusescope {

// What an export is said to have done: written and proved, written and not proved, or not written.
LogEntry exportNotice(const AppState& state, const QString& path, const ExportResult& result);

} // namespace fusescope
