#include "support/random_graph_families.h"

#include <fmt/format.h>

namespace fusescope::test {

// Two nodes that cancel, or nearly.
void pair(GraphWriter& w, const Data& from)
{
    const std::string mid = w.fresh("m");
    switch (w.below(4)) {
    case 0:
        w.line(fmt::format("{} = Transpose <perm = [0, 2, 3, 1]> ({})", mid, from.name));
        return w.make(fmt::format("Transpose <perm = [0, 3, 1, 2]> ({})", mid), from.channels);
    case 1:
        w.line(fmt::format("{} = Flatten <axis = {}> ({})", mid, w.below(3) + 1, from.name));
        return w.make(fmt::format("Reshape ({}, {})", mid,
                                  w.integers(fmt::format("-1, {}, 6, 6", from.channels), 4)),
                      from.channels);
    case 2: {
        const std::string flat = w.integers("0, 0, -1", 3);
        const std::string back = w.integers(
            w.chance(2) ? "0, 0, 6, 6" : fmt::format("-1, {}, 6, 6", from.channels), 4);
        w.line(fmt::format("{} = Reshape ({}, {})", mid, from.name, flat));
        return w.make(fmt::format("Reshape ({}, {})", mid, back), from.channels);
    }
    default: {
        const std::string axes = w.integers("1", 1);
        w.line(fmt::format("{} = Unsqueeze ({}, {})", mid, from.name, axes));
        w.make(fmt::format("Squeeze ({}, {})", mid, axes), from.channels);
    }
    }
}

// What may be done on either side of a Transpose, between two of them.
void turned(GraphWriter& w, const Data& from)
{
    const auto turn = [&w](const std::string& name) {
        const std::string t = w.fresh("t");
        w.line(fmt::format("{} = Transpose <perm = [0, 2, 3, 1]> ({})", t, name));
        return t;
    };
    std::string t = turn(from.name);
    int channels = from.channels;
    for (std::uint64_t more = w.below(3) + 1; more > 0; --more) {
        const std::string out = w.fresh("t");
        switch (w.below(7)) {
        case 0:
            w.line(fmt::format("{} = Relu ({})", out, t));
            break;
        case 1:
            w.line(fmt::format("{} = Add ({}, {})", out, t,
                               w.weights(std::to_string(channels), -1, 1)));
            break;
        case 2:
            w.line(fmt::format("{} = Softmax <axis = {}> ({})", out, w.chance(2) ? -1 : 1, t));
            break;
        case 3:
            if (channels == from.channels && channels <= 4) {
                const Data other = w.like(from);
                const std::string second = turn(other.name);
                w.line(fmt::format("{} = Concat <axis = 3> ({}, {})", out, t, second));
                channels *= 2;
                break;
            }
            [[fallthrough]];
        case 4: {
            const std::string mean = w.fresh("t");
            w.line(fmt::format("{} = ReduceMean <axes = [{}]> ({})", mean,
                               w.chance(2) ? "3" : "1, 2", t));
            w.line(fmt::format("{} = Sub ({}, {})", out, t, mean));
            break;
        }
        case 5:
            w.line(fmt::format("{} = Mul ({}, {})", out, t, w.number("{0.5}")));
            if (w.deep()) {
                const std::string flat = w.fresh("t");
                w.settled(fmt::format("Identity ({})", out), flat);
                t = flat;
                continue;
            }
            break;
        default:
            w.line(fmt::format("{} = Sigmoid ({})", out, t));
        }
        t = out;
    }
    w.make(fmt::format("Transpose <perm = [0, 3, 1, 2]> ({})", t), channels);
}

// Three or more in a row, some with what moves nothing between.
void reshapes(GraphWriter& w, const Data& from)
{
    constexpr std::string_view targets[] = {"0, -1", "-1, 6", "0, 0, 36", "-1, 36", "0, -1, 2, 3"};
    constexpr int lengths[] = {2, 2, 3, 2, 4};
    std::string last = from.name;
    for (std::uint64_t more = w.below(3) + 2; more > 0; --more) {
        const std::uint64_t which = w.below(more == 1 ? 2 : 5);
        const std::string out = w.fresh("m");
        const std::string shape = which == 2 && last != from.name
                                      ? w.integers("-1, 3, 12", 3)
                                      : w.integers(targets[which], lengths[which]);
        w.line(fmt::format("{} = Reshape ({}, {})", out, last, shape));
        last = out;
        if (w.chance(4)) {
            const std::string between = w.fresh("m");
            w.line(fmt::format("{} = {} ({})", between, w.chance(2) ? "Relu" : "Identity", last));
            last = between;
        }
    }
    w.make(fmt::format("Reshape ({}, {})", last,
                       w.integers(fmt::format("-1, {}, 6, 6", from.channels), 4)),
           from.channels);
}

namespace {

void slicedRows(GraphWriter& w, const Data& from, bool swapped)
{
    const std::string upper = w.fresh("h"), lower = w.fresh("h");
    const std::string axis = w.integers("2", 1), middle = w.integers("3", 1);
    w.line(fmt::format("{} = Slice ({}, {}, {}, {})", upper, from.name, w.integers("0", 1), middle,
                       axis));
    w.line(fmt::format("{} = Slice ({}, {}, {}, {})", lower, from.name, middle,
                       w.integers(w.chance(2) ? "6" : "9223372036854775807", 1), axis));
    w.make(fmt::format("Concat <axis = 2> ({}, {})", swapped ? lower : upper,
                       swapped ? upper : lower),
           from.channels);
}

void gathered(GraphWriter& w, const Data& from)
{
    const std::string first = w.fresh("h"), rest = w.fresh("h");
    w.line(fmt::format("{} = Gather <axis = 1> ({}, {})", first, from.name,
                       w.integers(w.chance(2) ? "0" : "-1", 1)));
    w.line(fmt::format("{} = Slice ({}, {}, {}, {})", rest, from.name, w.integers("1", 1),
                       w.integers(std::to_string(from.channels), 1), w.integers("1", 1)));
    w.make(fmt::format("Concat <axis = 1> ({}, {})", first, rest), from.channels);
}

void split(GraphWriter& w, const Data& from)
{
    const std::string a = w.fresh("h"), b = w.fresh("h");
    const std::string sizes = w.integers("2, 4", 2);
    w.line(fmt::format("{}, {} = Split <axis = -1> ({}, {})", a, b, from.name, sizes));
    std::string second = b;
    if (w.chance(2)) {
        second = w.fresh("h");
        w.line(fmt::format("{} = Relu ({})", second, b));
    }
    w.make(fmt::format("Concat <axis = -1> ({}, {})", a, second), from.channels);
}

// A slice of a slice, padded to its size again.
void slicedTwice(GraphWriter& w, const Data& from)
{
    const std::string first = w.fresh("h"), second = w.fresh("h");
    const std::string axis = w.integers("3", 1);
    w.line(fmt::format("{} = Slice ({}, {}, {}, {})", first, from.name, w.integers("1", 1),
                       w.integers("6", 1), axis));
    w.line(fmt::format("{} = Slice ({}, {}, {}, {})", second, first, w.integers("1", 1),
                       w.integers("5", 1), w.chance(2) ? axis : w.integers("-1", 1)));
    w.make(fmt::format("Pad ({}, {})", second, w.integers("0, 0, 0, 1, 0, 0, 0, 1", 8)),
           from.channels);
}

} // namespace

// Taken apart and put together, as it was or otherwise.
void parts(GraphWriter& w, const Data& from)
{
    switch (w.below(5)) {
    case 0:
        return slicedRows(w, from, false);
    case 1:
        return slicedRows(w, from, true);
    case 2:
        return gathered(w, from);
    case 3:
        return split(w, from);
    default:
        return slicedTwice(w, from);
    }
}

// To half, to double or both, with something done in that type now and then.
void casts(GraphWriter& w, const Data& from)
{
    std::string last = from.name;
    for (std::uint64_t more = w.below(2) + 1; more > 0; --more) {
        const std::string out = w.fresh("m");
        w.line(fmt::format("{} = Cast <to = {}> ({})", out, w.chance(2) ? 11 : 10, last));
        last = out;
        if (w.chance(3)) {
            const std::string turned = w.fresh("m");
            w.line(fmt::format("{} = Relu ({})", turned, last));
            last = turned;
        }
    }
    w.make(fmt::format("Cast <to = 1> ({})", last), from.channels);
}

// Whole numbers that leave the types between.
void wholeNumbers(GraphWriter& w, const Data&)
{
    const bool small = w.chance(2);
    constexpr int between[] = {11, 1, 7, 10};
    constexpr int targets[] = {3, 2, 5, 7, 9};
    const std::string a = w.fresh("i"), b = w.fresh("i"), c = w.fresh("i"), d = w.fresh("i");
    w.line(fmt::format("{} = Mul ({}, {})", a, w.wholeInput(),
                       w.constant("int32", small ? "{200}" : "{-70000}")));
    w.line(fmt::format("{} = Sub ({}, {})", b, a, w.constant("int32", "{7}")));
    w.line(fmt::format("{} = Cast <to = {}> ({})", c, between[w.below(small ? 4 : 3)], b));
    w.line(fmt::format("{} = Cast <to = {}> ({})", d, targets[w.below(5)], c));
    w.make(fmt::format("Cast <to = 1> ({})", d), 3);
}

void noop(GraphWriter& w, const Data& from)
{
    const std::string out = w.fresh("v");
    switch (w.below(6)) {
    case 0:
        w.settled(fmt::format("Mul ({}, {})", from.name, w.number("{1}")), out);
        break;
    case 1:
        w.settled(fmt::format("Add ({}, {})", from.name, w.number(w.chance(2) ? "{0}" : "{-0.0}")),
                  out);
        break;
    case 2:
        w.line(fmt::format("{} = Cast <to = 1> ({})", out, from.name));
        break;
    case 3: {
        const std::string shape = w.fresh("s");
        w.line(fmt::format("{} = Shape ({})", shape, from.name));
        w.line(fmt::format("{} = Reshape ({}, {})", out, from.name, shape));
        break;
    }
    case 4:
        w.line(fmt::format("{} = Expand ({}, {})", out, from.name, w.integers("1, 1, 6, 1", 4)));
        break;
    default:
        w.line(fmt::format("{} = Dropout ({})", out, from.name));
    }
    w.push(out, from.channels);
}

} // namespace fusescope::test
