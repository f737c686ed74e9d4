#include "patterns/channel_operand.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <array>

//   x ─ Conv(W, B) ─ Mul(c) ─ y          x ─ Conv(W·c, B·c) ─ y
//   x ─ Conv(W, B) ─ Div(c) ─ y          x ─ Conv(W/c, B/c) ─ y
//
// c is a constant with one number, or one a channel, against the rank of the result; it must not
// enlarge it. A constant divided by the result is no scale. ConvTranspose is folded alike.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> rootOperators = {"Mul", "Div"};

ChannelScale effect(const Node& root, std::vector<double> numbers)
{
    ChannelScale by;
    by.shift.assign(numbers.size(), 0.0);
    by.scale = std::move(numbers);
    if (root.op.type == "Div") {
        for (double& value : by.scale)
            value = 1.0 / value;
    }
    return by;
}

class ConvScale final : public FusionPattern
{
public:
    RuleId rule() const override { return "conv-scale"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto operand = channelOperandAt(view, root);
        if (!operand)
            return NotCandidate{};
        const Node& node = *view.node(root);
        const Convolution& conv = operand->found.conv;
        Conditions conditions(context, rule(), root);
        if (!node.op.isStandard()) {
            conditions.check("condition.standard-domain", standardDomain(context, root));
            return std::move(conditions).miss(2, {conv.id, root});
        }
        std::optional<Reason> order;
        if (node.op.type == "Div" && operand->constantFirst)
            order = reasons::operandOrder(root, "c / x", "x / c");
        conditions.check("condition.operand-order", std::move(order));
        checkChannelOperand(conditions, *operand, root);
        auto growth = foldMemory(context, conv.weight, conv.channels);
        const auto numbers = growth ? std::nullopt : channelNumbers(view, *operand);
        const auto by = numbers ? std::optional(effect(node, *numbers)) : std::nullopt;
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
        match.nodes = {{"conv", conv.id}, {"mul", root}};
        match.title = Message("title.fold-scale", {{"node", root}, {"conv", conv.id}});
        remarkFold(context, conv, by->changesWeight(), match.remarks);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const auto operand = channelOperandAt(view, match.root);
        foldInto(builder, match.node("conv"), match.root,
                 effect(*view.node(match.root), *channelNumbers(view, *operand)));
        return {};
    }
};

} // namespace

const FusionPattern& patterns::convScale()
{
    static const ConvScale pattern;
    return pattern;
}

} // namespace fusescope
