#include "patterns/gated.h"
#include "patterns/pattern_list.h"

#include <array>

//   x ─┬─ Sigmoid ─ Mul ─ y      or x / (1 + exp(−x)), or x · (1 / (1 + exp(−x)))
//      └─────────────┘
//   x ─ region{ Sigmoid, Mul } ─ y
//
// x is one value in both uses, the numbers are 1, and nothing else reads what is inside.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> roots = {"Mul", "Div"};

} // namespace

const FusionPattern& patterns::silu()
{
    static const GatedTable table{"silu", "title.formula-silu", roots, readSigmoid};
    static const GatedFormula pattern(table);
    return pattern;
}

} // namespace fusescope
