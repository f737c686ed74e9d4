#include "patterns/pattern_list.h"

#include <vector>

namespace fusescope {

std::span<const FusionPattern* const> allPatterns()
{
    // The order matters: what folds into weights comes before what makes regions, larger regions
    // come before smaller ones, and elementwise chains take what is left.
    static const std::vector<const FusionPattern*> list = {
        // padding
        &patterns::padConv(),
        &patterns::padPool(),
        // batch normalization, scale and bias
        &patterns::convBatchnorm(),
        &patterns::convtransposeBatchnorm(),
        &patterns::batchnormConv(),
        &patterns::convScale(),
        &patterns::convBias(),
        &patterns::gemmBatchnorm(),
        &patterns::batchnormChain(), // where neither folds into anything else
        &patterns::gemmBias(),
        // parallel convolutions
        &patterns::mergeParallelConv(),
        // normalizations and activations written out
        &patterns::layerNormalization(),
        &patterns::rmsNormalization(),
        &patterns::transposeNormalization(),
        &patterns::skipLayerNormalization(),
        &patterns::gelu(),
        &patterns::hardSwish(),
        &patterns::mish(),
        &patterns::quickGelu(),
        &patterns::silu(),
        &patterns::logSoftmax(),
        &patterns::scaleConv(), // a scale that no activation above ends with
        // attention, products, clip chains
        &patterns::attention(),
        &patterns::matmulScale(),
        &patterns::transposeMatmul(),
        &patterns::matmulAddGemm(),
        &patterns::matmulAdd(),
        &patterns::clipChain(),
        // Concat, residuals, activations
        &patterns::concatConv(),
        &patterns::convAddActivation(),
        &patterns::convActivation(),
        &patterns::gemmActivation(),
        &patterns::addActivation(),
        // what is left
        &patterns::elementwiseChain(),
    };
    return list;
}

const FusionPattern* findPattern(RuleId rule)
{
    for (const FusionPattern* pattern : allPatterns()) {
        if (pattern->rule() == rule)
            return pattern;
    }
    return nullptr;
}

} // namespace fusescope
