#include "patterns/reasons.h"

#include "report/make_reason.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fusescope::reasons {

namespace {

// A value that a node makes is called by the node, as people know it.
MessageArg called(ValueId value, NodeId producer)
{
    return producer ? MessageArg(producer) : MessageArg(value);
}

// The file holds something of the tensor, but not what its type and shape ask for.
bool isDamaged(const Message& why)
{
    constexpr TextId damaged[] = {"io.wrong-size", "io.wrong-count",       "io.bad-shape",
                                  "io.no-contents", "io.tensor-too-large", "io.unknown-dtype"};
    return std::ranges::find(damaged, why.text) != std::end(damaged);
}

} // namespace

Reason multiConsumer(ValueId value, NodeId producer, NodeId reader, std::span<const NodeId> others,
                     std::int64_t count)
{
    std::vector<Subject> culprits(others.begin(), others.end());
    culprits.emplace_back(value);
    return makeReason(ReasonCode::multiConsumer, std::move(culprits), "headline.multi-consumer",
                      "reason.multi-consumer", "unblock.multi-consumer",
                      {{"value", called(value, producer)},
                       {"other", others.empty() ? NodeId{} : others.front()},
                       {"reader", reader},
                       {"count", count}});
}

Reason readTwice(ValueId value, NodeId producer, NodeId reader, std::int64_t times)
{
    return makeReason(ReasonCode::multiConsumer, {reader, value}, "headline.read-twice",
                      "reason.read-twice", "unblock.read-twice",
                      {{"value", called(value, producer)}, {"reader", reader}, {"times", times}});
}

Reason graphOutput(const Graph& graph, ValueId value, BodyId bodyId)
{
    const Body* body = graph.body(bodyId);
    if (!body || body->kind == Body::Kind::main) {
        Reason reason =
            makeReason(ReasonCode::graphOutput, {value}, "headline.graph-output",
                       "reason.graph-output", "unblock.graph-output", {{"value", value}});
        if (body && body->outputs.size() > 1)
            reason.fix = Fix{FixKind::dropOutput, value, false, true};
        return reason;
    }
    if (body->kind == Body::Kind::function)
        return makeReason(ReasonCode::graphOutput, {value}, "headline.graph-output",
                          "reason.function-output", "unblock.body-output",
                          {{"value", value}, {"function", body->name}});
    return makeReason(ReasonCode::graphOutput, {value, body->owner}, "headline.graph-output",
                      "reason.body-output", "unblock.body-output",
                      {{"value", value}, {"body", body->attributeName}, {"owner", body->owner}});
}

Reason subgraphCapture(const Graph& graph, ValueId value, BodyId bodyId)
{
    const Body* body = graph.body(bodyId);
    return makeReason(ReasonCode::subgraphCapture, {body ? body->owner : NodeId{}, value},
                      "headline.subgraph-capture", "reason.subgraph-capture",
                      "unblock.subgraph-capture",
                      {{"value", value},
                       {"body", body ? body->attributeName : std::string()},
                       {"owner", body ? body->owner : NodeId{}}});
}

Reason overridable(std::vector<ValueId> values)
{
    std::vector<Subject> culprits(values.begin(), values.end());
    Reason reason = makeReason(ReasonCode::overridableInitializer, std::move(culprits),
                               "headline.overridable", "reason.overridable", "unblock.overridable",
                               {{"value", values.front()},
                                {"count", static_cast<std::int64_t>(values.size())},
                                {"more", static_cast<std::int64_t>(values.size()) - 1}});
    // Without a target the fix freezes all.
    const ValueId target = values.size() == 1 ? values.front() : ValueId{};
    reason.fix = Fix{FixKind::freezeInitializers, target, false, true};
    return reason;
}

Reason notConstantComputed(ValueId value, NodeId by)
{
    return makeReason(ReasonCode::notConstant, {by, value}, "headline.not-constant",
                      "reason.not-constant", "unblock.not-constant",
                      {{"value", value}, {"node", by}});
}

