#pragma once

#include "passes/pass.h"

#include <memory>
#include <vector>

namespace fusescope {

// The rules that are no fusion patterns, in their order: inline-function, fold-if, fold-shape,
// fold-constant; remove-identity, remove-dropout, remove-noop, remove-dead, merge-duplicates,
// reshape-chain, transpose-chain, cast-chain, gather-to-split.
std::vector<std::unique_ptr<const Pass>> cleanupRules();

} // namespace fusescope
