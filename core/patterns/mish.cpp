#include "patterns/formula.h"
#include "patterns/pattern_list.h"

#include <array>

//   x ─┬─ Softplus ─ Tanh ─ Mul ─ y
//      └─────────────────────┘
//   x ─ Mish ─ y      or, before opset 18, x ─ region{ Softplus, Tanh, Mul } ─ y
//
// x is one value in both uses, and nothing else reads what is inside.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"Mul"};

class Mish final : public FusionPattern
{
public:
    RuleId rule() const override { return "mish"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        if (!node.is("Mul") || node.inputs.size() != 2)
            return NotCandidate{};
        for (std::size_t i = 0; i < 2; ++i) {
            const NodeId tanh = view.producer(node.input(i));
            const Node* gate = view.node(tanh);
            const NodeId softplus =
                gate && gate->is("Tanh") ? view.producer(gate->input(0)) : NodeId{};
            const Node* inner = view.node(softplus);
            if (!inner || !inner->is("Softplus") || inner->input(0) != node.input(1 - i))
                continue;
            FormulaNodes formula;
            formula.add(softplus);
            formula.add(tanh);
            formula.add(root);
            Conditions conditions(context, rule(), root);
            checkFormula(conditions, formula, node.input(1 - i));
            if (!conditions.allHold())
                return std::move(conditions).miss(3, formula.nodes);
            Match match = formulaMatch(root, formula, node.input(1 - i), "title.formula-mish");
            remarkOpset(context.view, "Mish", 18, match);
            return match;
        }
        return NotCandidate{};
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const DType type = view.dtype(match.value("data"));
        // Mish 18 knows no bfloat16; 22 does.
        const bool known = type != DType::bfloat16 || view.opset(*view.node(match.root)) >= 22;
        if (view.opset(*view.node(match.root)) < 18 || !known) {
            makeFormulaRegion(builder, match, "mish");
            return {};
        }
        Node node;
        node.op.type = "Mish";
        node.inputs = {match.value("data")};
        replaceFormula(builder, match, std::move(node));
        return {};
    }
};

} // namespace

const FusionPattern& patterns::mish()
{
    static const Mish pattern;
    return pattern;
}

} // namespace fusescope