Reason notConstantInput(const Graph& graph, ValueId id)
{
    const Value* value = graph.value(id);
    const Body* body = value ? graph.body(value->body) : nullptr;
    if (body && body->kind == Body::Kind::function)
        return makeReason(ReasonCode::notConstant, {id}, "headline.function-input",
                          "reason.function-input", "unblock.inline",
                          {{"value", id}, {"function", body->name}});
    if (body && body->kind == Body::Kind::inner)
        return makeReason(ReasonCode::notConstant, {id, body->owner}, "headline.not-constant",
                          "reason.body-input", "unblock.not-constant",
                          {{"value", id}, {"body", body->attributeName}, {"owner", body->owner}});
    if (body && body->initializers.empty())
        return makeReason(ReasonCode::notConstant, {id}, "headline.plain-input",
                          "reason.no-weights", "unblock.no-weights", {{"value", id}});
    return makeReason(ReasonCode::notConstant, {id}, "headline.plain-input", "reason.plain-input",
                      "unblock.plain-input", {{"value", id}});
}

Reason outerScope(ValueId value)
{
    return makeReason(ReasonCode::outerScopeConstant, {value}, "headline.outer-scope",
                      "reason.outer-scope", "unblock.outer-scope", {{"value", value}});
}

Reason operatorVersion(NodeId node, const std::string& op, int version, std::span<const int> known)
{
    if (version == 0)
        return makeReason(ReasonCode::operatorVersion, {node}, "headline.operator-version",
                          "reason.operator-unknown", "unblock.operator-version",
                          {{"node", node}, {"op", op}});
    return makeReason(ReasonCode::operatorVersion, {node}, "headline.operator-version",
                      "reason.operator-version", "unblock.operator-version",
                      {{"node", node},
                       {"op", op},
                       {"version", static_cast<std::int64_t>(version)},
                       {"known", fmt::format("{}", fmt::join(known, ", "))}});
}

Reason customDomain(NodeId node, const OpKey& op)
{
    return makeReason(ReasonCode::customDomain, {node}, "headline.custom-domain",
                      "reason.custom-domain", "unblock.custom-domain",
                      {{"node", node}, {"domain", op.domain}, {"op", op.type}});
}

Reason unsupportedType(Subject subject, const std::string& op, DType type)
{
    return makeReason(ReasonCode::unsupportedType, {subject}, "headline.unsupported-type",
                      "reason.unsupported-type", "unblock.unsupported-type",
                      {{"op", op}, {"type", std::string(nameOf(type))}});
}

Reason lossyCast(NodeId cast, DType between)
{
    return makeReason(ReasonCode::lossyCast, {cast}, "headline.lossy-cast", "reason.lossy-cast",
                      "unblock.lossy-cast",
                      {{"node", cast}, {"type", std::string(nameOf(between))}});
}

Reason castCutsRange(NodeId cast, DType between, NodeId last, DType target)
{
    return makeReason(ReasonCode::lossyCast, {cast}, "headline.lossy-cast",
                      "reason.cast-cuts-range", "unblock.cast-cuts-range",
                      {{"node", cast},
                       {"type", std::string(nameOf(between))},
                       {"last", last},
                       {"target", std::string(nameOf(target))}});
}

Reason mixedTypes(ValueId a, DType typeA, ValueId b, DType typeB)
{
    return makeReason(ReasonCode::mixedTypes, {b, a}, "headline.mixed-types", "reason.mixed-types",
                      "unblock.mixed-types",
                      {{"a", a},
                       {"typeA", std::string(nameOf(typeA))},
                       {"b", b},
                       {"typeB", std::string(nameOf(typeB))}});
}

Reason unknownShape(ValueId value, const Shape& shape)
{
    return makeReason(ReasonCode::unknownShape, {value}, "headline.unknown-shape",
                      "reason.unknown-shape", "unblock.unknown-shape",
                      {{"value", value}, {"shape", shape.text()}});
}

Reason notShownEqual(ValueId a, const Shape& shapeA, ValueId b, const Shape& shapeB)
{
    return makeReason(ReasonCode::unknownShape, {a, b}, "headline.not-shown-equal",
                      "reason.not-shown-equal", "unblock.unknown-shape",
                      {{"a", a}, {"shapeA", shapeA.text()}, {"b", b}, {"shapeB", shapeB.text()}});
}

