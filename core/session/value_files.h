#pragma once

#include "base/result.h"
#include "ops/runtime_value.h"

#include <string>
#include <utility>
#include <vector>

namespace fusescope {

// A value in a few words: for lists and for the command line.
struct ValueSummary
{
    std::string type; // "float[1, 1000]"
    bool isNumeric = false;
    double min = 0, max = 0, mean = 0; // of the finite elements
    std::int64_t nan = 0, inf = 0;
    std::vector<std::string> first; // the first elements as text
    bool truncated = false;
};
ValueSummary summarize(const RuntimeValue& value, std::size_t elements = 8);

// Whether values can be written there, as far as that is known beforehand: the ending, and what stands
// there already.
Result<void> checkValuesTarget(const std::string& path, bool replace);

// Writes named values: one .npz, a .npy or .pb of the only value, or a folder of output_N.pb (a path
// without an ending). An existing file is refused unless `replace`.
Result<void> writeValues(const std::string& path,
                         const std::vector<std::pair<std::string, RuntimeValue>>& values,
                         bool replace);

} // namespace fusescope
