#include "passes/rule_support.h"

#include "ops/graph_reader.h"
#include "patterns/reasons.h"

#include <algorithm>

namespace fusescope {

bool isOn(const Policy& policy, const Pass& pass)
{
    return policy.disabled.count(std::string(pass.rule())) == 0 &&
           policy.disabled.count(std::string(idOf(pass.stage()))) == 0;
}

bool isPinned(const Graph& graph, const Policy& policy, NodeId id)
{
    if (policy.pinnedNodes.empty() && policy.pinnedValues.empty())
        return false;
    if (policy.pinnedNodes.count(id) > 0)
        return true;
    const Node* node = graph.node(id);
    if (!node)
        return false;
    return std::any_of(node->outputs.begin(), node->outputs.end(),
                       [&](ValueId output) { return policy.pinnedValues.count(output) > 0; }) ||
           std::any_of(node->bodies.begin(), node->bodies.end(),
                       [&](BodyId body) { return holdsPinned(graph, policy, body); });
}

bool isPinned(const PassContext& context, NodeId node)
{
    return isPinned(context.match.view.graph(), context.match.policy, node);
}

void checkUnpinned(Conditions& conditions, std::span<const NodeId> nodes)
{
    const MatchContext& context = conditions.context();
    std::vector<Reason> failures;
    for (const NodeId id : nodes) {
        if (auto failure = notPinned(context, id))
            failures.push_back(std::move(*failure));
        for (const ValueId output : context.view.node(id)->outputs) {
            if (context.policy.pinnedValues.contains(output))
                failures.push_back(reasons::pinnedValue(output));
        }
    }
    conditions.check("condition.not-pinned", std::move(failures));
}

bool holdsPinned(const Graph& graph, const Policy& policy, BodyId body)
{
    if (policy.pinnedNodes.empty() && policy.pinnedValues.empty())
        return false;
    const auto nodes = graph.nodes(body);
    return std::any_of(nodes->begin(), nodes->end(),
                       [&](NodeId node) { return isPinned(graph, policy, node); });
}

std::function<bool(NodeId)> keptByPins(const Graph& graph, const Policy& policy)
{
    if (policy.pinnedNodes.empty() && policy.pinnedValues.empty())
        return {};
    return [&graph, &policy](NodeId node) { return isPinned(graph, policy, node); };
}

std::function<bool(ValueId)> keptInitializers(const Graph& graph, const Policy& policy)
{
    if (policy.pinnedValues.empty() && policy.annotated.empty())
        return {};
    return [&graph, &policy](ValueId value) {
        if (policy.pinnedValues.count(value) > 0)
            return true;
        const auto found = policy.annotated.find(value);
        return found != policy.annotated.end() &&
               std::any_of(found->second.begin(), found->second.end(),
                           [&graph](ValueId of) { return graph.value(of) != nullptr; });
    };
}

void makeConstant(PatchBuilder& builder, ValueId id, TensorPtr tensor)
{
    const Value value = *builder.value(id);
    const Body& body = *builder.body(value.body);
    const NodeId producer = builder.producer(id);
    const bool isOutput =
        std::find(body.outputs.begin(), body.outputs.end(), id) != body.outputs.end();
    const bool asNode = body.function || (body.kind == Body::Kind::inner && isOutput);
    const Type type = Type::tensor(tensor->dtype(), Shape::ofSizes(tensor->shape()));
    if (asNode) {
        Node constant;
        constant.op.type = "Constant";
        constant.attributes.set({"value", std::move(tensor)});
        constant.outputs = {id};
        constant.origins = {producer};
        builder.addNode(std::move(constant));
        return;
    }
    const bool listed =
        body.kind == Body::Kind::main && builder.graph().header().irVersion <= 3;
    builder.editValue(id, [&](Value& v) {
        v.constant = std::move(tensor);
        v.type = type;
        v.isInput = listed;
    });
    builder.editBody(value.body, [id, listed](Body& b) {
        b.initializers.push_back(id);
        if (listed)
            b.inputs.push_back(id);
    });
}

void bypass(PatchBuilder& builder, NodeId node, ValueId output, ValueId source)
{
    builder.removeNode(node);
    replaceBy(builder, output, source);
}

void replaceBy(PatchBuilder& builder, ValueId output, ValueId source)
{
    const std::vector<Use> uses = builder.uses(output);
    const bool isOutput = std::any_of(uses.begin(), uses.end(),
                                      [](const Use& use) { return use.isBodyOutput(); });
    if (isOutput)
        builder.takeOver(output, source);
    else
        builder.rewire(output, source);
}

Reason publicName(ValueId source, ValueId output)
{
    return makeReason(ReasonCode::publicName, {source, output},
                      Message("headline.public-name"),
                      Message("reason.public-name", {{"source", source}, {"output", output}}),
                      Message("unblock.public-name"));
}

std::optional<Reason> cannotBypass(const PassContext& context, ValueId output, ValueId source)
{
    const GraphView& view = context.match.view;
    const auto outputOf = [&view](ValueId id) {
        int count = 0;
        for (const Use& use : view.uses(id))
            count += use.isBodyOutput() ? 1 : 0;
        return count;
    };
    if (outputOf(output) == 0)
        return std::nullopt;
    const Value* from = view.value(source);
    const Value* to = view.value(output);
    const bool unnamed = !view.producer(source); // an input or an initializer
    const bool elsewhere = from->body != to->body;
    if (unnamed || elsewhere || outputOf(source) > 0)
        return publicName(source, output);
    return std::nullopt;
}

std::optional<Reason> notValid(const GraphView& view, std::span<const NodeId> nodes)
{
    const PlainGraphReader reader(view.graph());
    for (const NodeId id : nodes) {
        const Node& node = *view.node(id);
        if (node.region || !node.bodies.empty())
            continue;
        const auto outputs = inferNode(reader, id, node, [&](ValueId value) {
            view.value(value);
            return knownValue(reader, value);
        });
        if (!outputs)
            return makeReason(ReasonCode::evaluationFailed, {id}, Message("headline.not-valid"),
                              outputs.error().message, Message("unblock.not-valid"));
    }
    return std::nullopt;
}

MissReason missAt(RuleId rule, NodeId root, Reason reason)
{
    MissReason miss;
    miss.rule = rule;
    miss.root = root;
    miss.depth = 1;
    miss.nodes = {root};
    miss.reasons.push_back(std::move(reason));
    return miss;
}

BodyId branchOf(const Graph& graph, const Node& node, std::string_view attribute)
{
    for (const BodyId id : node.bodies) {
        const Body* body = graph.body(id);
        if (body && body->attributeName == attribute)
            return id;
    }
    return {};
}

} // namespace fusescope