Reason notPerChannel(ValueId constant, const Shape& shape, std::int64_t axis,
                     const std::string& wanted)
{
    return makeReason(
        ReasonCode::notPerChannel, {constant}, "headline.not-per-channel", "reason.not-per-channel",
        "unblock.not-per-channel",
        {{"constant", constant}, {"shape", shape.text()}, {"axis", axis}, {"wanted", wanted}});
}

Reason broadcastEnlarges(ValueId constant, const Shape& shape, const Shape& data)
{
    return makeReason(ReasonCode::broadcastEnlarges, {constant}, "headline.broadcast-enlarges",
                      "reason.broadcast-enlarges", "unblock.broadcast-enlarges",
                      {{"constant", constant}, {"shape", shape.text()}, {"data", data.text()}});
}

Reason optionalOutputUsed(NodeId node, std::size_t index, ValueId value)
{
    return makeReason(
        ReasonCode::optionalOutputUsed, {value, node}, "headline.optional-output",
        "reason.optional-output", "unblock.optional-output",
        {{"index", static_cast<std::int64_t>(index)}, {"value", value}, {"node", node}});
}

Reason unsupportedAttribute(NodeId node, const std::string& attribute, const std::string& value,
                            const std::string& wanted)
{
    return makeReason(
        ReasonCode::unsupportedAttribute, {node}, "headline.attribute", "reason.attribute",
        "unblock.attribute",
        {{"node", node}, {"attribute", attribute}, {"value", value}, {"wanted", wanted}});
}

Reason attributeOfCall(NodeId node, const std::string& attribute)
{
    return makeReason(ReasonCode::unsupportedAttribute, {node}, "headline.attribute-of-call",
                      "reason.attribute-of-call", "unblock.attribute-of-call",
                      {{"node", node}, {"attribute", attribute}});
}

Reason unknownAttribute(NodeId node, const std::string& attribute, const std::string& op)
{
    return makeReason(ReasonCode::unsupportedAttribute, {node}, "headline.attribute",
                      "reason.unknown-attribute", "unblock.unknown-attribute",
                      {{"node", node}, {"attribute", attribute}, {"op", op}});
}

Reason notFinite(Subject subject, std::int64_t bad, std::int64_t channels, std::int64_t first)
{
    return makeReason(ReasonCode::notFinite, {subject}, "headline.not-finite", "reason.not-finite",
                      "unblock.not-finite",
                      {{"bad", bad}, {"channels", channels}, {"first", first}});
}

Reason variance(NodeId batchnorm, std::int64_t channel, double value)
{
    return makeReason(ReasonCode::notFinite, {batchnorm}, "headline.variance", "reason.variance",
                      "unblock.variance",
                      {{"node", batchnorm}, {"channel", channel}, {"value", value}});
}

Reason sharedWeight(ValueId value, NodeId other, std::int64_t bytes)
{
    return makeReason(ReasonCode::sharedWeight, {value, other}, "headline.shared-weight",
                      "reason.shared-weight", "unblock.shared-weight",
                      {{"value", value}, {"node", other}, {"bytes", bytesText(bytes)}});
}

Reason irThreeInput(ValueId value)
{
    return makeReason(ReasonCode::irThreeInput, {value}, "headline.ir3-input", "reason.ir3-input",
                      "unblock.ir3-input", {{"value", value}});
}

Reason missingExternalData(ValueId value, const Message& why)
{
    if (isDamaged(why)) {
        Reason reason = makeReason(ReasonCode::missingExternalData, {value},
                                   "headline.damaged-data", "reason.missing-data",
                                   "unblock.damaged-data", {{"value", value}});
        reason.message = why;
        return reason;
    }
    Reason reason = makeReason(ReasonCode::missingExternalData, {value}, "headline.missing-data",
                               "reason.missing-data", "unblock.missing-data", {{"value", value}});
    if (!why.text.key.empty())
        reason.message = why;
    return reason;
}

