#pragma once

#include "fuzz/dice.h"
#include "fuzz/node_hints.h"
#include "ops/runtime_value.h"

#include <string_view>
#include <vector>

namespace fusescope::test {

// Random contents. `wild` is how often, of 100 choices, something odd is taken: the least and
// greatest numbers, huge sizes, types and forms that do not belong there.
class RandomValues
{
public:
    RandomValues(Dice& dice, unsigned wild) : m_dice(dice), m_wild(wild) {}

    bool odd() { return m_dice.chance(m_wild); }
    bool isTame() const { return m_wild == 0; }
    // Whether a NaN, an infinity or a number beyond a few was taken: results may then overflow.
    bool tookSpecial() const { return m_special; }

    std::int64_t integer(IntegerRole role, std::size_t rank);
    double number();
    std::string text(std::string_view attribute = {});
    DType dtype(); // any of TensorProto's, the usual ones more often

    // At most a few hundred elements: sizes that make more are cut to 1.
    std::vector<std::int64_t> shape(std::size_t maxRank = 6);
    std::int64_t size();
    TensorPtr tensor(DType type, std::vector<std::int64_t> shape,
                     IntegerRole role = IntegerRole::any, std::size_t rank = 2);
    // Of a type as the schemas write it: "tensor(float)", "seq(tensor(float))",
    // "optional(seq(tensor(float)))", "map(int64,float)".
    RuntimeValue value(std::string_view type);

private:
    Tensor numbers(DType type, const std::vector<std::int64_t>& shape, IntegerRole role,
                   std::size_t rank);

    Dice& m_dice;
    unsigned m_wild;
    bool m_special = false;
};

// The type that a schema's type string names, shapes unknown; undefined for one it does not know.
Type typeOfText(std::string_view text);

} // namespace fusescope::test
