#pragma once

#include "report/reason.h"

#include <QString>

namespace fusescope {

class AppState;
struct Step;

// How lists name nodes, values and fixes. A node that has gone is named as it last was.
namespace names {

QString whole(const AppState& state, NodeId node);  // "/layer2/layer2.0/conv1/Conv", "Conv #17"
QString brief(const AppState& state, NodeId node);  // "layer2.0/conv1"
QString brief(const AppState& state, Subject subject);
QString operatorOf(const AppState& state, NodeId node); // "Conv", "ConvAddRelu"
// For a place that shows the operator as well: the brief name, "#17" where there is none.
QString besideOperator(const AppState& state, NodeId node);
// Several, as a list of the language: "a, b"; Chinese has its own mark.
QString listed(const QStringList& parts);
// What a fix changes: "fc.weight"; "all initializers" where it names none.
QString target(const AppState& state, const Fix& fix);

// What a step acts on; one that has no root (equal initializers merged) says by its title.
QString rootOf(const AppState& state, const Step& step);
QString wholeRootOf(const AppState& state, const Step& step);

// A step's title with nodes by their brief names: "Fuse layer1.0/Add with layer1.0/relu".
QString title(const AppState& state, const Step& step);

QString rule(const AppState& state, std::string_view rule);
// The operator that culprits are jumped to by: the first one that is a node, else none.
NodeId firstNode(const std::vector<Subject>& subjects);

QString fixButton(const AppState& state, const Fix& fix);   // "Set to 0"
QString fixText(const AppState& state, const Fix& fix);     // "Apply fix: training_mode = 0"
QString fixWarning(const Fix& fix); // empty where it changes nothing that others see

} // namespace names

} // namespace fusescope
