#pragma once

#include "model/graph.h"

#include <functional>
#include <optional>

namespace fusescope {

// Floating-point operations of one execution of a node: 2 for each multiply and add of convolutions
// and products, one an element for the rest; a body counts once. Symbols take the sizes that
// `sizeOf` gives; nothing when a shape that matters is not known.
std::optional<double> flopsOf(const Graph& graph, NodeId node,
                              const std::function<std::optional<std::int64_t>(const Dim&)>& sizeOf);

// Bytes of a value at these sizes; nothing when they are not known.
std::optional<std::int64_t>
bytesOf(const Value& value, const std::function<std::optional<std::int64_t>(const Dim&)>& sizeOf);

// Stored bytes of a constant: an initializer, or what a Constant node holds.
std::int64_t storedBytesOf(const Graph& graph, ValueId value);

// A sum of sizes or FLOPs as a whole number. A file may name more than any machine counts: 2^53 then,
// so that several of them stay within 64 bits.
std::int64_t countedSum(double sum);

} // namespace fusescope
