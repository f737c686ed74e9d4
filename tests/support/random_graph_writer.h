#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope::test {

// A value of shape [N, channels, 6, 6].
struct Data
{
    std::string name;
    int channels = 0;
};

// The text of a random graph while it grows, and the random choices that it is made by.
class GraphWriter
{
public:
    explicit GraphWriter(std::uint64_t seed);

    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    bool chance(std::uint64_t oneIn) { return below(oneIn) == 0; }

    // Mostly the newest value, so that chains grow; now and then an older one.
    Data source();
    // Any value of so many channels.
    Data like(const Data& from);
    Data any() { return m_values[below(m_values.size())]; }

    std::string fresh(std::string_view stem);
    std::string constant(std::string_view type, std::string_view contents);
    std::string integers(std::string_view contents, int count);
    // One number, now and then of more axes than it needs, or one that a caller may replace; of five
    // axes it adds one to the data, which settled() takes away again.
    std::string number(std::string_view contents);
    std::string weights(const std::string& shape, double low, double high);
    // An input of whole numbers, [N, 3, 6, 6].
    std::string wholeInput();
    // A local function, written once under that name: "(x) => (y) { … }".
    void function(std::string_view name, std::string_view text);

    void line(std::string text);
    // The node that makes the newest value.
    void make(std::string_view formula, int channels);
    void push(const std::string& name, int channels) { m_values.push_back({name, channels}); }
    // The result of a formula, under that name, of four axes.
    void settled(std::string_view formula, const std::string& out);
    // A number of five axes is in the formula that is being written.
    bool deep() const { return m_deep; }
    // The inner values may be read elsewhere, too.
    void leave(const std::string& inner, int channels);

    std::string typeOf(int channels) const;
    std::uint64_t count() const { return m_lines.size(); }
    // With `order`, the nodes in another order, in which everything is made before it is read.
    std::string text(std::uint64_t order);

private:
    std::uint64_t next();
    std::vector<std::string> ordered(std::uint64_t order) const;

    std::uint64_t m_state;
    int m_names = 0;
    int m_seed = 0;
    bool m_deep = false;
    bool m_hasIntegers = false;
    std::string m_batch, m_inputs, m_constants, m_functions;
    std::vector<std::string> m_functionNames, m_lines;
    std::vector<Data> m_values;
};

} // namespace fusescope::test
