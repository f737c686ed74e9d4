#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "session/session.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace fusescope {

struct ConformanceReport
{
    int passed = 0;
    std::vector<std::pair<std::string, Message>> failed;      // folder, why
    std::vector<std::pair<std::string, std::string>> unsupported; // folder, operator without a kernel
};

// |found − expected| ≤ atol + rtol·|expected| for each element, as the operator tests ask; `ofLargest`
// adds that part of an output's largest magnitude, for whole models.
struct ConformanceTolerance
{
    double rtol = 1e-3, atol = 1e-7, ofLargest = 0;
};

// Runs every folder below the given ones that holds a model (.onnx) and test_data_set_* folders, each
// data set by one executor, and compares with the outputs there. Fails only when stopped or when a
// folder cannot be read.
Result<ConformanceReport> conformance(const std::vector<std::string>& folders, RunExecutor executor,
                                      std::stop_token stop = {}, const Progress& progress = {},
                                      const ConformanceTolerance& tolerance = {});

} // namespace fusescope
