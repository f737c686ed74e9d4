#include "support/random_graph.h"

#include <fmt/format.h>

#include <vector>

namespace fusescope::test {

namespace {

class Maker
{
public:
    explicit Maker(std::uint64_t seed) : m_state(seed * 0xD1342543DE82EF95ULL + 1) {}

    std::string make()
    {
        m_batch = chance(2) ? "N" : "2";
        m_values.push_back({"x", 3});
        const std::uint64_t wanted = 5 + below(50);
        while (m_count < wanted)
            step();
        const Data last = m_values.back();
        std::string outputs = typed(last);
        for (std::size_t i = 1; i + 1 < m_values.size(); ++i) {
            if (chance(12))
                outputs += ", " + typed(m_values[i]);
        }
        return fmt::format("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (float[{}, 3, 6, 6] x{}) => ({})\n<{}>\n{{\n{}}}\n",
                           m_batch, m_inputs, outputs, m_constants, m_nodes);
    }

private:
    struct Data
    {
        std::string name;
        int channels = 0;
    };

    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    bool chance(std::uint64_t oneIn) { return below(oneIn) == 0; }

    std::string typed(const Data& d) const
    {
        return fmt::format("float[{}, {}, 6, 6] {}", m_batch, d.channels, d.name);
    }

    // Mostly the newest value, so that chains grow; now and then an older one.
    Data source()
    {
        return chance(4) ? m_values[below(m_values.size())] : m_values.back();
    }

    std::string fresh(std::string_view stem) { return fmt::format("{}{}", stem, ++m_names); }

    std::string constant(std::string_view type, std::string_view contents)
    {
        const std::string name = fresh("k");
        m_constants += fmt::format("{}{} {} = {}", m_constants.empty() ? "" : ",\n ", type, name,
                                   contents);
        return name;
    }

    // One number, now and then of more axes than it needs; of five it adds one to the data, which
    // settled() takes away again.
    std::string number(std::string_view contents)
    {
        const std::uint64_t axes = chance(3) ? below(6) : 0;
        m_deep = m_deep || axes == 5;
        std::string ones;
        for (std::uint64_t i = 0; i < axes; ++i)
            ones += i == 0 ? "1" : ", 1";
        return constant(axes == 0 ? "float" : "float[" + ones + "]", contents);
    }

    // The result of a formula, under that name, of four axes.
    void settled(std::string_view formula, const std::string& out)
    {
        if (!m_deep)
            return line(fmt::format("{} = {}", out, formula));
        const std::string deep = fresh("d");
        line(fmt::format("{} = {}", deep, formula));
        line(fmt::format("{} = Squeeze ({}, {})", out, deep, constant("int64[1]", "{0}")));
        m_deep = false;
    }

    std::string weights(const std::string& shape, double low, double high)
    {
        const std::string name = constant("float[" + shape + "]",
                                          fmt::format("random({}, {}, {})", ++m_seed, low, high));
        if (chance(25))
            m_inputs += fmt::format(", float[{}] {}", shape, name);
        if (!chance(20))
            return name;
        // Known only once a constant is folded.
        const std::string folded = fresh("w");
        line(fmt::format("{} = Abs ({})", folded, name));
        return folded;
    }

    void line(const std::string& text)
    {
        m_nodes += "  " + text + "\n";
        ++m_count;
    }

    void unary(std::string_view op, const Data& from)
    {
        const std::string out = fresh("v");
        line(fmt::format("{} = {} ({})", out, op, from.name));
        m_values.push_back({out, from.channels});
    }

    void conv(const Data& from)
    {
        const int channels = chance(2) ? from.channels : 2 + static_cast<int>(below(3));
        const bool wide = chance(2);
        const std::string w = weights(
            fmt::format("{}, {}, {}, {}", channels, from.channels, wide ? 3 : 1, wide ? 3 : 1), -1, 1);
        const std::string bias = chance(2) ? ", " + weights(std::to_string(channels), -1, 1) : "";
        const std::string out = fresh("v");
        if (wide && chance(4)) {
            const std::string padded = fresh("p");
            const std::string pads = constant("int64[8]", "{0, 0, 1, 1, 0, 0, 1, 1}");
            line(fmt::format("{} = Pad ({}, {})", padded, from.name, pads));
            line(fmt::format("{} = Conv ({}, {}{})", out, padded, w, bias));
        } else {
            line(fmt::format("{} = Conv <pads = [{}]> ({}, {}{})", out,
                             wide ? "1, 1, 1, 1" : "0, 0, 0, 0", from.name, w, bias));
        }
        m_values.push_back({out, channels});
    }

