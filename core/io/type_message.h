#pragma once

#include "io/wire.h"
#include "model/type.h"

#include <optional>

namespace fusescope {

// TypeProto; nothing where it is malformed or nested deeper than `depth`. Negative sizes are unknown.
std::optional<Type> readTypeMessage(std::string_view message, int depth);
// Sizes that hold an unknown are left open.
WireMessage typeMessage(const Type& type);

// ValueInfoProto: the original with another name and, unless it is kept, another type.
WireMessage valueInfoMessage(std::string_view original, const std::string& name, const Type& type,
                             bool keepType, const std::string& doc);

// Whether no value can be of both types.
bool contradict(const Type& a, const Type& b);

} // namespace fusescope
