#pragma once

#include "ops/broadcast.h"

namespace fusescope {

Result<void> inferBatchNormalization(InferenceContext& context);
Result<void> runBatchNormalization(KernelContext& context);
// Whether a BatchNormalization of this version takes its statistics from the batch.
bool batchStatistics(const Attributes& attributes, int since, bool extraOutputs);

Result<void> inferSoftmax(InferenceContext& context);
Result<void> runSoftmax(KernelContext& context);
Result<void> runLogSoftmax(KernelContext& context);
Result<void> runHardmax(KernelContext& context);

Result<void> inferLayerNormalization(InferenceContext& context);
Result<void> runLayerNormalization(KernelContext& context);
Result<void> runRmsNormalization(KernelContext& context);

Result<void> runInstanceNormalization(KernelContext& context);
Result<void> runGroupNormalization(KernelContext& context);
Result<void> runLrn(KernelContext& context);
Result<void> runLpNormalization(KernelContext& context);
Result<void> runMeanVarianceNormalization(KernelContext& context);

Result<void> inferNegativeLogLikelihood(InferenceContext& context);
Result<void> inferSoftmaxCrossEntropy(InferenceContext& context);
Result<void> runNegativeLogLikelihood(KernelContext& context);
Result<void> runSoftmaxCrossEntropy(KernelContext& context);

} // namespace fusescope
