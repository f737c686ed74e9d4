#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/conditions.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Where"};

// before:  n = Not(c); y = Where(n, a, b)      after:  y = Where(c, b, a)
//
// Only Wheres choose by the Not, which is dead then: with another reader nothing would be won.
class WhereNot final : public Pass
{
public:
    RuleId rule() const override { return "where-not"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool onlyChooses(const GraphView& view, ValueId value)
{
    return std::ranges::all_of(view.uses(value), [&view](const Use& use) {
        const Node* reader = view.node(use.node);
        return reader && reader->is("Where") && use.index == 0;
    });
}

PassAnswer WhereNot::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* where = view.node(root);
    if (!where->is("Where") || where->inputs.size() != 3)
        return {};
    const NodeId notId = view.producer(where->input(0));
    const Node* negation = view.node(notId);
    if (!negation || !negation->is("Not") || !negation->input(0))
        return {};
    Conditions conditions(context.match, rule(), root);
    if (!onlyChooses(view, where->input(0)))
        conditions.checkSingleReader(where->input(0), root);
    const std::array nodes{notId, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {notId, root});
    Offer offer;
    offer.root = root;
    offer.nodes = {notId, root};
    offer.title = Message("title.where-not", {{"node", root}, {"other", notId}});
    offer.build = [root, condition = negation->input(0)](PatchBuilder& builder) -> Result<void> {
        builder.editNode(root, [condition](Node& node) {
            node.inputs[0] = condition;
            std::swap(node.inputs[1], node.inputs[2]);
        });
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> whereNotRule()
{
    return std::make_unique<WhereNot>();
}

} // namespace fusescope
