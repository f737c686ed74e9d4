#include "support/random_graph_families.h"

#include <fmt/format.h>

namespace fusescope::test {

// An If whose condition is constant, now and then only after folding.
void branch(GraphWriter& w, const Data& from)
{
    std::string c = w.constant("bool", w.chance(2) ? "{1}" : "{0}");
    if (w.chance(3)) {
        const std::string folded = w.fresh("c");
        w.line(fmt::format("{} = Not ({})", folded, c));
        c = folded;
    }
    const std::string type = w.typeOf(from.channels);
    w.make(fmt::format("If ({}) <then_branch = a () => ({} r) {{ t = Relu ({}) r = Neg (t) }}, "
                       "else_branch = b () => ({} r) {{ r = Abs ({}) }}>",
                       c, type, from.name, type, from.name),
           from.channels);
}

void where(GraphWriter& w, const Data& from)
{
    const Data other = w.like(from);
    std::string c;
    if (w.chance(3)) {
        c = w.constant("bool[1]", w.chance(2) ? "{1}" : "{0}");
    } else {
        c = w.fresh("c");
        w.line(fmt::format("{} = Greater ({}, {})", c, from.name, w.constant("float", "{0}")));
    }
    w.make(fmt::format("Where ({}, {}, {})", c, from.name, other.name), from.channels);
}

// A local function, whose body is a pattern with what stands around the call.
void call(GraphWriter& w, const Data& from)
{
    switch (w.below(3)) {
    case 0:
        w.function("rectify", "(x) => (y) { y = Relu (x) }");
        return w.make(fmt::format("local.rectify ({})", from.name), from.channels);
    case 1:
        w.function("swish", "(x) => (y) { s = Sigmoid (x) y = Mul (x, s) }");
        return w.make(fmt::format("local.swish ({})", from.name), from.channels);
    default:
        w.function("sum", "(a, b) => (y) { s = Add (a, b) y = Relu (s) }");
        w.make(fmt::format("local.sum ({}, {})", from.name, w.like(from).name), from.channels);
    }
}

// The same twice, read by different nodes.
void twice(GraphWriter& w, const Data& from)
{
    const std::string first = w.fresh("v"), second = w.fresh("v");
    w.line(fmt::format("{} = Tanh ({})", first, from.name));
    w.line(fmt::format("{} = Tanh ({})", second, from.name));
    w.push(second, from.channels);
    w.make(fmt::format("Relu ({})", second), from.channels);
    w.push(first, from.channels);
}

// Nobody reads it.
void dead(GraphWriter& w, const Data& from)
{
    w.line(fmt::format("{} = Exp ({})", w.fresh("d"), from.name));
}

} // namespace fusescope::test
