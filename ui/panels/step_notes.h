#pragma once

#include "report/reason.h"

#include <QStringList>

namespace fusescope {

class AppState;

// What is told beside the rewrite of a step: the refusal that it lifted, then its remarks.
QStringList notesOfStep(const AppState& state, int number);
// The remarks about a node, as far as it is told: why it was kept, what was copied for it.
QStringList notesOfNode(const AppState& state, NodeId node);

} // namespace fusescope
