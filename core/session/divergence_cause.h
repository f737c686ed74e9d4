#pragma once

#include "session/session.h"
#include "session/session_state.h"

namespace fusescope {

// The largest |Δ| of each slice along `axis` of two tensors of one shape. Equal infinities and NaN on
// both sides are no difference; where one side alone is not finite it is NaN.
std::vector<double> channelErrors(const Tensor& before, const Tensor& after, std::size_t axis);

// Compares the states before and after a step on the same inputs, with the tolerance and the executor
// of `how`. Of what the step wrote anew the first value beyond the tolerance is the cause, else the
// first of all, else the one that moves most.
Result<std::optional<DivergenceCause>> divergenceCause(const Timeline& timeline, int step,
                                                       const PairRun& how, const MadeInputs& inputs,
                                                       std::uint64_t seed, std::stop_token stop);

} // namespace fusescope
