#pragma once

#include "base/result.h"
#include "model/graph.h"
#include "ops/runtime_value.h"

#include <functional>

namespace fusescope::reference {

using RunNode = std::function<Result<std::vector<RuntimeValue>>(
    NodeId, const Node&, const std::vector<RuntimeValue>&)>;

// The operator Gradient of ai.onnx.preview.training.
bool isGradient(const Node& node);

// Computes the nodes between the values that `xs` and `zs` name and the one that `y` names from the
// inputs, then goes back through them. Knows elementwise arithmetic and products of matrices; an
// error names any other operator. A `y` of several elements counts as their sum.
Result<std::vector<RuntimeValue>> differentiate(const Graph& graph, NodeId id, const Node& node,
                                                const std::vector<RuntimeValue>& inputs,
                                                const RunNode& run);

} // namespace fusescope::reference
