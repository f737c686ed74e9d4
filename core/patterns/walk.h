#pragma once

#include "patterns/pattern.h"

#include <functional>
#include <optional>
#include <string_view>

namespace fusescope {

// What a node is when it stands where a partner should be.
enum class BetweenKind {
    none,       // it ends the walk
    noop,       // Identity
    shape,      // Reshape, Transpose, Slice, …: the same elements, or some of them, elsewhere
    cast,       // Cast, CastLike
    activation, // any that conv-activation knows
    quantize,   // QuantizeLinear, DequantizeLinear
    sideEffect  // an operator of another domain
};
BetweenKind betweenKind(const GraphView& view, const Node& node);

// A partner found upstream, directly or behind a chain of one kind (and Identities).
struct Found
{
    NodeId node;          // the partner, a plain node or a region
    ValueId value;        // its output where the chain starts
    NodeId reader;        // what reads that output: the chain's first node, or the root
    NodeId between;       // the chain's last node that is no Identity (one, if there is no other)
    BetweenKind kind = BetweenKind::noop; // of the chain, when there is one
    int length = 0;

    bool isDirect() const { return length == 0; }
};

// Follows data inputs (input 0) upwards from `value`, which `root` reads, until `accept` says yes.
// `through` lets the walk pass nodes of other kinds by type; they count as a kind of their own.
std::optional<Found> findProducer(const GraphView& view, NodeId root, ValueId value,
                                  const std::function<bool(NodeId, const Node&)>& accept,
                                  std::span<const std::string_view> through = {});

// The refusal for a chain that is not empty. Carries the fix drop-noop where the one node between
// changes nothing.
Reason betweenReason(const MatchContext& context, const Found& found, NodeId root);

// The refusal when there is no partner at all: what the root reads instead.
Reason noPartner(const MatchContext& context, NodeId root, ValueId value,
                 TextId readsOther = "reason.reads-other",
                 TextId readsInput = "reason.reads-input");

// The value inside a region's body that an output of the region gives; the value itself where its
// producer is no region.
ValueId insideRegion(const GraphView& view, ValueId value);

// What an input of a region's body is outside; the value itself where it is no input.
ValueId outsideRegion(const GraphView& view, NodeId region, ValueId inner);

// Whether `value` is computed from an output of `node`, looking only at what stands before `end` in
// the body of `node`.
bool dependsOn(const GraphView& view, ValueId value, NodeId node, NodeId end);

// The node of `body` that a node is or lies inside of; none if it is elsewhere.
NodeId ancestorIn(const GraphView& view, NodeId node, BodyId body);

} // namespace fusescope
