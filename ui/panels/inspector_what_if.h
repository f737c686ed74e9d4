#pragma once

#include "base/ids.h"
#include "ui/widgets/key_values.h"

namespace fusescope {

class AppState;

// What can be changed of a node of a scratch copy: its attributes, its inputs, the node itself. Empty
// for other models and for nodes that the file does not have.
QList<KeyValue> whatIfRows(const AppState& state, NodeId node);

// Asks for the new value that a link of these rows is about, and changes it. False: no such link.
bool followWhatIf(AppState& state, NodeId node, const QString& link, QWidget* parent);

} // namespace fusescope
