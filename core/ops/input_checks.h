#pragma once

#include "base/result.h"
#include "model/graph.h"
#include "model/schema.h"
#include "ops/runtime_value.h"

#include <functional>
#include <optional>
#include <span>

namespace fusescope {

// What the standard asks of the inputs of any operator, checked before its kernel runs: that each is of
// a type that some version of the operator takes (older ones may know fewer), that inputs of one type
// variable are of one type, and that parameters such as axes, sizes and scales are no matrices. Errors
// name the node, the input, what was expected and what was found.
Result<void> checkInputs(const OpSchema& schema, const Node& node, NodeId id,
                         std::span<const RuntimeValue> inputs);

// The same error with the name of the value beside the number of an input.
Error withValueName(Error error, const Node& node);

// The same of what is known of the inputs before they are there; nothing is asked of unknown types.
Result<void> checkInputTypes(const OpSchema& schema, const Node& node, NodeId id,
                             std::span<const Type> inputs);

// An If whose branches give an output in two types, by what is known of them: its since-version 1
// already asks for one type, while sizes may differ.
std::optional<Message> differingBranches(const Graph& graph, const Node& node,
                                         const std::function<Type(ValueId)>& typeOf);
std::optional<Message> differingBranches(const Graph& graph, const Node& node); // as annotated

} // namespace fusescope
