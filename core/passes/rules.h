#pragma once

#include "passes/pass.h"

#include <memory>
#include <vector>

namespace fusescope {

// The rules that are no fusion patterns, one a file.
std::unique_ptr<const Pass> inlineFunctionRule();
std::unique_ptr<const Pass> foldIfRule();
std::unique_ptr<const Pass> foldConditionRule();
std::unique_ptr<const Pass> hoistInvariantRule();
std::unique_ptr<const Pass> foldShapeRule();
std::unique_ptr<const Pass> foldConstantRule();
std::unique_ptr<const Pass> foldTargetRule();
std::unique_ptr<const Pass> removeIdentityRule();
std::unique_ptr<const Pass> removeDropoutRule();
std::unique_ptr<const Pass> removeNoopRule();
std::unique_ptr<const Pass> removeDeadRule();
std::unique_ptr<const Pass> removeOutputsRule();
std::unique_ptr<const Pass> zeroStateRule();
std::unique_ptr<const Pass> pushTransposeRule();
std::unique_ptr<const Pass> removeUnusedRule();
std::unique_ptr<const Pass> mergeDuplicatesRule();
std::unique_ptr<const Pass> mergeInitializersRule();
std::unique_ptr<const Pass> reshapeChainRule();
std::unique_ptr<const Pass> viewIntoProducerRule();
std::unique_ptr<const Pass> sliceChainRule();
std::unique_ptr<const Pass> spaceToDepthRule();
std::unique_ptr<const Pass> transposeChainRule();
std::unique_ptr<const Pass> castChainRule();
std::unique_ptr<const Pass> concatChainRule();
std::unique_ptr<const Pass> fillCastRule();
std::unique_ptr<const Pass> quantizeChainRule();
std::unique_ptr<const Pass> unaryChainRule();
std::unique_ptr<const Pass> whereNotRule();
std::unique_ptr<const Pass> shapeSourceRule();
std::unique_ptr<const Pass> gatherToSplitRule();

// Of the fusion stage: a sum of two roundings in place of one.
std::unique_ptr<const Pass> reshapeProductRule();

// Those that come before the patterns, in their order; mergeInitializersRule() comes after them.
std::vector<std::unique_ptr<const Pass>> cleanupRules();

} // namespace fusescope
