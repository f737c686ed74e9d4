#pragma once

#include "base/message.h"
#include "model/node.h"
#include "model/schema.h"

#include <vector>

namespace fusescope {

// The attributes of another type than the operator's, and those that it needs and that are not there.
std::vector<Message> wrongAttributes(const OpSchema& schema, const Node& node);

} // namespace fusescope
