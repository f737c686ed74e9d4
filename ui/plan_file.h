#pragma once

#include "session/session.h"

#include <QString>

namespace fusescope {

// A plan as a JSON file: nodes and values by name, so that it survives a new export of the model.
Result<Plan> readPlanFile(const QString& path, const Session& session);
// The same from what the file holds; errors name `file`.
Result<Plan> planFromText(const std::string& contents, const std::string& file,
                          const Session& session);
Result<void> writePlanFile(const QString& path, const Plan& plan, const Session& session);

// A node or value that must stay, by name or "#id".
Result<void> addPin(Plan& plan, const Session& session, const QString& name);
// "ID" or "ID@NAME".
Result<void> addFix(Plan& plan, const Session& session, const QString& text);

} // namespace fusescope
