#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace fusescope::sequence {

// A regular expression that is matched in time proportional to the text times the pattern: it runs
// all alternatives at once and never backtracks. Understands literals, `.`, classes with ranges and
// negation, \d \D \w \W \s \S, escapes, groups (also (?:…) and named), alternatives, and the
// repetitions * + ? {m} {m,} {m,n} (lazy forms match the same texts). `^`, `\A`, `$` and `\z` are the
// ends of the text, `\b` and `\B` ask for a border of a word or for none. Characters are code points of UTF-8.
class Regex
{
public:
    // Nothing for a pattern that is malformed, uses something else, or would grow too large.
    static std::optional<Regex> compile(std::string_view pattern);

    // Nothing when it was stopped.
    std::optional<bool> matchesWhole(std::string_view text, std::stop_token stop = {}) const;

private:
    friend class RegexCompiler;

    struct Range
    {
        char32_t first, last;
    };
    struct State
    {
        enum class Kind {
            character,
            split,
            begin,
            end,
            wordBorder,
            noWordBorder,
            accept
        } kind = Kind::accept;
        std::vector<Range> ranges; // of a character
        bool negated = false;
        std::uint32_t next = 0, other = 0;
    };

    std::vector<State> m_states;
    std::uint32_t m_start = 0;
};

// The code points of a text; bytes that are no UTF-8 stand for themselves.
std::u32string codePoints(std::string_view text);

} // namespace fusescope::sequence
