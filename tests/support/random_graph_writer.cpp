#include "support/random_graph_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <set>

namespace fusescope::test {

namespace {

std::set<std::string> wordsOf(std::string text)
{
    std::set<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
        } else if (!word.empty()) {
            words.insert(word);
            word.clear();
        }
    }
    return words;
}

struct Line
{
    std::string text;
    std::set<std::string> makes, reads;
};

Line lineOf(const std::string& text)
{
    const std::size_t equals = text.find('=');
    return {text, wordsOf(text.substr(0, equals)), wordsOf(text.substr(equals))};
}

} // namespace

GraphWriter::GraphWriter(std::uint64_t seed) : m_state(seed * 0xD1342543DE82EF95ULL + 1)
{
    m_batch = chance(2) ? "N" : "2";
    m_values.push_back({"x", 3});
}

std::uint64_t GraphWriter::next()
{
    std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

Data GraphWriter::source()
{
    return chance(4) ? any() : m_values.back();
}

Data GraphWriter::like(const Data& from)
{
    std::vector<Data> fitting;
    for (const Data& d : m_values) {
        if (d.channels == from.channels)
            fitting.push_back(d);
    }
    return fitting[below(fitting.size())];
}

std::string GraphWriter::fresh(std::string_view stem)
{
    return fmt::format("{}{}", stem, ++m_names);
}

std::string GraphWriter::constant(std::string_view type, std::string_view contents)
{
    const std::string name = fresh("k");
    m_constants += fmt::format("{}{} {} = {}", m_constants.empty() ? "" : ",\n ", type, name, contents);
    return name;
}

std::string GraphWriter::integers(std::string_view contents, int count)
{
    return constant(fmt::format("int64[{}]", count), fmt::format("{{{}}}", contents));
}

std::string GraphWriter::number(std::string_view contents)
{
    const std::uint64_t axes = chance(3) ? below(6) : 0;
    m_deep = m_deep || axes == 5;
    std::string ones;
    for (std::uint64_t i = 0; i < axes; ++i)
        ones += i == 0 ? "1" : ", 1";
    const std::string type = axes == 0 ? "float" : "float[" + ones + "]";
    const std::string name = constant(type, contents);
    if (chance(40))
        m_inputs += fmt::format(", {} {}", type, name);
    return name;
}

std::string GraphWriter::weights(const std::string& shape, double low, double high)
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

std::string GraphWriter::wholeInput()
{
    if (!m_hasIntegers)
        m_inputs += fmt::format(", int32[{}, 3, 6, 6] whole", m_batch);
    m_hasIntegers = true;
    return "whole";
}

void GraphWriter::function(std::string_view name, std::string_view text)
{
    if (std::ranges::find(m_functionNames, name) != m_functionNames.end())
        return;
    m_functionNames.emplace_back(name);
    m_functions += fmt::format("<domain: \"local\", opset_import: [\"\" : 17]>\n{} {}\n", name, text);
}

void GraphWriter::line(std::string text)
{
    m_lines.push_back(std::move(text));
}

void GraphWriter::make(std::string_view formula, int channels)
{
    const std::string out = fresh("v");
    line(fmt::format("{} = {}", out, formula));
    push(out, channels);
}

void GraphWriter::settled(std::string_view formula, const std::string& out)
{
    if (!m_deep)
        return line(fmt::format("{} = {}", out, formula));
    const std::string deep = fresh("d");
    line(fmt::format("{} = {}", deep, formula));
    line(fmt::format("{} = Squeeze ({}, {})", out, deep, integers("0", 1)));
    m_deep = false;
}

void GraphWriter::leave(const std::string& inner, int channels)
{
    if (chance(8))
        m_values.insert(m_values.end() - 1, {inner, channels});
}

std::string GraphWriter::typeOf(int channels) const
{
    return fmt::format("float[{}, {}, 6, 6]", m_batch, channels);
}

std::vector<std::string> GraphWriter::ordered(std::uint64_t order) const
{
    if (order == 0)
        return m_lines;
    std::vector<Line> rest;
    std::set<std::string> pending;
    for (const std::string& text : m_lines) {
        rest.push_back(lineOf(text));
        pending.insert(rest.back().makes.begin(), rest.back().makes.end());
    }
    std::mt19937_64 random(order);
    std::vector<std::string> lines;
    while (!rest.empty()) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            if (std::ranges::none_of(rest[i].reads, [&](const auto& n) { return pending.contains(n); }))
                ready.push_back(i);
        }
        const std::size_t at = ready[random() % ready.size()];
        for (const std::string& name : rest[at].makes)
            pending.erase(name);
        lines.push_back(rest[at].text);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return lines;
}

std::string GraphWriter::text(std::uint64_t order)
{
    const auto typed = [this](const Data& d) { return typeOf(d.channels) + " " + d.name; };
    std::string outputs = typed(m_values.back());
    std::set<std::string> given{m_values.back().name};
    for (std::size_t i = 1; i + 1 < m_values.size(); ++i) {
        if (chance(12) && given.insert(m_values[i].name).second)
            outputs += ", " + typed(m_values[i]);
    }
    std::string nodes;
    for (const std::string& one : ordered(order))
        nodes += "  " + one + "\n";
    return fmt::format("<ir_version: 8, opset_import: [\"\" : 17{}]>\n"
                       "g ({} x{}) => ({})\n<{}>\n{{\n{}}}\n{}",
                       m_functions.empty() ? "" : ", \"local\" : 1", typeOf(3), m_inputs, outputs,
                       m_constants, nodes, m_functions);
}

} // namespace fusescope::test
