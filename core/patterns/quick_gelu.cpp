#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <array>
#include <cmath>

//   x ─┬─ Mul(α) ─ Sigmoid ─ Mul ─ y
//      └────────────────────┘
//   x ─ region{ Mul, Sigmoid, Mul } ─ y
//
// x·σ(α·x) with a constant α of one number (1.702 by custom), x one value in both uses, and nothing
// inside read elsewhere.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"Mul"};

class QuickGelu final : public FusionPattern
{
public:
    RuleId rule() const override { return "quick-gelu"; }
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
            if (!gate || !gate->is("Sigmoid"))
                continue;
            const NodeId scale = view.producer(gate->input(0));
            const Node* product = view.node(scale);
            const auto operand =
                product && product->is("Mul") ? scalarOperand(view, *product) : std::nullopt;
            if (!operand || operand->data != node.input(1 - i))
                continue;
            FormulaNodes formula;
            formula.add(scale);
            formula.add(sigmoid);
            formula.add(root);
            formula.addConstant(operand->constant);
            Conditions conditions(context, rule(), root);
            checkFormula(conditions, formula, operand->data);
            const auto alpha = scalarConstant(view, operand->constant);
            std::optional<Reason> wrong;
            if (alpha && !std::isfinite(*alpha))
                wrong = reasons::unexpectedConstant(operand->constant, *alpha, "1.702");
            conditions.check("condition.finite-number", std::move(wrong));
            if (!conditions.allHold())
                return std::move(conditions).miss(3, formula.nodes);
            return formulaMatch(root, formula, operand->data, "title.formula-quick-gelu");
        }
        return NotCandidate{};
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        makeFormulaRegion(builder, match, "quick-gelu");
        return {};
    }
};

} // namespace

const FusionPattern& patterns::quickGelu()
{
    static const QuickGelu pattern;
    return pattern;
}

} // namespace fusescope
