#pragma once

#include "pass_run.h"

#include <string>

namespace fusescope::test {

// Opens a model file with its types inferred; false when it cannot be opened.
bool openInferred(const std::string& path, Graph& graph);

// What came of the fixes that a model's refusals offer.
struct FixCheck
{
    int rows = 0;        // refusals that offer fixes
    int fixes = 0;       // different sets of fixes tried
    std::string problem; // the first that did not do what it offers; empty when all do
};

// Applies the fixes of each refusal, one set after the other, and checks that the fusion named by the
// row then happens: every step leaves a valid graph, the row is gone, a step of its rule stands at its
// root. Unless a fix changes the meaning, the outputs that are left must hold against the model as
// opened; else against the model after its fixes. `run` false: without running the models.
FixCheck checkFixes(const Graph& opened, bool run);

} // namespace fusescope::test
