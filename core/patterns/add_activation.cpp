#include "patterns/activation.h"
#include "patterns/pattern_list.h"
#include "patterns/region_support.h"

#include <array>

//   a ─┐
//   b ─┴─ Add ─ Relu ─ y
//   [a, b] ─ region{ Add, Relu } ─ y
//
// The activation directly follows the Add and alone reads it; its parameters are constants. The Add
// may broadcast.
namespace fusescope {

namespace {

class AddActivation final : public FusionPattern
{
public:
    RuleId rule() const override { return "add-activation"; }
    std::span<const std::string_view> rootTypes() const override { return activationTypes(); }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        if (!node.op.isStandard() && !node.region)
            return NotCandidate{};
        const ValueId sum = activationData(view, node);
        const NodeId addId = view.producer(sum);
        const Node* add = view.node(addId);
        const bool isSum = add && add->is("Sum") && add->inputs.size() == 2; // is an Add
        if (!sum || !add || !(add->is("Add") || isSum))
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkActivation(conditions, root);
        conditions.check("condition.same-scope", sameScope(context, addId, root));
        conditions.checkSingleReader(sum, root);
        const std::array nodes{addId, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {addId, root});
        Match match;
        match.root = root;
        match.nodes = {{"add", addId}, {"activation", root}};
        match.title = Message("title.fuse", {{"first", addId}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId add = match.node("add");
        std::vector<std::pair<NodeId, Role>> roles{{add, Role::main}};
        for (const auto& role : rolesOf(view, match.root, Role::activation))
            roles.push_back(role);
        builder.makeRegion("add-activation", {add, match.root}, roles);
        return {};
    }
};

} // namespace

const FusionPattern& patterns::addActivation()
{
    static const AddActivation pattern;
    return pattern;
}

} // namespace fusescope
