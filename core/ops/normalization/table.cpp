#include "ops/families.h"
#include "ops/normalization/normalization.h"

namespace fusescope {

namespace {

constexpr OpEntry table[] = {
    {"", "BatchNormalization", 1, inferBatchNormalization, runBatchNormalization},
    {"", "InstanceNormalization", 1, inferSame, runInstanceNormalization},
    {"", "GroupNormalization", 18, inferSame, runGroupNormalization},
    {"", "LayerNormalization", 17, inferLayerNormalization, runLayerNormalization},
    {"", "RMSNormalization", 23, inferLayerNormalization, runRmsNormalization},
    {"", "LRN", 1, inferSame, runLrn},
    {"", "LpNormalization", 1, inferSame, runLpNormalization},
    {"", "MeanVarianceNormalization", 9, inferSame, runMeanVarianceNormalization},
    {"", "Softmax", 1, inferSoftmax, runSoftmax},
    {"", "LogSoftmax", 1, inferSoftmax, runLogSoftmax},
    {"", "Hardmax", 1, inferSoftmax, runHardmax},
    {"", "NegativeLogLikelihoodLoss", 12, inferNegativeLogLikelihood, runNegativeLogLikelihood},
    {"", "SoftmaxCrossEntropyLoss", 12, inferSoftmaxCrossEntropy, runSoftmaxCrossEntropy},
};

} // namespace

namespace families {

std::span<const OpEntry> normalization()
{
    return table;
}

} // namespace families

} // namespace fusescope