    void batchnorm(const Data& from)
    {
        const std::string c = std::to_string(from.channels);
        const std::string scale = weights(c, 0.5, 2);
        const std::string shift = weights(c, -1, 1);
        const std::string mean = weights(c, -1, 1);
        const std::string variance = weights(c, 0.5, 2);
        const std::string out = fresh("v");
        line(fmt::format("{} = BatchNormalization ({}, {}, {}, {}, {})", out, from.name, scale, shift,
                         mean, variance));
        m_values.push_back({out, from.channels});
    }

    void withConstant(std::string_view op, const Data& from)
    {
        const std::string c = weights(fmt::format("{}, 1, 1", from.channels), 0.5, 2);
        const std::string out = fresh("v");
        line(chance(2) ? fmt::format("{} = {} ({}, {})", out, op, from.name, c)
                       : fmt::format("{} = {} ({}, {})", out, op, c, from.name));
        m_values.push_back({out, from.channels});
    }

    void add(const Data& from)
    {
        std::vector<Data> fitting;
        for (const Data& d : m_values) {
            if (d.channels == from.channels)
                fitting.push_back(d);
        }
        const Data other = fitting[below(fitting.size())];
        const std::string out = fresh("v");
        line(fmt::format("{} = Add ({}, {})", out, from.name, other.name));
        m_values.push_back({out, from.channels});
    }

    void join(const Data& from)
    {
        const Data other = m_values[below(m_values.size())];
        if (from.channels + other.channels > 8)
            return conv(from);
        const std::string out = fresh("v");
        line(fmt::format("{} = Concat <axis = 1> ({}, {})", out, from.name, other.name));
        m_values.push_back({out, from.channels + other.channels});
        if (!chance(3))
            conv(m_values.back());
    }

    // Two nodes that cancel, or nearly.
    void pair(const Data& from)
    {
        const std::string mid = fresh("m");
        const std::string out = fresh("v");
        switch (below(4)) {
        case 0:
            line(fmt::format("{} = Transpose <perm = [0, 2, 3, 1]> ({})", mid, from.name));
            line(fmt::format("{} = Transpose <perm = [0, 3, 1, 2]> ({})", out, mid));
            break;
        case 1:
            line(fmt::format("{} = Cast <to = {}> ({})", mid, chance(2) ? 11 : 10, from.name));
            line(fmt::format("{} = Cast <to = 1> ({})", out, mid));
            break;
        case 2: {
            const std::string flat = constant("int64[3]", "{0, 0, -1}");
            const std::string back =
                constant("int64[4]", chance(2) ? "{0, 0, 6, 6}"
                                               : fmt::format("{{-1, {}, 6, 6}}", from.channels));
            line(fmt::format("{} = Reshape ({}, {})", mid, from.name, flat));
            line(fmt::format("{} = Reshape ({}, {})", out, mid, back));
            break;
        }
        default: {
            const std::string axes = constant("int64[1]", "{1}");
            line(fmt::format("{} = Unsqueeze ({}, {})", mid, from.name, axes));
            line(fmt::format("{} = Squeeze ({}, {})", out, mid, axes));
        }
        }
        m_values.push_back({out, from.channels});
    }

    // The inner values may be read elsewhere, too.
    void leave(const std::string& inner, int channels)
    {
        if (chance(8))
            m_values.insert(m_values.end() - 1, {inner, channels});
    }

