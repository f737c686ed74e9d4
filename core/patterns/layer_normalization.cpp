#include "model/origins.h"
#include "patterns/constants.h"
#include "patterns/pattern_list.h"
#include "patterns/written_norm.h"

#include <algorithm>
#include <array>

//   x ─┬─ Sub ──┬──────────────────────────────────── Div ─ Mul(γ) ─ Add(β) ─ y
//      └ Mean ┘ └ Pow(2) ─ Mean ─ Add(ε) ─ Sqrt ────┘
//   x ─ LayerNormalization(γ, β) ─ y      or, before opset 17, x ─ region{ … } ─ y
//
// Both means are over the same last axes and keep them, or an Unsqueeze or Reshape brings them back;
// x is one value, the square is a square, ε is one number, the mean is subtracted from x and the
// result divided by the root; γ and β may be missing and enlarge nothing; nothing else reads what is
// inside. x·s + (β − mean·s) with s = γ/√(…) is the same, as Keras writes it. rms-normalization is
// the same without the mean, an operator from opset 23 on.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 3> roots = {"Add", "Mul", "Div"};

class WrittenNormalization final : public FusionPattern
{
public:
    explicit WrittenNormalization(bool centered) : m_centered(centered) {}

    RuleId rule() const override
    {
        return m_centered ? "layer-normalization" : "rms-normalization";
    }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const auto norm = writtenNormAt(context.view, root);
        if (!norm || norm->centered != m_centered)
            return NotCandidate{};
        // A scale or a shift that follows and fits answers for the whole; what is wrong with both
        // is said once, at the end.
        MatchResult result = evaluate(context, *norm);
        const bool matched = std::holds_alternative<Match>(result);
        const MatchContext silent{context.view, context.policy, nullptr};
        NodeId last = root;
        for (int step = 0; step < 2; ++step) {
            last = onlyReader(context.view, context.view.node(last)->output(0));
            const auto larger = last ? writtenNormAt(context.view, last) : std::nullopt;
            if (!larger || larger->quotient != norm->quotient)
                break;
            if (!matched || std::holds_alternative<Match>(evaluate(silent, *larger)))
                return NotCandidate{};
        }
        return result;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const WrittenNorm norm = *writtenNormAt(view, match.root);
        const std::int64_t opset = view.opset(*view.node(match.root));
        if (opset < (m_centered ? 17 : 23) || !fitsOperator(view, norm)) {
            makeFormulaRegion(builder, withOneQuotient(builder, norm, match), std::string(rule()));
            return {};
        }
        Node node;
        node.op.type = m_centered ? "LayerNormalization" : "RMSNormalization";
        const std::int64_t axis = *trailingAxis(view, *view.node(norm.variance));
        const auto epsilon = static_cast<float>(*scalarConstant(view, norm.epsilon));
        node.attributes.set(Attribute("axis", axis));
        node.attributes.set(Attribute("epsilon", epsilon));
        node.inputs = {norm.x, scaleFor(builder, norm)};
        if (norm.shift)
            node.inputs.push_back(norm.shift);
        replaceFormula(builder, match, std::move(node));
        return {};
    }

private:
    // d · (1/√v), by a Div of 1 or a Reciprocal that the product alone reads, is d/√v: one node less,
    // rounded once. The root of a number is far enough from 0 that 1/√v is no Inf where d/√v is none.
    static Match withOneQuotient(PatchBuilder& builder, const WrittenNorm& norm, Match match)
    {
        const GraphView view(builder.graph());
        const Node product = *view.node(norm.quotient);
        for (std::size_t i = 0; i < 2 && product.is("Mul"); ++i) {
            const NodeId inverseId = view.producer(product.input(i));
            const Node* inverse = view.node(inverseId);
            const bool isInverse =
                inverse && (inverse->is("Reciprocal") ||
                            (inverse->is("Div") && scalarConstant(view, inverse->input(0)) == 1.0));
            const auto at = std::find_if(match.nodes.begin(), match.nodes.end(),
                                         [&](const auto& entry) { return entry.second == inverseId; });
            if (!isInverse || at == match.nodes.end() ||
                hasOtherReaders(view, product.input(i), norm.quotient))
                continue;
            Node quotient;
            quotient.op.type = "Div";
            quotient.name = product.name;
            quotient.origins = originsOf(norm.quotient, &product);
            quotient.inputs = {product.input(1 - i), inverse->inputs.back()};
            quotient.outputs = product.outputs;
            const NodeId made = builder.addNodeBefore(norm.quotient, std::move(quotient));
            builder.removeNode(norm.quotient);
            builder.removeNode(inverseId);
            match.nodes.erase(at);
            for (auto& entry : match.nodes)
                entry.second = entry.second == norm.quotient ? made : entry.second;
            break;
        }
        return match;
    }

    MatchResult evaluate(const MatchContext& context, const WrittenNorm& norm) const
    {
        Conditions conditions(context, rule(), norm.root());
        checkWrittenNorm(conditions, norm);
        if (!conditions.allHold())
            return std::move(conditions)
                .miss(static_cast<int>(norm.formula.nodes.size()), norm.formula.nodes);
        Match match = formulaMatch(norm.root(), norm.formula, norm.x,
                                   m_centered ? TextId("title.formula-layer-normalization")
                                              : TextId("title.formula-rms-normalization"));
        remarkOpset(context.view, m_centered ? "LayerNormalization" : "RMSNormalization",
                    m_centered ? 17 : 23, match);
        return match;
    }

    bool m_centered;
};

} // namespace

const FusionPattern& patterns::layerNormalization()
{
    static const WrittenNormalization pattern(true);
    return pattern;
}

const FusionPattern& patterns::rmsNormalization()
{
    static const WrittenNormalization pattern(false);
    return pattern;
}

} // namespace fusescope
