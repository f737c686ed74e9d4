#pragma once

#include "passes/pass.h"
#include "patterns/conditions.h"
#include "report/make_reason.h"

#include <optional>

namespace fusescope {

// What the rules that are no fusion patterns share.

// Whether the policy lets the rule be applied.
bool isOn(const Policy& policy, const Pass& pass);

// Whether a pin keeps the node: its own, that of a value that it makes, or one inside its bodies.
bool isPinned(const Graph& graph, const Policy& policy, NodeId node);
bool isPinned(const PassContext& context, NodeId node);
// Whether a pin keeps any node of a body, or of the bodies inside it.
bool holdsPinned(const Graph& graph, const Policy& policy, BodyId body);

// The condition that no pin keeps the nodes: their own, or that of a value that one of them makes and
// that would go, or get another name.
void checkUnpinned(Conditions& conditions, std::span<const NodeId> nodes);

// What removing dead nodes must leave, for a PatchBuilder over `graph`. Both must outlive it.
std::function<bool(NodeId)> keptByPins(const Graph& graph, const Policy& policy);
// The initializers that stay though nothing reads them: pinned ones, and those of annotations.
std::function<bool(ValueId)> keptInitializers(const Graph& graph, const Policy& policy);
// The patch of a fix on the model as opened, which keeps what the policy pins; an error when its
// target is not what it needs.
Result<GraphPatch> fixPatch(const Graph& graph, IdPool& pool, const Fix& fix, const Policy& policy);

// As optimizing and explaining evaluate: the reference executor, within the memory for folding.
const Evaluate& evaluateForFolding();
// Bytes of all constants of a model, as a file holds them: what the growth limit counts.
std::int64_t constantBytes(const Graph& graph);

// Makes an existing value a constant in place of what made it: an initializer under its own name; a
// Constant node where the value is an output of an inner body or lies in a function, since those
// hold no such initializers.
void makeConstant(PatchBuilder& builder, ValueId value, TensorPtr tensor);

// Lets `source` stand for `output` everywhere and removes `node`, whose first output it is. Where
// `output` is an output of its body, its public name stays: the producer of `source` makes it.
void bypass(PatchBuilder& builder, NodeId node, ValueId output, ValueId source);

// Lets `source`, made in the same body, be read in place of `output`. The node of `output` is gone
// by then. The name of an output of the body stays.
void replaceBy(PatchBuilder& builder, ValueId output, ValueId source);

// `source` cannot stand for `output`: the name of an output would be lost.
Reason publicName(ValueId source, ValueId output);

// Why `source` cannot stand for `output` (legality 2.3): the name of an input or initializer, or of
// another output, would become the public one.
std::optional<Reason> cannotBypass(const PassContext& context, ValueId output, ValueId source);

// The input that a node passes on as its first output, bit for bit at every size, as remove-noop and
// remove-identity see it; none where it may change anything.
ValueId passedOn(const GraphView& view, NodeId node);

// The body of a node that stands in this attribute ("then_branch"); no id where it has none.
BodyId branchOf(const Graph& graph, const Node& node, std::string_view attribute);

// What a node gets wrong by its operator's definition: a model that fails must not begin to run, or
// fail elsewhere, through a rewrite.
std::optional<Reason> notValid(const GraphView& view, std::span<const NodeId> nodes);

MissReason missAt(RuleId rule, NodeId root, Reason reason);

} // namespace fusescope
