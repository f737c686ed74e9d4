#include "passes/rule_support.h"

namespace fusescope {

bool isPinned(const PassContext& context, NodeId node)
{
    return context.match.policy.pinnedNodes.count(node) > 0;
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
    const Body& body = *builder.body(builder.node(node)->body);
    const bool isOutput =
        std::find(body.outputs.begin(), body.outputs.end(), output) != body.outputs.end();
    builder.removeNode(node);
    if (isOutput)
        builder.takeOver(output, source);
    else
        builder.rewire(output, source);
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
        return makeReason(ReasonCode::publicName, {source, output},
                          Message("reason.public-name.headline"),
                          Message("reason.public-name", {{"source", source}, {"output", output}}),
                          Message("reason.public-name.unblock"));
    return std::nullopt;
}

Reason makeReason(ReasonCode code, std::vector<Subject> culprits, Message headline, Message message,
                  Message unblock)
{
    Reason reason;
    reason.code = code;
    reason.culprits = std::move(culprits);
    reason.headline = std::move(headline);
    reason.message = std::move(message);
    reason.unblock = std::move(unblock);
    return reason;
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

} // namespace fusescope
