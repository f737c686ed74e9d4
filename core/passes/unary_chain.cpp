#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/conditions.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 9> roots = {"Not",  "Neg",   "BitwiseNot", "Relu", "Abs",
                                                   "Ceil", "Floor", "Round",      "Sign"};

// before:  a = Neg(x); y = Neg(a)      after:  y is x         (Not, BitwiseNot too)
// before:  a = Abs(x); y = Abs(a)      after:  y is a         (Relu, Sign; roundings)
//
// Bit for bit for every element: Neg turns a sign and leaves NaN, and wraps around at the least
// integer both times; what one operator gives is what it leaves as it is, −0 and infinities
// included. Others may go on reading the first result: the second is gone all the same.
class UnaryChain final : public Pass
{
public:
    RuleId rule() const override { return "unary-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

template <std::size_t N>
bool isOneOf(const Node& node, const std::array<std::string_view, N>& types)
{
    return std::ranges::find(types, node.op.type) != types.end();
}

// Whether `last` undoes what `first` did.
bool cancels(const Node& first, const Node& last)
{
    static constexpr std::array<std::string_view, 3> own{"Not", "Neg", "BitwiseNot"};
    return first.op.type == last.op.type && isOneOf(last, own);
}

// Whether `last` leaves everything that `first` gives as it is.
bool repeats(const Node& first, const Node& last)
{
    static constexpr std::array<std::string_view, 3> roundings{"Ceil", "Floor", "Round"};
    if (isOneOf(last, roundings))
        return isOneOf(first, roundings) || first.is("Sign");
    return first.op.type == last.op.type;
}

PassAnswer UnaryChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!last->op.isStandard() || !last->input(0) || !last->output(0))
        return {};
    const NodeId firstId = view.producer(last->input(0));
    const Node* first = view.node(firstId);
    if (!first || !first->op.isStandard() || !first->input(0) ||
        !(cancels(*first, *last) || repeats(*first, *last)))
        return {};
    const bool undone = cancels(*first, *last);
    const ValueId source = undone ? first->input(0) : last->input(0);
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.public-name", cannotBypass(context, last->output(0), source));
    const std::array nodes{root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {firstId, root});
    const std::vector<std::pair<std::string, MessageArg>> both = {{"first", firstId},
                                                                  {"last", root}};
    Offer offer;
    offer.root = root;
    offer.nodes = {firstId, root};
    offer.title = undone ? Message("title.cancel-chain", both) : Message("title.repeats", both);
    offer.build = [root, from = last->output(0), source](PatchBuilder& builder) -> Result<void> {
        bypass(builder, root, from, source);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> unaryChainRule()
{
    return std::make_unique<UnaryChain>();
}

} // namespace fusescope
