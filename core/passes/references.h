#pragma once

#include "passes/pass.h"

namespace fusescope {

// An attribute of a function's node may refer to one of the call (AttributeProto.ref_attr_name): in
// the body it has no value, and reading it gives the default. What a rule offers or refuses after it
// read such a node is therefore refused for that reason. Rules that carry attributes along whatever
// they are keep their answer.
PassAnswer withoutReferences(const Pass& pass, const Graph& graph, NodeId root, const ReadSet& reads,
                             PassAnswer answer);

// Those rules.
std::span<const std::string_view> referenceCarriers();

} // namespace fusescope
