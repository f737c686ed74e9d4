#pragma once

#include "base/ids.h"
#include "base/message.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fusescope {

// One node (or fused node) of a profiled plan. Times in milliseconds over the timed runs.
struct NodeProfile
{
    NodeId node;
    std::string kernel; // "conv3x3 winograd-f4 nChw16c", "reference"
    std::string layout; // "NCHW", "nChw16c", "plain"
    double minMs = 0, medianMs = 0, p90Ms = 0;
    double flops = 0, bytes = 0; // per run
    std::vector<NodeId> originals;
    Message whyNotFaster; // why a better kernel was rejected; empty if none was
};

struct PlanProfile
{
    std::string name; // "unfused", "fused", "reference"
    int runs = 0, threads = 1;
    double minMs = 0, medianMs = 0, p90Ms = 0;
    std::int64_t arenaBytes = 0, weightBytes = 0;
    std::vector<NodeProfile> nodes;
};

} // namespace fusescope
