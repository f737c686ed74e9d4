#pragma once

#include "exec/executor.h"

#include <vector>

namespace fusescope {

// The arguments of the main body in its order, from inputs by name and from cut values; absent where
// an initializer or an empty optional stands in. Refuses unknown names, missing inputs, and types or
// sizes that contradict the declaration.
Result<std::vector<RuntimeValue>> bindInputs(const Graph& graph, const RunInputs& inputs,
                                             const RunOptions& options);

// An error where a result was never made, or is a value whose contents are missing.
Result<void> checkOutput(ValueId output, const RuntimeValue& made);

} // namespace fusescope
