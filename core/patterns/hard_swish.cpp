#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

//   x ─┬─ HardSigmoid(1/6, 1/2) ─ Mul ─ y      or x · Clip(x + 3, 0, 6) / 6
//      └───────────────────────────┘
//   x ─ HardSwish ─ y      or, before opset 14, x ─ region{ … } ─ y
//
// x is one value in all its uses, the numbers are exact to 1e-5, and nothing else reads what is
// inside. The division by 6 may stand anywhere in the product.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> roots = {"Mul", "Div"};

struct Parts
{
    NodeId gate; // HardSigmoid or Clip
    bool isClip = false;
    ValueId x;
    FormulaNodes formula;
    std::vector<ValueId> outerConstants;
    ValueId three, low, high; // of the Clip form
    Polynomial outer;
    double tolerance = 1e-5;
};

Polynomial wantedOuter(bool isClip)
{
    return {{{1, 1}, isClip ? 1.0 / 6 : 1.0}};
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (!node.op.isStandard() || node.outputs.size() != 1)
        return std::nullopt;
    const std::vector<ValueId> outer = arithmeticTree(view, node.output(0));
    Parts parts;
    parts.gate = firstProducer(view, outer, "HardSigmoid", "Clip");
    if (!parts.gate)
        return std::nullopt;
    const Node& gate = *view.node(parts.gate);
    parts.isClip = gate.is("Clip");
    parts.x = gate.input(0);
    if (parts.isClip) {
        const NodeId shift = view.producer(gate.input(0));
        const Node* add = view.node(shift);
        const auto operand = add && add->is("Add") ? scalarOperand(view, *add) : std::nullopt;
        if (!operand)
            return std::nullopt;
        parts.x = operand->data;
        parts.three = operand->constant;
        parts.formula.add(shift);
        parts.formula.addConstant(parts.three);
        parts.low = gate.input(1);
        parts.high = gate.input(2);
        parts.formula.addConstant(parts.low);
        parts.formula.addConstant(parts.high);
    }
    parts.formula.add(parts.gate);
    PolynomialReader whole(view, parts.x, gate.output(0));
    const auto above = whole.read(node.output(0));
    const Polynomial wanted = wantedOuter(parts.isClip);
    if (!above || !sameTerms(*above, wanted))
        return std::nullopt;
    parts.outer = *above;
    parts.outerConstants = whole.formula().constants;
    if (parts.outerConstants.empty() == parts.isClip)
        return std::nullopt; // x·Clip(…) alone, or a product around the whole
    for (const ValueId constant : parts.outerConstants) {
        parts.formula.addConstant(constant);
        parts.tolerance = std::max(parts.tolerance, toleranceOf(view, constant));
    }
    for (const auto& [value, polynomial] : whole.inner()) {
        if (value != node.output(0) && isNear(polynomial, wanted, parts.tolerance))
            return std::nullopt;
    }
    for (const NodeId id : whole.formula().nodes)
        parts.formula.add(id);
    return parts;
}

std::optional<Reason> attributeIs(NodeId id, const Node& node, const std::string& name,
                                  float fallback, double wanted)
{
    const double found = static_cast<double>(node.attributes.getFloat(name, fallback));
    if (isNear(found, wanted))
        return std::nullopt;
    return reasons::unsupportedAttribute(id, name, fmt::format("{:.6g}", found),
                                         fmt::format("{:.6g}", wanted));
}

std::optional<Reason> numberIs(const GraphView& view, ValueId constant, double wanted)
{
    const auto found = scalarConstant(view, constant);
    if (!found || isNear(*found, wanted, toleranceOf(view, constant)))
        return std::nullopt;
    return reasons::unexpectedConstant(constant, *found, fmt::format("{}", wanted));
}

// The bounds, attributes before version 11.
void checkBounds(Conditions& conditions, const Parts& parts)
{
    const GraphView& view = conditions.context().view;
    const Node& clip = *view.node(parts.gate);
    std::optional<Reason> low, high;
    if (view.sinceVersion(clip) < 11) {
        low = attributeIs(parts.gate, clip, "min", -1.0F, 0);
        high = attributeIs(parts.gate, clip, "max", -1.0F, 6);
    } else {
        low = parts.low
                  ? numberIs(view, parts.low, 0)
                  : std::optional(reasons::unsupportedAttribute(parts.gate, "min", "-∞", "0"));
        high = parts.high
                   ? numberIs(view, parts.high, 6)
                   : std::optional(reasons::unsupportedAttribute(parts.gate, "max", "∞", "6"));
    }
    conditions.check("condition.inner-numbers", std::move(low));
    conditions.check("condition.inner-numbers", std::move(high));
    conditions.check("condition.inner-numbers", numberIs(view, parts.three, 3));
}

class HardSwish final : public FusionPattern
{
public:
    RuleId rule() const override { return "hard-swish"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto parts = partsAt(view, root);
        if (!parts)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkFormula(conditions, parts->formula, parts->x);
        if (parts->isClip) {
            checkBounds(conditions, *parts);
            std::optional<Reason> wrong;
            if (!isNear(parts->outer, wantedOuter(true), parts->tolerance)) {
                const double found = 1.0 / parts->outer.begin()->second;
                wrong = reasons::unexpectedConstant(parts->outerConstants.front(), found, "6");
            }
            conditions.check("condition.outer-numbers", std::move(wrong));
        } else {
            const Node& gate = *view.node(parts->gate);
            conditions.check("condition.inner-numbers",
                             attributeIs(parts->gate, gate, "alpha", 0.2F, 1.0 / 6));
            conditions.check("condition.inner-numbers",
                             attributeIs(parts->gate, gate, "beta", 0.5F, 0.5));
        }
        if (!conditions.allHold())
            return std::move(conditions)
                .miss(static_cast<int>(parts->formula.nodes.size()), parts->formula.nodes);
        Match match = formulaMatch(root, parts->formula, parts->x, "title.formula-hard-swish");
        remarkOpset(context.view, "HardSwish", 14, match);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const std::int64_t opset = view.opset(*view.node(match.root));
        const DType type = view.dtype(match.value("data"));
        // HardSwish 14 knows no bfloat16, 22 does; in double a sixth of the file has too few
        // digits.
        const bool known = (type != DType::bfloat16 || opset >= 22) && type != DType::float64;
        if (opset < 14 || !known) {
            makeFormulaRegion(builder, match, "hard-swish");
            return {};
        }
        Node node;
        node.op.type = "HardSwish";
        node.inputs = {match.value("data")};
        replaceFormula(builder, match, std::move(node));
        return {};
    }
};

} // namespace

const FusionPattern& patterns::hardSwish()
{
    static const HardSwish pattern;
    return pattern;
}

} // namespace fusescope
