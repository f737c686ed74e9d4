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
const FusionPattern& scaleConv();
const FusionPattern& convBias();
const FusionPattern& gemmBatchnorm();
const FusionPattern& gemmBias();
const FusionPattern& mergeParallelConv();
const FusionPattern& layerNormalization();
const FusionPattern& rmsNormalization();
const FusionPattern& skipLayerNormalization();
const FusionPattern& attention();
const FusionPattern& hardSwish();
const FusionPattern& gelu();
const FusionPattern& quickGelu();
const FusionPattern& logSoftmax();
const FusionPattern& silu();
const FusionPattern& transposeNormalization();
const FusionPattern& batchnormChain();
const FusionPattern& mish();
const FusionPattern& matmulScale();
const FusionPattern& transposeMatmul();
const FusionPattern& matmulAddGemm();
const FusionPattern& matmulAdd();
const FusionPattern& clipChain();
const FusionPattern& concatConv();
const FusionPattern& convAddActivation();
const FusionPattern& convActivation();
const FusionPattern& gemmActivation();
const FusionPattern& addActivation();
const FusionPattern& elementwiseChain();

} // namespace fusescope::patterns
