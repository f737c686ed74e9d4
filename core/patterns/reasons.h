#pragma once

#include "patterns/pattern.h"

#include <span>
#include <string>
#include <vector>

// One maker for each reason code (several where a code has several sentences). They only put data
// together: the texts stand in report/texts, names are looked up when a reason is shown.
namespace fusescope::reasons {

// G01. `others` are the first of the `count` readers besides the node that the fusion wants.
Reason multiConsumer(ValueId value, NodeId producer, NodeId reader, std::span<const NodeId> others,
                     std::int64_t count);
// G01 for Add(c, c): one node reads the value several times.
Reason readTwice(ValueId value, NodeId producer, NodeId reader, std::int64_t times);
// G02. `owner` is the node of the inner body, none for the model's own outputs.
Reason graphOutput(const Graph& graph, ValueId value, BodyId body);
// G03. `body` reads the value by name.
Reason subgraphCapture(const Graph& graph, ValueId value, BodyId body);
// G04; several initializers make one reason, whose fix freezes all of the model's.
Reason overridable(std::vector<ValueId> values);
// G05
Reason notConstantComputed(ValueId value, NodeId by);
Reason notConstantInput(const Graph& graph, ValueId value);
// G07, a remark
Reason outerScope(ValueId value);
// G08
Reason operatorVersion(NodeId node, const std::string& op, int version, std::span<const int> known);
// A remark: the operator that says the same comes with a later opset, a region stands for it.
Reason opsetTooOld(NodeId node, const std::string& op, std::int64_t since, std::int64_t opset);
// G09
Reason customDomain(NodeId node, const OpKey& op);
// G10
Reason unsupportedType(Subject subject, const std::string& op, DType type);
Reason lossyCast(NodeId cast, DType between);
Reason castCutsRange(NodeId cast, DType between, NodeId last, DType target);
// G11
Reason mixedTypes(ValueId a, DType typeA, ValueId b, DType typeB);
// G12
Reason unknownShape(ValueId value, const Shape& shape);
Reason notShownEqual(ValueId a, const Shape& shapeA, ValueId b, const Shape& shapeB);
// G13
Reason notPerChannel(ValueId constant, const Shape& shape, std::int64_t axis,
                     const std::string& wanted);
Reason broadcastEnlarges(ValueId constant, const Shape& shape, const Shape& data);
// G14
Reason optionalOutputUsed(NodeId node, std::size_t index, ValueId value);
// G15
Reason unsupportedAttribute(NodeId node, const std::string& attribute, const std::string& value,
                            const std::string& wanted);
// The attribute refers to one of the function's call.
Reason attributeOfCall(NodeId node, const std::string& attribute);
Reason unknownAttribute(NodeId node, const std::string& attribute, const std::string& op);
// G16
Reason notFinite(Subject subject, std::int64_t bad, std::int64_t channels, std::int64_t first);
Reason variance(NodeId batchnorm, std::int64_t channel, double value);
// G17, a remark
Reason sharedWeight(ValueId value, NodeId other, std::int64_t bytes);
// G06, a remark
Reason irThreeInput(ValueId value);
// G18
// `why` is what the tensor says of its contents.
Reason missingExternalData(ValueId value, const Message& why);
// G19
Reason quantizedConstant(ValueId value, NodeId dequantize);
Reason quantizedBetween(NodeId between, NodeId first, NodeId last);
// G20
Reason differentScope(NodeId a, NodeId b);
Reason readsFromCaller(const Graph& graph, NodeId node, ValueId value, BodyId body);
// G22 G23 G26 G27
Reason nonDeterministic(NodeId node, const std::string& op);
Reason emptyTensor(ValueId value, const Shape& shape);
Reason growthLimit(Subject subject, std::int64_t bytes, std::int64_t limit);
Reason pinned(NodeId node);
Reason pinnedValue(ValueId value);

// BatchNormalization in training: `form` is training_mode=1, is_test=0 or "5 outputs".
Reason trainingMode(NodeId batchnorm, const std::string& form);
// training_mode is 0, yet there are outputs that only training has.
Reason extraOutputs(NodeId batchnorm, std::int64_t outputs);
Reason batchStatistics(NodeId batchnorm, NodeId from, std::vector<Subject> computed);

// What stands where the partner should be.
Reason shapeOperatorBetween(NodeId between, const std::string& op, NodeId first, NodeId last);
// The other side of an Add passes a shape operator and does not have the shape of `conv`.
Reason shortcutReshaped(NodeId between, const std::string& op, const Shape& found, NodeId conv,
                        const Shape& wanted);
Reason activationBetween(NodeId between, const std::string& op, NodeId first, NodeId last);
Reason castBetween(NodeId between, NodeId first, NodeId last);
Reason operatorBetween(NodeId between, const std::string& op, NodeId first, NodeId last);
Reason sideEffectBetween(NodeId between, const std::string& op, NodeId first, NodeId last);
// The root reads this node's output (or an input of the model), no partner at all. The sentences say
// what a fusion would need; those given by default say "a convolution".
Reason readsOther(NodeId root, NodeId producer, const std::string& op,
                  TextId sentence = "reason.reads-other");
Reason readsInput(NodeId root, ValueId input, TextId sentence = "reason.reads-input");

Reason incompleteCover(ValueId value, std::int64_t axis);
// `a` should have had the shape of `b`.
Reason shapeMismatch(ValueId a, const Shape& shapeA, ValueId b, const Shape& shapeB);
Reason unsupportedRank(ValueId value, const Shape& shape, const std::string& wanted);
Reason channelMismatch(NodeId node, std::int64_t made, ValueId parameter, const std::string& found);
// A parameter that should be a vector of `channels` elements.
Reason parameterShape(ValueId parameter, const Shape& shape, std::int64_t channels);
Reason wouldCreateCycle(ValueId value, NodeId node);
Reason alreadyFused(NodeId node, NodeId with);
Reason alreadyHasActivation(NodeId node, NodeId activation, const std::string& op);
Reason paddingSeesShift(NodeId conv, NodeId batchnorm);
Reason paddingMode(NodeId pad, const std::string& mode, NodeId reader);
Reason paddingValue(NodeId pad, double value, NodeId reader);
Reason maxPoolPadding(NodeId pad, NodeId pool);
Reason padNotBelowKernel(NodeId pool, std::int64_t pad, std::int64_t kernel);
Reason negativePadding(NodeId pad, std::int64_t axis);
Reason padsOtherAxis(NodeId pad, std::int64_t axis, std::int64_t amount);
Reason zeroCopiesDimension(NodeId reshape, std::int64_t axis);
Reason invertedBounds(NodeId clip, double low, double high);
Reason notANumberBound(NodeId clip);
// `sentence` reads {node}, {found} and {wanted}.
Reason axisMismatch(NodeId node, std::int64_t found, std::int64_t wanted,
                    TextId sentence = "reason.axis-mismatch");
Reason unexpectedConstant(ValueId constant, double found, const std::string& wanted);
// The same where the numbers fit one by one and not together: `found` is what they make.
Reason unexpectedFactor(ValueId constant, double found, const std::string& wanted);
// A reduction over other axes than a normalization's.
Reason otherAxes(NodeId node, const std::string& found, const std::string& wanted);
// A constant of several numbers where the formula has one.
Reason notOneNumber(ValueId constant, const Shape& shape);
Reason operandOrder(NodeId node, const std::string& found, const std::string& wanted);
// The value enters another operand than the data.
Reason wrongOperand(NodeId producer, NodeId reader, std::size_t index);
// `sentence` reads {node}.
Reason unsupportedActivation(NodeId node, TextId sentence = "reason.unsupported-activation");
Reason partsAreCopied(NodeId conv, NodeId concat, DType type);
Reason targetFusesNatively(NodeId node, const std::string& target);

// Turning what stands behind a Transpose takes `gone` of them away and needs `added` new ones.
Reason asManyTransposes(NodeId transpose, NodeId obstacle, std::int64_t gone, std::int64_t added);

// Two equal nodes whose results one node reads.
Reason readsBoth(NodeId node, NodeId other, NodeId reader);

} // namespace fusescope::reasons
