#pragma once

#include "ops/inference.h"
#include "ops/kernel.h"

#include <span>
#include <string_view>

namespace fusescope {

// What an operator means from a since-version on, until a later entry of the same operator.
struct OpEntry
{
    std::string_view domain; // "" is the standard one
    std::string_view type;
    int since = 1;
    InferFunction infer = nullptr;
    KernelFunction kernel = nullptr; // null: no reference kernel
};

// The entry that holds at a version (a schema's since-version); null if none does.
const OpEntry* findOp(std::string_view domain, std::string_view type, int sinceVersion);

// All entries, family by family.
std::vector<OpEntry> allOps();

// Whether two runs on the same inputs may differ: random operators, and Dropout in training.
bool isNonDeterministic(const Graph& graph, const Node& node);
// Whether a node does something besides making its outputs: an unknown domain or operator, no
// outputs at all, or a name that says so (Print, Assert). `pure` lists "domain:Op" that the user
// declared pure.
bool mayHaveSideEffects(const Graph& graph, const Node& node,
                        std::span<const std::string> pure = {});

} // namespace fusescope
