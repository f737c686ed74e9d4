#include "patterns/reasons.h"

#include "report/make_reason.h"

// Reasons about what stands where, and about shapes, paddings and constants.
namespace fusescope::reasons {

namespace {

ReasonArgs betweenArgs(NodeId between, const std::string& op, NodeId first, NodeId last)
{
    return {{"node", between}, {"op", op}, {"first", first}, {"last", last}};
}

} // namespace

Reason shapeOperatorBetween(NodeId between, const std::string& op, NodeId first, NodeId last)
{
    return makeReason(ReasonCode::shapeOperatorBetween, {between}, "headline.shape-between",
                      "reason.shape-between", "unblock.shape-between",
                      betweenArgs(between, op, first, last));
}

Reason shortcutReshaped(NodeId between, const std::string& op, const Shape& found, NodeId conv,
                        const Shape& wanted)
{
    return makeReason(ReasonCode::shapeOperatorBetween, {between, conv},
                      "headline.shortcut-reshaped", "reason.shortcut-reshaped",
                      "unblock.shortcut-reshaped",
                      {{"node", between},
                       {"op", op},
                       {"shape", found.text()},
                       {"conv", conv},
                       {"wanted", wanted.text()}});
}

Reason activationBetween(NodeId between, const std::string& op, NodeId first, NodeId last)
{
    return makeReason(ReasonCode::activationBetween, {between}, "headline.activation-between",
                      "reason.activation-between", "unblock.activation-between",
                      betweenArgs(between, op, first, last));
}

Reason castBetween(NodeId between, NodeId first, NodeId last)
{
    return makeReason(ReasonCode::castBetween, {between}, "headline.cast-between",
                      "reason.cast-between", "unblock.cast-between",
                      betweenArgs(between, "Cast", first, last));
}

Reason operatorBetween(NodeId between, const std::string& op, NodeId first, NodeId last)
{
    return makeReason(ReasonCode::operatorBetween, {between}, "headline.operator-between",
                      "reason.operator-between", "unblock.operator-between",
                      betweenArgs(between, op, first, last));
}

Reason sideEffectBetween(NodeId between, const std::string& op, NodeId first, NodeId last)
{
    return makeReason(ReasonCode::sideEffect, {between}, "headline.side-effect-between",
                      "reason.side-effect-between", "unblock.side-effect-between",
                      betweenArgs(between, op, first, last));
}

Reason readsOther(NodeId root, NodeId producer, const std::string& op, TextId sentence)
{
    return makeReason(ReasonCode::operatorBetween, {producer}, "headline.reads-other", sentence,
                      "unblock.reads-other", {{"root", root}, {"node", producer}, {"op", op}});
}

Reason readsInput(NodeId root, ValueId input, TextId sentence)
{
    return makeReason(ReasonCode::operatorBetween, {input}, "headline.reads-input", sentence,
                      "unblock.reads-other", {{"root", root}, {"value", input}});
}

Reason incompleteCover(ValueId value, std::int64_t axis)
{
    return makeReason(ReasonCode::incompleteCover, {value}, "headline.incomplete-cover",
                      "reason.incomplete-cover", "unblock.incomplete-cover",
                      {{"value", value}, {"axis", axis}});
}

Reason shapeMismatch(ValueId a, const Shape& shapeA, ValueId b, const Shape& shapeB)
{
    return makeReason(ReasonCode::shapeMismatch, {a, b}, "headline.shape-mismatch",
                      "reason.shape-mismatch", "unblock.shape-mismatch",
                      {{"a", a}, {"shapeA", shapeA.text()}, {"b", b}, {"shapeB", shapeB.text()}});
}

Reason unsupportedRank(ValueId value, const Shape& shape, const std::string& wanted)
{
    return makeReason(ReasonCode::unsupportedRank, {value}, "headline.unsupported-rank",
                      "reason.unsupported-rank", "unblock.unsupported-rank",
                      {{"value", value}, {"shape", shape.text()}, {"wanted", wanted}});
}

Reason channelMismatch(NodeId node, std::int64_t made, ValueId parameter, const std::string& found)
{
    return makeReason(ReasonCode::channelMismatch, {parameter, node}, "headline.channel-mismatch",
                      "reason.channel-mismatch", "unblock.channel-mismatch",
                      {{"node", node}, {"made", made}, {"parameter", parameter}, {"found", found}});
}

Reason parameterShape(ValueId parameter, const Shape& shape, std::int64_t channels)
{
    return makeReason(ReasonCode::channelMismatch, {parameter}, "headline.parameter-shape",
                      "reason.parameter-shape", "unblock.channel-mismatch",
                      {{"parameter", parameter}, {"shape", shape.text()}, {"channels", channels}});
}

Reason wouldCreateCycle(ValueId value, NodeId node)
{
    return makeReason(ReasonCode::wouldCreateCycle, {value, node}, "headline.cycle", "reason.cycle",
                      "unblock.cycle", {{"value", value}, {"node", node}});
}

Reason alreadyFused(NodeId node, NodeId with)
{
    return makeReason(ReasonCode::operatorBetween, {node, with}, "headline.already-fused",
                      "reason.already-fused", "unblock.already-fused",
                      {{"node", node}, {"with", with}});
}

Reason alreadyHasActivation(NodeId node, NodeId activation, const std::string& op)
{
    return makeReason(ReasonCode::alreadyHasActivation, {activation, node},
                      "headline.has-activation", "reason.has-activation", "unblock.has-activation",
                      {{"node", node}, {"activation", activation}, {"op", op}});
}

Reason paddingSeesShift(NodeId conv, NodeId batchnorm)
{
    return makeReason(ReasonCode::paddingSeesShift, {conv, batchnorm},
                      "headline.padding-sees-shift", "reason.padding-sees-shift",
                      "unblock.padding-sees-shift", {{"conv", conv}, {"bn", batchnorm}});
}

Reason paddingMode(NodeId pad, const std::string& mode, NodeId reader)
{
    return makeReason(ReasonCode::unsupportedAttribute, {pad}, "headline.padding-mode",
                      "reason.padding-mode", "unblock.padding-mode",
                      {{"pad", pad}, {"mode", mode}, {"reader", reader}});
}

Reason paddingValue(NodeId pad, double value, NodeId reader)
{
    return makeReason(ReasonCode::paddingValue, {pad}, "headline.padding-value",
                      "reason.padding-value", "unblock.padding-value",
                      {{"pad", pad}, {"value", value}, {"reader", reader}});
}

Reason maxPoolPadding(NodeId pad, NodeId pool)
{
    return makeReason(ReasonCode::paddingValue, {pad}, "headline.max-pool-padding",
                      "reason.max-pool-padding", "unblock.max-pool-padding",
                      {{"pad", pad}, {"pool", pool}});
}

Reason padNotBelowKernel(NodeId pool, std::int64_t pad, std::int64_t kernel)
{
    return makeReason(ReasonCode::unsupportedAttribute, {pool}, "headline.pad-not-below-kernel",
                      "reason.pad-not-below-kernel", "unblock.pad-not-below-kernel",
                      {{"node", pool}, {"pad", pad}, {"kernel", kernel}});
}

Reason negativePadding(NodeId pad, std::int64_t axis)
{
    return makeReason(ReasonCode::negativePadding, {pad}, "headline.negative-padding",
                      "reason.negative-padding", "unblock.negative-padding",
                      {{"pad", pad}, {"axis", axis}});
}

Reason padsOtherAxis(NodeId pad, std::int64_t axis, std::int64_t amount)
{
    return makeReason(ReasonCode::padsOtherAxis, {pad}, "headline.pads-other-axis",
                      "reason.pads-other-axis", "unblock.pads-other-axis",
                      {{"pad", pad}, {"axis", axis}, {"amount", amount}});
}

Reason zeroCopiesDimension(NodeId reshape, std::int64_t axis)
{
    return makeReason(ReasonCode::zeroCopiesDimension, {reshape}, "headline.zero-copies",
                      "reason.zero-copies", "unblock.zero-copies",
                      {{"node", reshape}, {"axis", axis}});
}

Reason invertedBounds(NodeId clip, double low, double high)
{
    return makeReason(ReasonCode::invertedBounds, {clip}, "headline.inverted-bounds",
                      "reason.inverted-bounds", "unblock.inverted-bounds",
                      {{"node", clip}, {"low", low}, {"high", high}});
}

Reason notANumberBound(NodeId clip)
{
    return makeReason(ReasonCode::invertedBounds, {clip}, "headline.nan-bound", "reason.nan-bound",
                      "unblock.nan-bound", {{"node", clip}});
}

Reason axisMismatch(NodeId node, std::int64_t found, std::int64_t wanted, TextId sentence)
{
    return makeReason(ReasonCode::axisMismatch, {node}, "headline.axis-mismatch", sentence,
                      "unblock.axis-mismatch",
                      {{"node", node}, {"found", found}, {"wanted", wanted}});
}

Reason unexpectedConstant(ValueId constant, double found, const std::string& wanted)
{
    return makeReason(ReasonCode::unexpectedConstant, {constant}, "headline.unexpected-constant",
                      "reason.unexpected-constant", "unblock.unexpected-constant",
                      {{"constant", constant}, {"found", found}, {"wanted", wanted}});
}

Reason unexpectedFactor(ValueId constant, double found, const std::string& wanted)
{
    return makeReason(ReasonCode::unexpectedConstant, {constant}, "headline.unexpected-constant",
                      "reason.unexpected-factor", "unblock.unexpected-constant",
                      {{"constant", constant}, {"found", found}, {"wanted", wanted}});
}

Reason otherAxes(NodeId node, const std::string& found, const std::string& wanted)
{
    return makeReason(ReasonCode::axisMismatch, {node}, "headline.other-axes", "reason.other-axes",
                      "unblock.other-axes", {{"node", node}, {"found", found}, {"wanted", wanted}});
}

Reason notOneNumber(ValueId constant, const Shape& shape)
{
    return makeReason(ReasonCode::unexpectedConstant, {constant}, "headline.not-one-number",
                      "reason.not-one-number", "unblock.not-one-number",
                      {{"constant", constant}, {"shape", shape.text()}});
}

Reason operandOrder(NodeId node, const std::string& found, const std::string& wanted)
{
    return makeReason(ReasonCode::operandOrder, {node}, "headline.operand-order",
                      "reason.operand-order", "unblock.operand-order",
                      {{"node", node}, {"found", found}, {"wanted", wanted}});
}

Reason wrongOperand(NodeId producer, NodeId reader, std::size_t index)
{
    return makeReason(
        ReasonCode::operandOrder, {reader, producer}, "headline.wrong-operand",
        "reason.wrong-operand", "unblock.wrong-operand",
        {{"producer", producer}, {"reader", reader}, {"index", static_cast<std::int64_t>(index)}});
}

Reason unsupportedActivation(NodeId node, TextId sentence)
{
    return makeReason(ReasonCode::unsupportedActivation, {node}, "headline.unsupported-activation",
                      sentence, "unblock.unsupported-activation", {{"node", node}});
}

Reason partsAreCopied(NodeId conv, NodeId concat, DType type)
{
    return makeReason(ReasonCode::notProfitable, {conv, concat}, "headline.not-profitable",
                      "reason.parts-are-copied", "unblock.parts-are-copied",
                      {{"node", conv}, {"concat", concat}, {"type", std::string(nameOf(type))}});
}

Reason opsetTooOld(NodeId node, const std::string& op, std::int64_t since, std::int64_t opset)
{
    return makeReason(ReasonCode::opsetTooOld, {node}, "headline.opset-too-old",
                      "reason.opset-too-old", "unblock.opset-too-old",
                      {{"node", node}, {"op", op}, {"since", since}, {"opset", opset}});
}

Reason targetFusesNatively(NodeId node, const std::string& target)
{
    return makeReason(ReasonCode::targetFusesNatively, {node}, "headline.target-fuses",
                      "reason.target-fuses", "unblock.target-fuses",
                      {{"node", node}, {"target", target}});
}

Reason readsBoth(NodeId node, NodeId other, NodeId reader)
{
    return makeReason(ReasonCode::notProfitable, {reader, node}, "headline.reads-both",
                      "reason.reads-both", "unblock.reads-both",
                      {{"node", node}, {"other", other}, {"reader", reader}});
}

Reason asManyTransposes(NodeId transpose, NodeId obstacle, std::int64_t gone, std::int64_t added)
{
    return makeReason(ReasonCode::notProfitable, {obstacle}, "headline.as-many-transposes",
                      "reason.as-many-transposes", "unblock.as-many-transposes",
                      {{"node", transpose}, {"obstacle", obstacle}, {"gone", gone}, {"added", added}});
}

} // namespace fusescope::reasons
