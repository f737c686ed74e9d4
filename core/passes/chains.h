#pragma once

#include "passes/rule_support.h"

#include <string_view>

namespace fusescope {

// What the rules share that make one node of two of a kind, one behind the other.

// The offer to let `last` read `source` in place of the node before it, changed by `edit`, or, with
// `nothing`, to let `source` stand for its output where its name need not stay.
Offer joinOffer(const PassContext& context, NodeId first, NodeId last, ValueId source, bool nothing,
                std::function<Result<void>(PatchBuilder&)> edit);

} // namespace fusescope
