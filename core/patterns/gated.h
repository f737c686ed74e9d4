#pragma once

#include "patterns/formula.h"

namespace fusescope {

// How a gate is computed from one value.
struct GateParts
{
    ValueId x;
    FormulaNodes formula;           // nodes and constants of the gate
    std::vector<ValueId> ones;      // those that must be 1
    std::optional<ValueId> scale;   // one that may be any finite number
};

// A value times a gate that is computed from it alone: x·gate(x). What differs between the formulas
// of this kind; the rest is GatedFormula's.
struct GatedTable
{
    RuleId rule;  // the kind of the region, too
    TextId title;
    std::span<const std::string_view> roots;
    // The gate that `value` is, or, where x is divided by it, one over the gate.
    std::optional<GateParts> (*read)(const GraphView& view, ValueId value, bool divides);
    // The operator that says the same, and the opsets that have it, and have it for bfloat16.
    std::string_view op = {};
    std::int64_t since = 0, sinceBFloat16 = 0;
};

class GatedFormula final : public FusionPattern
{
public:
    explicit GatedFormula(const GatedTable& table) : m_table(table) {}

    RuleId rule() const override { return m_table.rule; }
    std::span<const std::string_view> rootTypes() const override { return m_table.roots; }
    MatchResult match(const MatchContext& context, NodeId root) const override;
    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override;

private:
    std::optional<GateParts> partsAt(const GraphView& view, const Node& root) const;
    MatchResult behind(const MatchContext& context, NodeId root) const;

    const GatedTable& m_table;
};

// The sigmoid of `x`: a Sigmoid, 1 / (1 + exp(−x)) by Div or Reciprocal, or, where it divides,
// 1 + exp(−x).
std::optional<GateParts> readSigmoid(const GraphView& view, ValueId value, bool divides);
// 1 + exp(…), added to `parts`: what the Exp reads, or no id.
ValueId readOnePlusExp(const GraphView& view, ValueId value, GateParts& parts);

} // namespace fusescope
