#include "patterns/gated.h"
#include "patterns/pattern_list.h"

#include <array>

//   x ─┬─ Softplus ─ Tanh ─ Mul ─ y      or log(1 + exp(x)) in place of the Softplus
//      └─────────────────────┘
//   x ─ Mish ─ y      or, before opset 18, x ─ region{ Softplus, Tanh, Mul } ─ y
//
// x is one value in both uses, and nothing else reads what is inside.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"Mul"};

std::optional<GateParts> read(const GraphView& view, ValueId value, bool)
{
    const NodeId tanh = view.producer(value);
    const Node* last = view.node(tanh);
    const NodeId softplus = last && last->is("Tanh") ? view.producer(last->input(0)) : NodeId{};
    const Node* inner = view.node(softplus);
    GateParts parts;
    if (inner && inner->is("Softplus"))
        parts.x = inner->input(0);
    else if (inner && inner->is("Log"))
        parts.x = readOnePlusExp(view, inner->input(0), parts);
    if (!parts.x)
        return std::nullopt;
    parts.formula.add(softplus);
    parts.formula.add(tanh);
    return parts;
}

} // namespace

const FusionPattern& patterns::mish()
{
    // Mish 18 knows no bfloat16; 22 does.
    static const GatedTable table{"mish", "title.formula-mish", roots, read, "Mish", 18, 22};
    static const GatedFormula pattern(table);
    return pattern;
}

} // namespace fusescope
