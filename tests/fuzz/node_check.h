#pragma once

#include "fuzz/node_case.h"

#include <string>
#include <vector>

namespace fusescope::test {

struct CheckOptions
{
    std::int64_t memoryLimit = std::int64_t{32} << 20;
    std::int64_t maxTrips = 200;
    bool fused = true;
};

struct CheckResult
{
    std::vector<std::string> findings; // what must not be, as sentences
    bool ran = false;                  // by the reference executor
    std::string error;                 // else why not, in full
    std::string errorKey;              // its text's name
};

// Infers, runs, folds and optimizes a graph whose inputs are constants, then given at run time with
// known, symbolic and unknown shapes, and runs it fast. Findings: an exception; an error without a
// node or value or with an unknown text; a type, size or shape data that what ran does not have; a
// node that inference refuses and that runs; an optimizer that fails, breaks the graph or changes what
// it gives; a fast plan that gives something else. Crashes are for the sanitizers to see.
CheckResult checkNode(const NodeCase& nodeCase, const CheckOptions& options = {});

} // namespace fusescope::test
