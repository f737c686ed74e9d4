#include "support/random_graph_families.h"

#include <fmt/format.h>

namespace fusescope::test {

void relu(GraphWriter& w, const Data& from)
{
    w.make(fmt::format("Relu ({})", from.name), from.channels);
}

void plain(GraphWriter& w, const Data& from)
{
    constexpr std::string_view types[] = {"Sigmoid", "Identity", "LeakyRelu", "HardSwish"};
    w.make(fmt::format("{} ({})", types[w.below(4)], from.name), from.channels);
}

// One to three, with bounds that are not always there.
void clip(GraphWriter& w, const Data& from)
{
    constexpr std::string_view lows[] = {"{0}", "{-1}", "{0.5}"};
    constexpr std::string_view highs[] = {"{6}", "{1}", "{3}"};
    Data last = from;
    for (std::uint64_t more = w.below(3) + 1; more > 0; --more) {
        const std::string low =
            w.chance(4) ? "\"\"" : w.constant("float", lows[w.below(3)]);
        const std::string high = w.chance(4) ? "" : ", " + w.constant("float", highs[w.below(3)]);
        const std::string out = w.fresh("v");
        w.line(w.chance(4) ? fmt::format("{} = Relu ({})", out, last.name)
                           : fmt::format("{} = Clip ({}, {}{})", out, last.name, low, high));
        w.push(out, from.channels);
        last.name = out;
    }
}

// One written out in small operators.
void activation(GraphWriter& w, const Data& from)
{
    const auto one = [&w] { return w.number(w.chance(12) ? "{2}" : "{1}"); };
    bool deepInside = false;
    const std::string a = w.fresh("a"), b = w.fresh("a"), c = w.fresh("a"), out = w.fresh("v");
    const std::string& x = from.name;
    switch (w.below(6)) {
    case 0:
        w.line(fmt::format("{} = Sigmoid ({})", a, x));
        w.settled(fmt::format("Mul ({}, {})", x, a), out);
        break;
    case 1:
        w.line(fmt::format("{} = Neg ({})", a, x));
        w.line(fmt::format("{} = Exp ({})", b, a));
        w.line(fmt::format("{} = Add ({}, {})", c, b, one()));
        w.settled(fmt::format("Div ({}, {})", x, c), out);
        break;
    case 2:
        w.line(fmt::format("{} = Softplus ({})", a, x));
        w.line(fmt::format("{} = Tanh ({})", b, a));
        w.settled(fmt::format("Mul ({}, {})", b, x), out);
        break;
    case 3:
        w.line(fmt::format("{} = HardSigmoid <alpha = 0.16666667> ({})", a, x));
        w.settled(fmt::format("Mul ({}, {})", x, a), out);
        break;
    case 4:
        w.line(fmt::format("{} = Mul ({}, {})", a, x, w.number("{1.702}")));
        deepInside = w.deep();
        w.line(fmt::format("{} = Sigmoid ({})", b, a));
        w.settled(fmt::format("Mul ({}, {})", x, b), out);
        break;
    default: {
        const std::string half = w.fresh("a");
        w.line(fmt::format("{} = Div ({}, {})", a, x, w.number("{1.4142135}")));
        deepInside = w.deep();
        w.line(fmt::format("{} = Erf ({})", b, a));
        w.line(fmt::format("{} = Add ({}, {})", c, b, one()));
        w.line(fmt::format("{} = Mul ({}, {})", half, x, c));
        w.settled(fmt::format("Mul ({}, {})", half, w.number("{0.5}")), out);
    }
    }
    w.push(out, from.channels);
    if (!deepInside)
        w.leave(a, from.channels);
}

namespace {

std::string toLast(GraphWriter& w, const Data& from)
{
    const std::string t = w.fresh("t");
    w.line(fmt::format("{} = Transpose <perm = [0, 2, 3, 1]> ({})", t, from.name));
    return t;
}

// A scale of one number keeps it from being the operator.
void scaledBack(GraphWriter& w, const std::string& normal, const Data& from)
{
    const std::string scaled = w.fresh("n");
    const std::string factor = w.chance(3) ? w.number("{1.5}")
                                           : w.weights(std::to_string(from.channels), 0.5, 2);
    w.settled(fmt::format("Mul ({}, {})", normal, factor), scaled);
    w.make(fmt::format("Transpose <perm = [{}]> ({})", w.chance(8) ? "0, 3, 2, 1" : "0, 3, 1, 2",
                       scaled),
           from.channels);
}

std::string epsilon(GraphWriter& w)
{
    return w.number(w.chance(10) ? "{0.5}" : "{0.1}");
}

} // namespace

// Over the channels, written out, between two Transposes.
void layerNormalization(GraphWriter& w, const Data& from)
{
    const std::string t = toLast(w, from), mean = w.fresh("n"), d = w.fresh("n"),
                      square = w.fresh("n"), variance = w.fresh("n"), safe = w.fresh("n"),
                      root = w.fresh("n"), normal = w.fresh("n");
    w.line(fmt::format("{} = ReduceMean <axes = [-1]> ({})", mean, t));
    w.line(fmt::format("{} = Sub ({}, {})", d, t, mean));
    w.line(fmt::format("{} = Mul ({}, {})", square, d, d));
    w.line(fmt::format("{} = ReduceMean <axes = [-1]> ({})", variance, square));
    w.line(fmt::format("{} = Add ({}, {})", safe, variance, epsilon(w)));
    w.line(fmt::format("{} = Sqrt ({})", root, safe));
    w.line(fmt::format("{} = Div ({}, {})", normal, d, root));
    scaledBack(w, normal, from);
}

void rmsNormalization(GraphWriter& w, const Data& from)
{
    const std::string t = toLast(w, from), square = w.fresh("n"), mean = w.fresh("n"),
                      safe = w.fresh("n"), root = w.fresh("n"), normal = w.fresh("n");
    w.line(w.chance(2) ? fmt::format("{} = Mul ({}, {})", square, t, t)
                       : fmt::format("{} = Pow ({}, {})", square, t, w.constant("float", "{2}")));
    w.line(fmt::format("{} = ReduceMean <axes = [-1]> ({})", mean, square));
    w.line(fmt::format("{} = Add ({}, {})", safe, mean, epsilon(w)));
    w.line(fmt::format("{} = Sqrt ({})", root, safe));
    if (w.chance(2)) {
        w.line(fmt::format("{} = Div ({}, {})", normal, t, root));
    } else {
        const std::string inverse = w.fresh("n");
        w.line(fmt::format("{} = Reciprocal ({})", inverse, root));
        w.line(fmt::format("{} = Mul ({}, {})", normal, t, inverse));
    }
    scaledBack(w, normal, from);
}

// The operator itself over the last axis of a sum, which may be read elsewhere.
void skipNormalization(GraphWriter& w, const Data& from)
{
    const std::string sum = w.fresh("m");
    const Data other = w.like(from);
    w.line(fmt::format("{} = Add ({}, {})", sum, from.name, other.name));
    const std::string factor = w.weights("6", 0.5, 2);
    const std::string bias = w.chance(2) ? ", " + w.weights("6", -1, 1) : "";
    w.make(fmt::format("LayerNormalization <axis = -1, epsilon = 0.1> ({}, {}{})", sum, factor, bias),
           from.channels);
    w.leave(sum, from.channels);
}

} // namespace fusescope::test
