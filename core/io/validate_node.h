#pragma once

#include "io/document.h"

namespace fusescope {

// What one node breaks of its operator's schema, its function or the rules of its body.
void validateNode(const Graph& graph, NodeId id, std::vector<Problem>& problems);

} // namespace fusescope
