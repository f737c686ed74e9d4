#pragma once

#include "patterns/conditions.h"

#include <vector>

namespace fusescope {

// The parameters of a BatchNormalization: scale, B, mean, var.
std::vector<ValueId> batchnormParameters(const Node& batchnorm);

// What holds for every fold of an inference BatchNormalization (legality 2.5): its form, version and
// unused outputs, parameters of `channels` elements each (0: not known), variances. `data` is the
// node whose result it normalizes, for statistics that are computed from it.
// The parameters that the caller still has to prove constant: all, or, when the statistics come
// from the batch (a reason of its own), scale and B alone.
std::vector<ValueId> checkBatchnorm(Conditions& conditions, NodeId batchnorm, NodeId data,
                                    NodeId maker, std::int64_t channels);

// y = x·scale + shift per channel, in double: scale = γ/√(σ²+ε), shift = β − μ·scale. Nothing while
// a parameter is no constant of one length.
struct ScaleShift
{
    std::vector<double> scale, shift;
};
std::optional<ScaleShift> scaleShiftOf(const GraphView& view, const Node& batchnorm);

} // namespace fusescope
