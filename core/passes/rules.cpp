#include "passes/rules.h"

namespace fusescope {

std::vector<std::unique_ptr<const Pass>> cleanupRules()
{
    std::vector<std::unique_ptr<const Pass>> rules;
    rules.push_back(inlineFunctionRule());
    rules.push_back(foldConditionRule());
    rules.push_back(foldIfRule());
    rules.push_back(hoistInvariantRule());
    rules.push_back(foldShapeRule()); // before folding by value: a Shape of known sizes is none
    rules.push_back(foldConstantRule());
    rules.push_back(foldTargetRule()); // what could not be folded as a whole
    rules.push_back(removeIdentityRule());
    rules.push_back(removeDropoutRule());
    rules.push_back(removeNoopRule());
    rules.push_back(zeroStateRule()); // what made the states is dead after it
    rules.push_back(removeDeadRule());
    rules.push_back(removeOutputsRule());
    rules.push_back(removeUnusedRule());
    rules.push_back(mergeDuplicatesRule()); // after the dead ones went
    rules.push_back(shapeSourceRule()); // after the other readers went
    rules.push_back(reshapeChainRule());
    rules.push_back(viewIntoProducerRule());
    rules.push_back(sliceChainRule()); // before the pieces are taken for parts of one Split
    rules.push_back(spaceToDepthRule());
    rules.push_back(concatChainRule()); // after a Concat of Concats was taken for a SpaceToDepth
    rules.push_back(transposeChainRule());
    rules.push_back(pushTransposeRule()); // what two neighbours alone cannot cancel
    rules.push_back(castChainRule());
    rules.push_back(fillCastRule());
    rules.push_back(quantizeChainRule());
    rules.push_back(unaryChainRule());
    rules.push_back(whereNotRule());
    rules.push_back(gatherToSplitRule());
    return rules;
}

} // namespace fusescope
