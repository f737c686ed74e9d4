#pragma once

#include "io/wire.h"
#include "model/type.h"

#include <optional>

namespace fusescope {

// TypeProto; nothing where it is malformed or nested deeper than `depth`. Negative sizes are unknown.
std::optional<Type> readTypeMessage(std::string_view message, int depth);
// Sizes that hold an unknown are left open.
WireMessage typeMessage(const Type& type);

// Whether no value can be of both types.
bool contradict(const Type& a, const Type& b);

} // namespace fusescope