    // One written out in small operators.
    void activation(const Data& from)
    {
        const auto one = [this] { return number(chance(12) ? "{2}" : "{1}"); };
        bool deepInside = false;
        const std::string a = fresh("a"), b = fresh("a"), c = fresh("a"), out = fresh("v");
        const std::string& x = from.name;
        switch (below(5)) {
        case 0:
            line(fmt::format("{} = Sigmoid ({})", a, x));
            settled(fmt::format("Mul ({}, {})", x, a), out);
            break;
        case 1:
            line(fmt::format("{} = Neg ({})", a, x));
            line(fmt::format("{} = Exp ({})", b, a));
            line(fmt::format("{} = Add ({}, {})", c, b, one()));
            settled(fmt::format("Div ({}, {})", x, c), out);
            break;
        case 2:
            line(fmt::format("{} = Softplus ({})", a, x));
            line(fmt::format("{} = Tanh ({})", b, a));
            settled(fmt::format("Mul ({}, {})", b, x), out);
            break;
        case 3:
            line(fmt::format("{} = HardSigmoid <alpha = 0.16666667> ({})", a, x));
            settled(fmt::format("Mul ({}, {})", x, a), out);
            break;
        default: {
            const std::string half = fresh("a"), m = fresh("a");
            line(fmt::format("{} = Div ({}, {})", a, x, number("{1.4142135}")));
            deepInside = m_deep;
            line(fmt::format("{} = Erf ({})", b, a));
            line(fmt::format("{} = Add ({}, {})", c, b, one()));
            line(fmt::format("{} = Mul ({}, {})", m, x, c));
            settled(fmt::format("Mul ({}, {})", m, number("{0.5}")), out);
        }
        }
        m_values.push_back({out, from.channels});
        if (!deepInside)
            leave(a, from.channels);
    }

    // A LayerNormalization over the channels written out, between two Transposes.
    void normalization(const Data& from)
    {
        const std::string t = fresh("t"), mean = fresh("n"), d = fresh("n"), square = fresh("n"),
                          variance = fresh("n"), safe = fresh("n"), root = fresh("n"),
                          normal = fresh("n"), scaled = fresh("n"), out = fresh("v");
        line(fmt::format("{} = Transpose <perm = [0, 2, 3, 1]> ({})", t, from.name));
        line(fmt::format("{} = ReduceMean <axes = [-1]> ({})", mean, t));
        line(fmt::format("{} = Sub ({}, {})", d, t, mean));
        line(fmt::format("{} = Mul ({}, {})", square, d, d));
        line(fmt::format("{} = ReduceMean <axes = [-1]> ({})", variance, square));
        line(fmt::format("{} = Add ({}, {})", safe, variance,
                         number(chance(10) ? "{0.5}" : "{0.1}")));
        line(fmt::format("{} = Sqrt ({})", root, safe));
        line(fmt::format("{} = Div ({}, {})", normal, d, root));
        // A scale of one number keeps it from being the operator.
        settled(fmt::format("Mul ({}, {})", normal,
                            chance(2) ? number("{1.5}")
                                      : weights(std::to_string(from.channels), 0.5, 2)),
                scaled);
        line(fmt::format("{} = Transpose <perm = [{}]> ({})", out,
                         chance(8) ? "0, 3, 2, 1" : "0, 3, 1, 2", scaled));
        m_values.push_back({out, from.channels});
    }

    void noop(const Data& from)
    {
        const std::string out = fresh("v");
        switch (below(5)) {
        case 0:
            settled(fmt::format("Mul ({}, {})", from.name, number("{1}")), out);
            break;
        case 1:
            settled(fmt::format("Add ({}, {})", from.name, number(chance(2) ? "{0}" : "{-0.0}")),
                    out);
            break;
        case 2:
            line(fmt::format("{} = Cast <to = 1> ({})", out, from.name));
            break;
        case 3: {
            const std::string shape = fresh("s");
            line(fmt::format("{} = Shape ({})", shape, from.name));
            line(fmt::format("{} = Reshape ({}, {})", out, from.name, shape));
            break;
        }
        default:
            line(fmt::format("{} = Dropout ({})", out, from.name));
        }
        m_values.push_back({out, from.channels});
    }

    // Padding of its own before a pooling that leaves the sizes.
    void pooling(const Data& from)
    {
        constexpr std::string_view makers[] = {"Abs", "Tanh", "Relu", "Exp", "Neg"};
        constexpr std::string_view values[] = {"{0}", "{-1}", "{-inf}", "{-3.4028234663852886e38}"};
        const std::string made = fresh("a"), padded = fresh("p"), out = fresh("v");
        line(fmt::format("{} = {} ({})", made, makers[below(5)], from.name));
        const bool averages = chance(4); // the lowest numbers would fill it with infinite ones
        line(fmt::format("{} = Pad ({}, {}, {})", padded, made,
                         constant("int64[8]", "{0, 0, 1, 1, 0, 0, 1, 1}"),
                         constant("float", values[below(averages ? 2 : 4)])));
        line(fmt::format("{} = {} <kernel_shape = [3, 3]> ({})", out,
                         averages ? "AveragePool" : "MaxPool", padded));
        m_values.push_back({out, from.channels});
    }

