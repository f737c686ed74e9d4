#pragma once

#include "exec/executor.h"
#include "exec/inputs.h"

#include <QString>
#include <string_view>

namespace fusescope::test {

// Reads a graph of the textual syntax; fails the process with its error when it cannot.
Graph graphOf(std::string_view text);
// Seeded inputs.
RunInputs inputsOf(const Graph& graph, const InputRecipe& recipe = {});

// Runs the reference executor and plans of several options, whose dead memory is poisoned, on the
// same inputs. Empty if all outputs agree to `rtol` of the largest, and if one and two threads give
// the same bits; else what differs.
QString differences(const Graph& graph, const RunInputs& inputs, double rtol = 1e-5);

// The kernels of a plan's steps, in order, joined by ", ".
QString kernelsOf(const FusedExecutor& executor);
QString textOf(const Error& error, const Graph& graph);

} // namespace fusescope::test
