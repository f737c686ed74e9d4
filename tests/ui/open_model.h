#pragma once

#include "ui/app_state.h"

#include <QString>

#include <string>
#include <string_view>

namespace fusescope::test {

// Two residual-like blocks: the first Conv folds its BatchNormalization, the second is refused, since
// its BatchNormalization is in training mode; an Identity and a constant sum go before.
std::string_view twoConvText();

// The bytes of a model written as text (model/graph_text.h).
std::string modelBytes(std::string_view text);

// The same as a file in `folder`; its path.
QString modelFile(std::string_view text, const QString& folder, const QString& name);

// Waits until all passes have ended; false after 20 s.
bool waitForPasses(AppState& state);

// The same for the plan that the state has now.
bool waitForPlan(AppState& state);

// The node of the opened model with this name; none where there is none.
NodeId named(const AppState& state, const char* name);

// The step whose title's root has this name, 0 if there is none.
int stepOf(const AppState& state, std::string_view rule);

} // namespace fusescope::test