    // Whole numbers that leave the types between.
    void integers()
    {
        if (!m_hasIntegers)
            m_inputs += fmt::format(", int32[{}, 3, 6, 6] whole", m_batch);
        m_hasIntegers = true;
        const bool small = chance(2);
        constexpr int between[] = {11, 1, 7, 10};
        constexpr int targets[] = {3, 2, 5, 7, 9};
        const std::string a = fresh("i"), b = fresh("i"), c = fresh("i"), d = fresh("i"),
                          out = fresh("v");
        line(fmt::format("{} = Mul (whole, {})", a,
                         constant("int32", small ? "{200}" : "{-70000}")));
        line(fmt::format("{} = Sub ({}, {})", b, a, constant("int32", "{7}")));
        line(fmt::format("{} = Cast <to = {}> ({})", c, between[below(small ? 4 : 3)], b));
        line(fmt::format("{} = Cast <to = {}> ({})", d, targets[below(5)], c));
        line(fmt::format("{} = Cast <to = 1> ({})", out, d));
        m_values.push_back({out, 3});
    }

    // Every channel is a head that looks at itself.
    void attention(const Data& from)
    {
        const std::string turned = fresh("t"), scores = fresh("s"), scaled = fresh("s"),
                          weight = fresh("s"), out = fresh("v");
        line(fmt::format("{} = Transpose <perm = [0, 1, 3, 2]> ({})", turned, from.name));
        line(fmt::format("{} = MatMul ({}, {})", scores, from.name, turned));
        line(fmt::format("{} = Mul ({}, {})", scaled, scores, number("{0.4}")));
        line(fmt::format("{} = Softmax <axis = -1> ({})", weight, scaled));
        settled(fmt::format("MatMul ({}, {})", weight, from.name), out);
        m_values.push_back({out, from.channels});
    }

    void choose(const Data& from)
    {
        const std::string out = fresh("v");
        const std::string c = constant("bool", chance(2) ? "{1}" : "{0}");
        const std::string type = fmt::format("float[{}, {}, 6, 6]", m_batch, from.channels);
        line(fmt::format("{} = If ({}) <then_branch = a () => ({} r) {{ t = Relu ({}) r = Neg (t) }}, "
                         "else_branch = b () => ({} r) {{ r = Abs ({}) }}>",
                         out, c, type, from.name, type, from.name));
        m_values.push_back({out, from.channels});
    }

    void step()
    {
        const Data from = source();
        switch (below(27)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return conv(from);
        case 4:
        case 5:
        case 6:
            return batchnorm(from);
        case 7:
        case 8:
            return unary("Relu", from);
        case 9:
            return unary(chance(2) ? "Sigmoid" : "Identity", from);
        case 10:
            return withConstant("Mul", from);
        case 11:
            return withConstant("Add", from);
        case 12:
        case 13:
            return add(from);
        case 14:
            return join(from);
        case 15:
            return pair(from);
        case 16:
            return noop(from);
        case 17:
            return choose(from);
        case 19:
        case 20:
            return activation(from);
        case 21:
        case 22:
            return normalization(from);
        case 23:
            return pooling(from);
        case 24:
            return integers();
        case 25:
            return attention(from);
        case 18: {
            // The same twice, read by different nodes.
            unary("Tanh", from);
            const Data first = m_values.back();
            unary("Tanh", from);
            unary("Relu", m_values.back());
            m_values.push_back(first);
            return;
        }
        default:
            // Nobody reads it, unless it is made an output.
            line(fmt::format("{} = Exp ({})", fresh("d"), from.name));
        }
    }

    std::uint64_t m_state;
    std::uint64_t m_count = 0;
    int m_names = 0;
    int m_seed = 0;
    bool m_deep = false; // a number of five axes is in the formula
    bool m_hasIntegers = false;
    std::string m_batch, m_inputs, m_constants, m_nodes;
    std::vector<Data> m_values;
};

} // namespace

std::string randomGraph(std::uint64_t seed)
{
    return Maker(seed).make();
}

} // namespace fusescope::test
