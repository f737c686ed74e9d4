#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <cmath>

//   x ─┬──────────────────────────── Mul ─ Mul(0.5) ─ y
//      └ Div(√2) ─ Erf ─ Add(1) ──────┘
//   x ─ Gelu ─ y      or, where there is no such operator, x ─ region{ … } ─ y
//
// 0.5·x·(1 + erf(x/√2)), or 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))), in every association and
// order of operands, by Div or by Mul, with Pow or products. x is one value in all its uses, the
// numbers are scalars, exact to 1e-5, and nothing inside is read elsewhere. From opset 20 on the
// operator stands for it.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 3> roots = {"Mul", "Div", "Add"};
constexpr double cubic = 0.044715;

struct Parts
{
    NodeId inner; // Erf or Tanh
    bool tanh = false;
    ValueId x;
    FormulaNodes formula;
    std::vector<ValueId> argumentConstants, outerConstants;
    Polynomial argument, outer;
    double tolerance = 1e-5;
};

const Polynomial& wantedOuter()
{
    static const Polynomial wanted{{{1, 0}, 0.5}, {{1, 1}, 0.5}};
    return wanted;
}

Polynomial wantedArgument(bool tanh)
{
    if (!tanh)
        return {{{1, 0}, std::sqrt(0.5)}};
    const double by = std::sqrt(2.0 / std::acos(-1.0));
    return {{{1, 0}, by}, {{3, 0}, by * cubic}};
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (node.region || !node.op.isStandard() || node.outputs.size() != 1)
        return std::nullopt;
    const std::vector<ValueId> outer = arithmeticTree(view, node.output(0));
    Parts parts;
    parts.inner = firstProducer(view, outer, "Erf", "Tanh");
    if (!parts.inner)
        return std::nullopt;
    const Node& inner = *view.node(parts.inner);
    parts.tanh = inner.is("Tanh");
    const std::vector<ValueId> below = arithmeticTree(view, inner.input(0));
    // The topmost value that stands in both is x, which may itself be a product.
    for (const ValueId value : outer) {
        if (!parts.x && !countsAsConstant(view, value) &&
            std::find(below.begin(), below.end(), value) != below.end())
            parts.x = value;
    }
    if (!parts.x || parts.x == node.output(0))
        return std::nullopt;
    PolynomialReader argument(view, parts.x, {});
    PolynomialReader whole(view, parts.x, inner.output(0));
    const auto below2 = argument.read(inner.input(0));
    const auto above = whole.read(node.output(0));
    if (!below2 || !above)
        return std::nullopt;
    parts.argument = *below2;
    parts.outer = *above;
    parts.argumentConstants = argument.formula().constants;
    parts.outerConstants = whole.formula().constants;
    for (const auto& list : {parts.argumentConstants, parts.outerConstants}) {
        for (const ValueId constant : list) {
            parts.formula.addConstant(constant);
            parts.tolerance = std::max(parts.tolerance, toleranceOf(view, constant));
        }
    }
    for (const auto& list :
         {argument.formula().nodes, std::vector{parts.inner}, whole.formula().nodes}) {
        for (const NodeId id : list)
            parts.formula.add(id);
    }
    // A product around a whole formula is none of its own.
    for (const auto& [value, polynomial] : whole.inner()) {
        if (value != node.output(0) && isNear(polynomial, wantedOuter(), parts.tolerance))
            return std::nullopt;
    }
    return parts;
}

// Not the formula, but one that a person might take for it.
bool isNearMiss(const Parts& parts)
{
    // One constant is enough where it says all: h + h·erf(…) with h = 0.5·x.
    if (!sameTerms(parts.outer, wantedOuter()) ||
        (parts.outerConstants.size() < 2 && !isNear(parts.outer, wantedOuter(), parts.tolerance)))
        return false;
    if (!parts.tanh)
        return parts.argument.size() == 1 && parts.argument.contains({1, 0});
    return parts.argument.size() == 2 && parts.argument.contains({1, 0});
}

std::optional<Reason> argumentNumbers(const GraphView& view, const Parts& parts)
{
    const Polynomial wanted = wantedArgument(parts.tanh);
    if (isNear(parts.argument, wanted, parts.tolerance))
        return std::nullopt;
    const std::vector<WantedNumber> numbers =
        parts.tanh
            ? std::vector<WantedNumber>{{std::sqrt(2.0 / std::acos(-1.0)), "√(2/π) (0.79788456)"},
                                        {cubic, "0.044715"},
                                        {3, "3"},
                                        {1, "1"}}
            : std::vector<WantedNumber>{{std::sqrt(2.0), "√2 (1.41421356)"},
                                        {std::sqrt(0.5), "1/√2 (0.70710678)"}};
    if (auto reason = wrongNumber(view, parts.argumentConstants, numbers))
        return reason;
    return reasons::unexpectedFactor(parts.argumentConstants.empty()
                                         ? view.node(parts.inner)->input(0)
                                         : parts.argumentConstants.front(),
                                     parts.argument.begin()->second, numbers.front().text);
}

std::optional<Reason> outerNumbers(const GraphView& view, const Parts& parts)
{
    if (isNear(parts.outer, wantedOuter(), parts.tolerance))
        return std::nullopt;
    const std::array<WantedNumber, 3> numbers{WantedNumber{1, "1"}, WantedNumber{0.5, "0.5"},
                                              WantedNumber{2, "2"}};
    if (auto reason = wrongNumber(view, parts.outerConstants, numbers))
        return reason;
    return reasons::unexpectedFactor(parts.outerConstants.front(), parts.outer.begin()->second, "0.5");
}

// In double the operator shows every digit that the file's numbers lack.
bool isExactEnough(const GraphView& view, const Match& match)
{
    if (view.dtype(match.value("data")) != DType::float64)
        return true;
    const auto parts = partsAt(view, match.root);
    return parts && isNear(parts->outer, wantedOuter(), 1e-12) &&
           isNear(parts->argument, wantedArgument(parts->tanh), 1e-12);
}

class Gelu final : public FusionPattern
{
public:
    RuleId rule() const override { return "gelu"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const auto parts = partsAt(context.view, root);
        if (!parts || !isNearMiss(*parts))
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkFormula(conditions, parts->formula, parts->x);
        if (!conditions.failed(ReasonCode::overridableInitializer)) {
            conditions.check("condition.inner-numbers", argumentNumbers(context.view, *parts));
            conditions.check("condition.outer-numbers", outerNumbers(context.view, *parts));
        }
        if (!conditions.allHold())
            return std::move(conditions)
                .miss(static_cast<int>(parts->formula.nodes.size()), parts->formula.nodes);
        Match match = formulaMatch(root, parts->formula, parts->x, "title.formula-gelu");
        remarkOpset(context.view, "Gelu", 20, match);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        if (view.opset(*view.node(match.root)) < 20 || !isExactEnough(view, match)) {
            makeFormulaRegion(builder, match, "gelu");
            return {};
        }
        const bool tanh = std::any_of(match.nodes.begin(), match.nodes.end(), [&](const auto& n) {
            return view.node(n.second)->is("Tanh");
        });
        Node node;
        node.op.type = "Gelu";
        if (tanh)
            node.attributes.set(Attribute("approximate", std::string("tanh")));
        node.inputs = {match.value("data")};
        replaceFormula(builder, match, std::move(node));
        return {};
    }
};

} // namespace

const FusionPattern& patterns::gelu()
{
    static const Gelu pattern;
    return pattern;
}

} // namespace fusescope
