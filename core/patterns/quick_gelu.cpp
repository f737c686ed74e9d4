#include "patterns/gated.h"
#include "patterns/pattern_list.h"

#include <array>

//   x ─┬─ Mul(α) ─ Sigmoid ─ Mul ─ y
//      └────────────────────┘
//   x ─ region{ Mul, Sigmoid, Mul } ─ y
//
// x·σ(α·x) with a constant α of one number (1.702 by custom), x one value in both uses, and nothing
// inside read elsewhere. The sigmoid may be written out.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> roots = {"Mul", "Div"};

std::optional<GateParts> read(const GraphView& view, ValueId value, bool divides)
{
    auto parts = readSigmoid(view, value, divides);
    const NodeId scale = parts ? view.producer(parts->x) : NodeId{};
    const Node* product = view.node(scale);
    const auto operand =
        product && product->is("Mul") ? scalarOperand(view, *product) : std::nullopt;
    if (!operand)
        return std::nullopt;
    parts->x = operand->data;
    parts->formula.nodes.insert(parts->formula.nodes.begin(), scale);
    parts->formula.addConstant(operand->constant);
    parts->scale = operand->constant;
    return parts;
}

} // namespace

const FusionPattern& patterns::quickGelu()
{
    static const GatedTable table{"quick-gelu", "title.formula-quick-gelu", roots, read};
    static const GatedFormula pattern(table);
    return pattern;
}

} // namespace fusescope
