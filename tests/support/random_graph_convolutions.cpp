#include "support/random_graph_families.h"

#include <fmt/format.h>

namespace fusescope::test {

void conv(GraphWriter& w, const Data& from)
{
    const int channels = w.chance(2) ? from.channels : 2 + static_cast<int>(w.below(3));
    const bool wide = w.chance(2);
    const int side = wide ? 3 : 1;
    const std::string kernel =
        w.weights(fmt::format("{}, {}, {}, {}", channels, from.channels, side, side), -1, 1);
    const std::string bias = w.chance(2) ? ", " + w.weights(std::to_string(channels), -1, 1) : "";
    if (wide && w.chance(4)) {
        const std::string padded = w.fresh("p");
        w.line(fmt::format("{} = Pad ({}, {})", padded, from.name,
                           w.integers("0, 0, 1, 1, 0, 0, 1, 1", 8)));
        return w.make(fmt::format("Conv ({}, {}{})", padded, kernel, bias), channels);
    }
    w.make(fmt::format("Conv <pads = [{}]> ({}, {}{})", wide ? "1, 1, 1, 1" : "0, 0, 0, 0",
                       from.name, kernel, bias),
           channels);
}

void convTranspose(GraphWriter& w, const Data& from)
{
    const int channels = 2 + static_cast<int>(w.below(3));
    const bool wide = w.chance(2);
    const int side = wide ? 3 : 1;
    const std::string kernel =
        w.weights(fmt::format("{}, {}, {}, {}", from.channels, channels, side, side), -1, 1);
    const std::string bias = w.chance(2) ? ", " + w.weights(std::to_string(channels), -1, 1) : "";
    w.make(fmt::format("ConvTranspose <pads = [{}]> ({}, {}{})",
                       wide ? "1, 1, 1, 1" : "0, 0, 0, 0", from.name, kernel, bias),
           channels);
    if (w.chance(2))
        batchnorm(w, w.source());
}

void batchnorm(GraphWriter& w, const Data& from)
{
    const std::string c = std::to_string(from.channels);
    const std::string factor = w.weights(c, 0.5, 2);
    const std::string bias = w.weights(c, -1, 1);
    const std::string mean = w.weights(c, -1, 1);
    const std::string variance = w.weights(c, 0.5, 2);
    w.make(fmt::format("BatchNormalization ({}, {}, {}, {}, {})", from.name, factor, bias, mean,
                       variance),
           from.channels);
}

namespace {

void withConstant(GraphWriter& w, std::string_view op, const Data& from)
{
    const std::string c = w.weights(fmt::format("{}, 1, 1", from.channels), 0.5, 2);
    w.make(w.chance(2) ? fmt::format("{} ({}, {})", op, from.name, c)
                       : fmt::format("{} ({}, {})", op, c, from.name),
           from.channels);
}

} // namespace

void scale(GraphWriter& w, const Data& from)
{
    withConstant(w, "Mul", from);
}

void shift(GraphWriter& w, const Data& from)
{
    withConstant(w, "Add", from);
}

void residual(GraphWriter& w, const Data& from)
{
    const Data other = w.like(from);
    w.make(fmt::format("Add ({}, {})", from.name, other.name), from.channels);
}

void join(GraphWriter& w, const Data& from)
{
    const Data other = w.any();
    const int channels = from.channels + other.channels;
    if (channels > 8)
        return conv(w, from);
    w.make(fmt::format("Concat <axis = 1> ({}, {})", from.name, other.name), channels);
    if (!w.chance(3))
        conv(w, w.source());
}

// Padding of its own before a pooling that leaves the sizes.
void pooling(GraphWriter& w, const Data& from)
{
    constexpr std::string_view makers[] = {"Abs", "Tanh", "Relu", "Exp", "Neg"};
    constexpr std::string_view values[] = {"{0}", "{-1}", "{-inf}", "{-3.4028234663852886e38}"};
    const std::string made = w.fresh("a"), padded = w.fresh("p");
    w.line(fmt::format("{} = {} ({})", made, makers[w.below(5)], from.name));
    const bool averages = w.chance(4); // the lowest numbers would fill it with infinite ones
    w.line(fmt::format("{} = Pad ({}, {}, {})", padded, made,
                       w.integers("0, 0, 1, 1, 0, 0, 1, 1", 8),
                       w.constant("float", values[w.below(averages ? 2 : 4)])));
    w.make(fmt::format("{} <kernel_shape = [3, 3]> ({})", averages ? "AveragePool" : "MaxPool",
                       padded),
           from.channels);
}

// Twice as large and back; now and then padded between.
void resize(GraphWriter& w, const Data& from)
{
    std::string large = w.fresh("z");
    w.line(fmt::format("{} = Resize <mode = \"{}\"> ({}, \"\", {})", large,
                       w.chance(2) ? "nearest" : "linear", from.name,
                       w.constant("float[4]", "{1, 1, 2, 2}")));
    std::string pads;
    if (w.chance(3)) {
        const std::string padded = w.fresh("p");
        w.line(fmt::format("{} = Pad ({}, {})", padded, large,
                           w.integers("0, 0, 0, 0, 0, 0, 1, 1", 8)));
        large = padded;
    }
    w.make(fmt::format("{} <kernel_shape = [2, 2], strides = [2, 2]> ({})",
                       w.chance(2) ? "AveragePool" : "MaxPool", large),
           from.channels);
}

} // namespace fusescope::test
