#pragma once

#include "patterns/pattern.h"

// The patterns, one a file; allPatterns() puts them in order.
namespace fusescope::patterns {

const FusionPattern& padConv();
const FusionPattern& padPool();
const FusionPattern& convBatchnorm();
const FusionPattern& convtransposeBatchnorm();
const FusionPattern& batchnormConv();
const FusionPattern& convScale();
const FusionPattern& convBias();
const FusionPattern& mergeParallelConv();
const FusionPattern& hardSwish();
const FusionPattern& gelu();
const FusionPattern& quickGelu();
const FusionPattern& silu();
const FusionPattern& mish();
const FusionPattern& concatConv();
const FusionPattern& convAddActivation();
const FusionPattern& convActivation();
const FusionPattern& addActivation();

} // namespace fusescope::patterns
