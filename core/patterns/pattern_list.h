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
const FusionPattern& concatConv();
const FusionPattern& convAddActivation();
const FusionPattern& convActivation();
const FusionPattern& addActivation();

} // namespace fusescope::patterns