Reason quantizedConstant(ValueId value, NodeId dequantize)
{
    return makeReason(ReasonCode::quantizedNeighbour, {dequantize, value}, "headline.quantized",
                      "reason.quantized-constant", "unblock.quantized",
                      {{"value", value}, {"node", dequantize}});
}

Reason quantizedBetween(NodeId between, NodeId first, NodeId last)
{
    return makeReason(ReasonCode::quantizedNeighbour, {between}, "headline.quantized",
                      "reason.quantized-between", "unblock.quantized",
                      {{"node", between}, {"first", first}, {"last", last}});
}

Reason differentScope(NodeId a, NodeId b)
{
    return makeReason(ReasonCode::differentScope, {b, a}, "headline.different-scope",
                      "reason.different-scope", "unblock.different-scope", {{"a", a}, {"b", b}});
}

Reason readsFromCaller(const Graph& graph, NodeId node, ValueId value, BodyId bodyId)
{
    const Body* body = graph.body(bodyId);
    if (body && body->kind == Body::Kind::inner)
        return makeReason(ReasonCode::differentScope, {node, body->owner},
                          "headline.different-scope", "reason.reads-body-input",
                          "unblock.different-scope",
                          {{"node", node},
                           {"value", value},
                           {"body", body->attributeName},
                           {"owner", body->owner}});
    return makeReason(
        ReasonCode::differentScope, {node}, "headline.different-scope", "reason.reads-from-caller",
        "unblock.inline",
        {{"node", node}, {"value", value}, {"function", body ? body->name : std::string()}});
}

Reason nonDeterministic(NodeId node, const std::string& op)
{
    return makeReason(ReasonCode::nonDeterministic, {node}, "headline.non-deterministic",
                      "reason.non-deterministic", "unblock.non-deterministic",
                      {{"node", node}, {"op", op}});
}

Reason emptyTensor(ValueId value, const Shape& shape)
{
    return makeReason(ReasonCode::emptyTensor, {value}, "headline.empty-tensor",
                      "reason.empty-tensor", "unblock.empty-tensor",
                      {{"value", value}, {"shape", shape.text()}});
}

Reason growthLimit(Subject subject, std::int64_t bytes, std::int64_t limit)
{
    return makeReason(ReasonCode::growthLimit, {subject}, "headline.growth-limit",
                      "reason.growth-limit", "unblock.growth-limit",
                      {{"bytes", bytesText(bytes)}, {"limit", bytesText(limit)}});
}

Reason pinned(NodeId node)
{
    return makeReason(ReasonCode::pinned, {node}, "headline.pinned", "reason.pinned",
                      "unblock.pinned", {{"node", node}});
}

Reason pinnedValue(ValueId value)
{
    return makeReason(ReasonCode::pinned, {value}, "headline.pinned", "reason.pinned",
                      "unblock.pinned", {{"node", value}});
}

Reason trainingMode(NodeId batchnorm, const std::string& form)
{
    Reason reason = makeReason(ReasonCode::trainingModeBatchnorm, {batchnorm},
                               "headline.training-mode", "reason.training-mode",
                               "unblock.training-mode", {{"node", batchnorm}, {"form", form}});
    reason.fix = Fix{FixKind::inferenceBatchnorm, batchnorm, true, false};
    return reason;
}

Reason extraOutputs(NodeId batchnorm, std::int64_t outputs)
{
    Reason reason =
        makeReason(ReasonCode::trainingModeBatchnorm, {batchnorm}, "headline.training-outputs",
                   "reason.training-outputs", "unblock.training-outputs",
                   {{"node", batchnorm}, {"count", outputs - 1}});
    reason.fix = Fix{FixKind::inferenceBatchnorm, batchnorm, true, false};
    return reason;
}

Reason batchStatistics(NodeId batchnorm, NodeId from, std::vector<Subject> computed)
{
    computed.insert(computed.begin(), Subject(batchnorm));
    return makeReason(ReasonCode::batchStatistics, std::move(computed), "headline.batch-statistics",
                      "reason.batch-statistics", "unblock.batch-statistics",
                      {{"node", batchnorm}, {"from", from}});
}

} // namespace fusescope::reasons
