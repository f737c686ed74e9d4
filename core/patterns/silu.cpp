#include "patterns/formula.h"
#include "patterns/pattern_list.h"

#include <array>

//   x ─┬─ Sigmoid ─ Mul ─ y
//      └─────────────┘
//   x ─ region{ Sigmoid, Mul } ─ y
//
// Both operands of the Mul are one value, one of them behind the Sigmoid, which nothing else reads.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"Mul"};

class Silu final : public FusionPattern
{
public:
    RuleId rule() const override { return "silu"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        if (!node.is("Mul") || node.inputs.size() != 2)
            return NotCandidate{};
        for (std::size_t i = 0; i < 2; ++i) {
            const NodeId sigmoid = view.producer(node.input(i));
            const Node* gate = view.node(sigmoid);
            if (!gate || !gate->is("Sigmoid") || gate->input(0) != node.input(1 - i))
                continue;
            FormulaNodes formula;
            formula.add(sigmoid);
            formula.add(root);
            Conditions conditions(context, rule(), root);
            checkFormula(conditions, formula, node.input(1 - i));
            if (!conditions.allHold())
                return std::move(conditions).miss(2, formula.nodes);
            return formulaMatch(root, formula, node.input(1 - i), "title.formula-silu");
        }
        return NotCandidate{};
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        makeFormulaRegion(builder, match, "silu");
        return {};
    }
};

} // namespace

const FusionPattern& patterns::silu()
{
    static const Silu pattern;
    return pattern;
}

} // namespace fusescope
