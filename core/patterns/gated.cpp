#include "patterns/gated.h"

#include "patterns/constants.h"
#include "patterns/nearby.h"
#include "patterns/reasons.h"

#include <array>
#include <cmath>

namespace fusescope {

ValueId readOnePlusExp(const GraphView& view, ValueId value, GateParts& parts)
{
    const NodeId sum = view.producer(value);
    const Node* add = view.node(sum);
    const auto operand = add && add->is("Add") ? scalarOperand(view, *add) : std::nullopt;
    const NodeId power = operand ? view.producer(operand->data) : NodeId{};
    const Node* exp = view.node(power);
    if (!exp || !exp->is("Exp"))
        return {};
    parts.formula.add(power);
    parts.formula.add(sum);
    parts.formula.addConstant(operand->constant);
    parts.ones.push_back(operand->constant);
    return exp->input(0);
}

std::optional<GateParts> readSigmoid(const GraphView& view, ValueId value, bool divides)
{
    GateParts parts;
    const NodeId last = view.producer(value);
    const Node* node = view.node(last);
    if (!node)
        return std::nullopt;
    if (!divides && node->is("Sigmoid")) {
        parts.x = node->input(0);
        parts.formula.add(last);
        return parts;
    }
    ValueId sum = value;
    if (!divides && node->is("Reciprocal")) {
        sum = node->input(0);
    } else if (!divides) {
        if (!node->is("Div") || node->inputs.size() != 2 || !countsAsConstant(view, node->input(0)))
            return std::nullopt;
        sum = node->input(1);
        parts.formula.addConstant(node->input(0));
        parts.ones.push_back(node->input(0));
    }
    const NodeId minus = view.producer(readOnePlusExp(view, sum, parts));
    const Node* neg = view.node(minus);
    if (!neg || !neg->is("Neg"))
        return std::nullopt;
    parts.x = neg->input(0);
    parts.formula.add(minus);
    if (!divides)
        parts.formula.add(last);
    return parts;
}

std::optional<GateParts> GatedFormula::partsAt(const GraphView& view, const Node& root) const
{
    if (root.inputs.size() != 2)
        return std::nullopt;
    if (root.is("Div")) {
        auto parts = m_table.read(view, root.input(1), true);
        return parts && parts->x == root.input(0) ? parts : std::nullopt;
    }
    for (std::size_t i = 0; root.is("Mul") && i < 2; ++i) {
        auto parts = m_table.read(view, root.input(i), false);
        if (parts && parts->x == root.input(1 - i))
            return parts;
    }
    return std::nullopt;
}

// A gate of the other operand that passes another operator first.
MatchResult GatedFormula::behind(const MatchContext& context, NodeId root) const
{
    const GraphView& view = context.view;
    const Node& node = *view.node(root);
    for (std::size_t i = 0; node.is("Mul") && node.inputs.size() == 2 && i < 2; ++i) {
        std::optional<GateParts> parts;
        const auto found = findProducer(view, root, node.input(i), [&](NodeId, const Node& gate) {
            parts = gate.region ? std::nullopt : m_table.read(view, gate.output(0), false);
            if (parts && parts->x != node.input(1 - i))
                parts.reset();
            return parts.has_value();
        });
        if (!found || found->isDirect() || !isNearby(view, *found))
            continue;
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        checkFormula(conditions, parts->formula, parts->x);
        conditions.checkSingleReader(found->value, found->reader);
        std::vector<NodeId> nodes = parts->formula.nodes;
        nodes.push_back(root);
        return missBehind(std::move(conditions), true, std::move(nodes));
    }
    return NotCandidate{};
}

MatchResult GatedFormula::match(const MatchContext& context, NodeId root) const
{
    const GraphView& view = context.view;
    auto parts = partsAt(view, *view.node(root));
    if (!parts)
        return behind(context, root);
    FormulaNodes& formula = parts->formula;
    formula.add(root);
    Conditions conditions(context, rule(), root);
    checkFormula(conditions, formula, parts->x);
    if (!parts->ones.empty()) {
        static const std::array wanted = {WantedNumber{1, "1"}};
        conditions.check("condition.inner-numbers", wrongNumber(view, parts->ones, wanted));
    }
    if (parts->scale) {
        const auto scale = scalarConstant(view, *parts->scale);
        std::optional<Reason> wrong;
        if (scale && !std::isfinite(*scale))
            wrong = reasons::unexpectedConstant(*parts->scale, *scale, "1.702");
        conditions.check("condition.finite-number", std::move(wrong));
    }
    if (!conditions.allHold())
        return std::move(conditions).miss(static_cast<int>(formula.nodes.size()), formula.nodes);
    Match match = formulaMatch(root, formula, parts->x, m_table.title);
    if (!m_table.op.empty())
        remarkOpset(view, std::string(m_table.op), m_table.since, match);
    return match;
}

Result<void> GatedFormula::rewrite(const Match& match, PatchBuilder& builder) const
{
    const GraphView view(builder.graph());
    const std::int64_t opset = view.opset(*view.node(match.root));
    const bool isBFloat16 = view.dtype(match.value("data")) == DType::bfloat16;
    if (m_table.op.empty() || opset < (isBFloat16 ? m_table.sinceBFloat16 : m_table.since)) {
        makeFormulaRegion(builder, match, std::string(m_table.rule));
        return {};
    }
    Node node;
    node.op.type = m_table.op;
    node.inputs = {match.value("data")};
    replaceFormula(builder, match, std::move(node));
    return {};
}

} // namespace fusescope
