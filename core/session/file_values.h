#pragma once

#include "io/data_files.h"
#include "ops/runtime_value.h"

namespace fusescope {

// A value of a data file as it flows through a graph.
RuntimeValue runtimeValueOf(const FileValue& value);

} // namespace fusescope
