#include "patterns/channel_operand.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"

#include <array>

//   x ─ Conv(W, B) ─ Add(c) ─ y          x ─ Conv(W, B + c) ─ y
//   x ─ Conv(W, B) ─ Sub(c) ─ y          x ─ Conv(W, B − c) ─ y
//   Sub(c, Conv(W, B)) ─ y               x ─ Conv(−W, c − B) ─ y
//
// c is a constant with one number, or one a channel, against the rank of the result; it must not
// enlarge it. Add takes its operands in either order. ConvTranspose is folded alike.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> rootOperators = {"Add", "Sub"};

ChannelScale effect(const Node& root, const ChannelOperand& operand, std::vector<double> numbers)
{
    const bool subtracts = root.op.type == "Sub";
    ChannelScale by;
    by.scale.assign(numbers.size(), subtracts && operand.constantFirst ? -1.0 : 1.0);
    by.shift = std::move(numbers);
    if (subtracts && !operand.constantFirst) {
        for (double& value : by.shift)
            value = -value;
    }
    return by;
}

class ConvBias final : public FusionPattern
{
public:
    RuleId rule() const override { return "conv-bias"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto operand = channelOperandAt(view, root);
        if (!operand)
            return NotCandidate{};
        const Convolution& conv = operand->found.conv;
        Conditions conditions(context, rule(), root);
        if (!view.node(root)->op.isStandard()) {
            conditions.check("condition.standard-domain", standardDomain(context, root));
            return std::move(conditions).miss(2, {conv.id, root});
        }
        checkChannelOperand(conditions, *operand, root);
        auto growth = foldMemory(context, conv.weight, conv.channels);
        const auto numbers = growth ? std::nullopt : channelNumbers(view, *operand);
        const auto by = numbers ? std::optional(effect(*view.node(root), *operand, *numbers))
                                : std::nullopt;
        if (by)
            growth = foldGrowth(context, conv, by->changesWeight());
        if (by || growth)
            conditions.check("condition.growth", std::move(growth));
        if (conditions.allHold())
            conditions.check("condition.finite",
                             staysFinite(context, conv, *by, operand->constant));
        if (!conditions.allHold())
            return missBehind(std::move(conditions), operand->activated, {conv.id, root});
        Match match;
        match.root = root;
        match.nodes = {{"conv", conv.id}, {"add", root}};
        match.title = Message("title.fold-bias", {{"node", root}, {"conv", conv.id}});
        remarkFold(context, conv, by->changesWeight(), match.remarks);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const auto operand = channelOperandAt(view, match.root);
        foldInto(builder, match.node("conv"), match.root,
                 effect(*view.node(match.root), *operand, *channelNumbers(view, *operand)));
        return {};
    }
};

} // namespace

const FusionPattern& patterns::convBias()
{
    static const ConvBias pattern;
    return pattern;
}

} // namespace fusescope
