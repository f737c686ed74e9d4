#pragma once

#include "model/node.h"

namespace fusescope {

// The nodes of the file that a node stands for: itself, where it is one or has no record.
inline std::vector<NodeId> originsOf(NodeId id, const Node* record)
{
    return record && !record->origins.empty() ? record->origins : std::vector<NodeId>{id};
}

} // namespace fusescope
