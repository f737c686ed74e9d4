#pragma once

#include "model/graph.h"

#include <QString>
#include <QStringList>

namespace fusescope {

// The entry that `name` was most likely meant to be; empty when none is near.
QString nearestOf(const QString& name, const QStringList& known);

// What to say after an unknown name: the nearest one, else those that there are.
QString insteadOf(const QString& name, QStringList known);

// The names of all nodes, and of all values.
QStringList nodeNames(const Graph& graph);
QStringList valueNames(const Graph& graph);

} // namespace fusescope
