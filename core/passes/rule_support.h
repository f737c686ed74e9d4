#pragma once

#include "passes/pass.h"

#include <optional>

namespace fusescope {

// What the rules that are no fusion patterns share.

bool isPinned(const PassContext& context, NodeId node);

// Makes an existing value a constant in place of what made it: an initializer under its own name; a
// Constant node where the value is an output of an inner body or lies in a function, since those
// hold no such initializers.
void makeConstant(PatchBuilder& builder, ValueId value, TensorPtr tensor);

// Lets `source` stand for `output` everywhere and removes `node`, whose first output it is. Where
// `output` is an output of its body, its public name stays: the producer of `source` makes it.
void bypass(PatchBuilder& builder, NodeId node, ValueId output, ValueId source);

// Why `source` cannot stand for `output` (legality 2.3): the name of an input or initializer, or of
// another output, would become the public one.
std::optional<Reason> cannotBypass(const PassContext& context, ValueId output, ValueId source);

Reason makeReason(ReasonCode code, std::vector<Subject> culprits, Message headline, Message message,
                  Message unblock = {});

MissReason missAt(RuleId rule, NodeId root, Reason reason);

} // namespace fusescope
