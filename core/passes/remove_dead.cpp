#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/registry.h"
#include "patterns/reasons.h"

namespace fusescope {

namespace {

// before:  y = Op(x), nobody reads y      after:  nothing
//
// Removes a node that nobody reads, together with what then is read by nobody. Kept, and said so:
// nodes that may do something besides (other domains, Print, Assert, no outputs), pinned nodes.
class RemoveDead final : public Pass
{
public:
    RuleId rule() const override { return "remove-dead"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// A node that inner graphs alone read looks dead to a reader of node inputs: it is told why it stays.
PassAnswer readByBodies(const GraphView& view, RuleId rule, NodeId root, const Node& node)
{
    NodeId reader;
    ValueId value;
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        for (const Use& use : view.uses(output)) {
            const Node* other = view.node(use.node);
            if (!other || other->body == node.body)
                return {};
            reader = use.node;
            value = output;
        }
    }
    const Body* body = view.graph().body(view.node(reader)->body);
    if (!body || body->kind != Body::Kind::inner)
        return {};
    return Remark{rule, root,
                  makeReason(ReasonCode::readByBody, {reader, value},
                             Message("headline.read-by-body"),
                             Message("reason.read-by-body", {{"value", value},
                                                             {"body", body->attributeName},
                                                             {"owner", body->owner},
                                                             {"node", root}}))};
}

PassAnswer RemoveDead::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    bool isRead = false;
    for (const ValueId output : node->outputs)
        isRead = isRead || (output && !view.uses(output).empty());
    if (isRead)
        return readByBodies(view, rule(), root, *node);
    const Policy& policy = context.match.policy;
    const std::vector<std::string> pure(policy.pure.begin(), policy.pure.end());
    if (mayHaveSideEffects(view.graph(), *node, pure)) {
        const std::string name =
            node->op.domain.empty() ? node->op.type : node->op.domain + "." + node->op.type;
        return missAt(rule(), root,
                      makeReason(ReasonCode::sideEffect, {root},
                                 Message("headline.side-effect", {{"operator", name}}),
                                 Message("reason.side-effect.kept", {{"operator", name}}),
                                 Message("unblock.side-effect")));
    }
    if (isPinned(context, root))
        return missAt(rule(), root, reasons::pinned(root));
    Offer offer;
    offer.root = root;
    offer.title = Message("title.remove-dead", {{"node", root}});
    offer.nodes = {root};
    offer.build = [root](PatchBuilder& builder) -> Result<void> {
        builder.removeNode(root);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> removeDeadRule()
{
    return std::make_unique<RemoveDead>();
}

} // namespace fusescope
