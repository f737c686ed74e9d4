#pragma once

#include "model/graph.h"
#include "report/comparison.h"
#include "report/step.h"
#include "session/model_info.h"
#include "session/report.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace fusescope {

// The parts that the documents of the command line and the reports have in common; their keys are a
// contract.
using Json = nlohmann::ordered_json;

// Finite numbers as such; JSON has no NaN or infinity, those become strings.
Json numberJson(double value);

Json modelJson(const ModelInfo& info);
Json figuresJson(const ModelFigures& figures);
Json costJson(const Cost& cost);
// `why`: its `why` in words; empty where it has none.
Json comparisonJson(const TensorComparison& one, const std::string& why);

Json nodeJson(const std::optional<ReportNode>& node);
// A node, or a value: its name, in a body with its scope. Null where it is gone.
Json culpritJson(const ReportCulprit& culprit);
Json reasonJson(const ReportReason& reason);

// The path of owners that a body lies in: "If_3.then_branch", "function demo.Swish"; empty for main.
std::string scopeOf(const Graph& graph, BodyId id);

} // namespace fusescope
