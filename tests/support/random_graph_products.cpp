#include "support/random_graph_families.h"

#include <fmt/format.h>

namespace fusescope::test {

namespace {

// Rows of six numbers, and the way back.
std::string rowsOf(GraphWriter& w, const Data& from)
{
    const std::string rows = w.fresh("r");
    w.line(fmt::format("{} = Reshape ({}, {})", rows, from.name, w.integers("-1, 6", 2)));
    return rows;
}

void fromRows(GraphWriter& w, const std::string& rows, int channels)
{
    w.make(fmt::format("Reshape ({}, {})", rows,
                       w.integers(fmt::format("-1, {}, 6, 6", channels), 4)),
           channels);
}

std::string then(GraphWriter& w, std::string_view formula)
{
    const std::string out = w.fresh("r");
    w.line(fmt::format("{} = {}", out, formula));
    return out;
}

std::string afterProduct(GraphWriter& w, const std::string& rows)
{
    switch (w.below(5)) {
    case 0:
        return then(w, fmt::format("Relu ({})", rows));
    case 1:
        return then(w, fmt::format("Mul ({}, {})", rows, w.weights("6", 0.5, 2)));
    case 2:
        return then(w, fmt::format("Add ({}, {})", w.weights("6", -1, 1), rows));
    case 3: {
        const std::string factor = w.weights("6", 0.5, 2), bias = w.weights("6", -1, 1),
                          mean = w.weights("6", -1, 1), variance = w.weights("6", 0.5, 2);
        return then(w, fmt::format("BatchNormalization ({}, {}, {}, {}, {})", rows, factor, bias,
                                   mean, variance));
    }
    default:
        return rows;
    }
}

} // namespace

void gemm(GraphWriter& w, const Data& from)
{
    std::string rows = rowsOf(w, from);
    const std::string bias = w.chance(2) ? ", " + w.weights(w.chance(3) ? "1, 6" : "6", -1, 1) : "";
    const std::string kernel = w.weights("6, 6", -1, 1);
    rows = then(w, fmt::format("Gemm <transB = {}, alpha = {}, beta = {}> ({}, {}{})", w.below(2),
                               w.chance(3) ? "0.5" : "1.0", w.chance(3) ? "2.0" : "1.0", rows,
                               kernel, bias));
    for (std::uint64_t more = w.below(3); more > 0; --more)
        rows = afterProduct(w, rows);
    fromRows(w, rows, from.channels);
}

void matmul(GraphWriter& w, const Data& from)
{
    const bool flat = w.chance(2);
    std::string rows = flat ? rowsOf(w, from) : from.name;
    const std::string kernel = w.weights("6, 6", -1, 1);
    if (!flat) {
        const bool more = w.chance(2);
        const std::string product = w.fresh("r");
        w.line(fmt::format("{} = MatMul ({}, {})", product, from.name, kernel));
        return w.make(more ? fmt::format("Add ({}, {})", product, w.weights("6", 0.5, 2))
                           : fmt::format("Mul ({}, {})", w.weights("6", 0.5, 2), product),
                      from.channels);
    }
    rows = then(w, fmt::format("MatMul ({}, {})", rows, kernel));
    for (std::uint64_t more = w.below(3); more > 0; --more)
        rows = afterProduct(w, rows);
    fromRows(w, rows, from.channels);
}

// Every channel is a head that looks at itself.
void attention(GraphWriter& w, const Data& from)
{
    const std::string turn = w.fresh("t"), scores = w.fresh("s"), scaled = w.fresh("s"),
                      weight = w.fresh("s"), out = w.fresh("v");
    w.line(fmt::format("{} = Transpose <perm = [0, 1, 3, 2]> ({})", turn, from.name));
    w.line(fmt::format("{} = MatMul ({}, {})", scores, from.name, turn));
    w.line(fmt::format("{} = {} ({}, {})", scaled, w.chance(2) ? "Mul" : "Div", scores,
                       w.number("{0.4}")));
    w.line(fmt::format("{} = Softmax <axis = -1> ({})", weight, scaled));
    w.settled(fmt::format("MatMul ({}, {})", weight, from.name), out);
    w.push(out, from.channels);
}

} // namespace fusescope::test
