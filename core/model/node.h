#pragma once

#include "model/attribute.h"
#include "model/region.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fusescope {

// What a node computes: "" is the standard domain ("ai.onnx" in files means the same).
struct OpKey
{
    std::string domain;
    std::string type;
    std::string overload;

    bool isStandard() const { return domain.empty(); }
    auto operator<=>(const OpKey&) const = default;
};

// Where a node stands in its body: sorted by key is topological order. File nodes leave gaps of
// 2^24 so that a rewrite's new nodes fit before its root.
using OrderKey = std::uint64_t;
inline constexpr OrderKey orderGap = OrderKey{1} << 24;

using Metadata = std::vector<std::pair<std::string, std::string>>;

struct Node
{
    OpKey op;
    std::string name; // data, often empty or repeated, never identity
    Attributes attributes;
    BodyId body; // the body it stands in
    OrderKey order = 0;
    std::vector<ValueId> inputs, outputs; // ValueId{} is an absent optional one
    std::vector<BodyId> bodies;           // of If, Loop, Scan, SequenceMap, a region
    std::vector<NodeId> origins;          // nodes of the file that this one stands for; empty: itself
    std::optional<Region> region;         // set for nodes of domain "fusescope"
    std::string docString;
    Metadata metadata;

    bool is(std::string_view type) const { return op.domain.empty() && op.type == type; }
    ValueId input(std::size_t i) const { return i < inputs.size() ? inputs[i] : ValueId{}; }
    ValueId output(std::size_t i) const { return i < outputs.size() ? outputs[i] : ValueId{}; }
};
using NodePtr = std::shared_ptr<const Node>;

} // namespace fusescope
