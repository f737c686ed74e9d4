#include "support/random_graph_families.h"

#include <fmt/format.h>

namespace fusescope::test {

namespace {

// Of the type of booleans, of one number for each element.
std::string compared(GraphWriter& w, const Data& from)
{
    const std::string less = w.fresh("b"), turned = w.fresh("b");
    w.line(fmt::format("{} = Less ({}, {})", less, from.name, w.constant("float", "{0.25}")));
    w.line(fmt::format("{} = Not ({})", turned, less));
    return turned;
}

} // namespace

// Two of a kind in a row, bounds by Max and Min, shapes of what is read for nothing else.
void smallChains(GraphWriter& w, const Data& from)
{
    const std::string a = w.fresh("k"), b = w.fresh("k");
    switch (w.below(6)) {
    case 0: {
        const Data other = w.like(from);
        if (from.channels > 2)
            return w.make(fmt::format("Neg ({})", from.name), from.channels);
        w.line(fmt::format("{} = Concat <axis = 1> ({}, {})", a, from.name, other.name));
        w.make(fmt::format("Concat <axis = {}> ({}, {})", w.chance(2) ? 1 : -3, a, from.name),
               3 * from.channels);
        break;
    }
    case 1: {
        constexpr std::string_view operators[] = {"Neg", "Abs", "Relu"};
        const auto op = operators[w.below(3)];
        w.line(fmt::format("{} = {} ({})", a, op, from.name));
        w.make(fmt::format("{} ({})", op, a), from.channels);
        break;
    }
    case 2: {
        const std::string condition = compared(w, from);
        const Data other = w.like(from);
        w.make(fmt::format("Where ({}, {}, {})", condition, from.name, other.name), from.channels);
        if (w.chance(3))
            w.make(fmt::format("Where ({}, {}, {})", condition, other.name, from.name),
                   from.channels);
        break;
    }
    case 3: {
        const bool turned = w.chance(2);
        w.line(fmt::format("{} = {} ({}, {})", a, turned ? "Min" : "Max", from.name,
                           w.constant("float", turned ? "{3}" : "{-0.5}")));
        w.make(fmt::format("{} ({}, {})", w.chance(4) == turned ? "Min" : "Max",
                           w.constant("float", w.chance(4) ? "{-1}" : "{1.5}"), a),
               from.channels);
        break;
    }
    case 4:
        w.line(fmt::format("{} = {} ({})", a, w.chance(2) ? "Tanh" : "Identity", from.name));
        w.line(fmt::format("{} = Softmax <axis = {}> ({})", b, w.chance(2) ? 1 : -1, a));
        w.make(fmt::format("Log ({})", b), from.channels);
        break;
    default: {
        const std::string shape = w.fresh("k"), fill = w.fresh("k"), ones = w.fresh("k");
        w.line(fmt::format("{} = {} ({})", a, w.chance(2) ? "Exp" : "Cast <to = 11>", from.name));
        w.line(fmt::format("{} = Shape ({})", shape, a));
        w.line(fmt::format("{} = ConstantOfShape <value: tensor = int64[1] {{1}}> ({})", fill,
                           shape));
        w.line(fmt::format("{} = Cast <to = 1> ({})", ones, fill));
        w.make(fmt::format("Sub ({}, {})", from.name, ones), from.channels);
    }
    }
}

} // namespace fusescope::test
