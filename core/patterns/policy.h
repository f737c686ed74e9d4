#pragma once

#include "base/ids.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fusescope {

// What people ask of the optimization, apart from what is legal.
struct Policy
{
    std::string target = "generic"; // see patterns/target.h
    bool foldQuantization = false;  // fold DequantizeLinear of constants, fuse across Q/DQ
    std::int64_t maxGrowth = std::int64_t{1} << 30; // stored bytes that folding may add to the model
    std::set<std::string> pure;     // "domain:Op" without side effects
    std::set<NodeId> pinnedNodes;
    std::set<ValueId> pinnedValues;
    std::set<std::string> disabled; // rule ids that are off
    // Initializers that stay though nothing reads them, as long as one of these values stands: the
    // scales and zero points that the file's quantization annotations name.
    std::map<ValueId, std::vector<ValueId>> annotated;

    bool operator==(const Policy&) const = default;
};

} // namespace fusescope
