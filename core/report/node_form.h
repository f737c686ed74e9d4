#pragma once

#include "base/message.h"
#include "model/graph.h"
#include "model/schema.h"

#include <optional>
#include <vector>

namespace fusescope {

// Why the model's opsets have no such operator; nothing for those that they have and for domains of
// others.
std::optional<Message> unknownOperator(const Graph& graph, const Node& node);

// The attributes of another type than the operator's, and those that it needs and that are not there.
std::vector<Message> wrongAttributes(const OpSchema& schema, const Node& node);

} // namespace fusescope
