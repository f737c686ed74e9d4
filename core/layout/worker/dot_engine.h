#pragma once

#include "layout/worker_protocol.h"

#include <vector>

namespace fusescope::layout {

struct DotRequest
{
    RequestHeader header;
    std::vector<float> width;
    std::vector<float> height;
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    std::vector<std::int32_t> weight;
    std::vector<std::uint32_t> top;
    std::vector<std::uint32_t> bottom;
};

struct DotAnswer
{
    std::vector<double> centres;             // x, y of each node
    std::vector<std::uint32_t> pointsOfEdge; // how many
    std::vector<double> points;              // x, y
};

// Draws with Graphviz' dot. False if Graphviz is missing or fails. All indices of the request are
// in range. Not for two threads at once.
bool drawWithDot(const DotRequest& request, DotAnswer& answer);

} // namespace fusescope::layout
