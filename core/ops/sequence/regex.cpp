#include "ops/sequence/regex.h"

#include <algorithm>
#include <string>

namespace fusescope::sequence {

namespace {

constexpr std::size_t mostStates = 20000;
constexpr int deepest = 200;
constexpr char32_t lastCodePoint = 0x10ffff;

bool isWordCharacter(char32_t c)
{
    return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') ||
           c == U'_';
}

bool isWordBorder(const std::u32string& text, std::size_t at)
{
    const bool before = at > 0 && isWordCharacter(text[at - 1]);
    const bool after = at < text.size() && isWordCharacter(text[at]);
    return before != after;
}

} // namespace

std::u32string codePoints(std::string_view text)
{
    std::u32string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const int length = lead < 0x80         ? 1
                           : (lead >> 5) == 6  ? 2
                           : (lead >> 4) == 14 ? 3
                           : (lead >> 3) == 30 ? 4
                                               : 0;
        char32_t value = length == 1 ? lead : length == 0 ? lead : lead & (0x7fU >> length);
        bool valid = length > 0 && i + static_cast<std::size_t>(length) <= text.size();
        for (int k = 1; valid && k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            valid = (next & 0xc0U) == 0x80U;
            value = (value << 6) | (next & 0x3fU);
        }
        result.push_back(valid ? value : lead);
        i += valid ? static_cast<std::size_t>(length) : 1;
    }
    return result;
}

// Builds states back to front: a piece is compiled knowing the state that follows it.
class RegexCompiler
{
public:
    explicit RegexCompiler(std::string_view pattern) : m_pattern(codePoints(pattern)) {}

    std::optional<Regex> run()
    {
        if (m_pattern.size() > mostStates)
            return std::nullopt;
        auto tree = parseAlternatives(0);
        if (!tree || m_at != m_pattern.size())
            return std::nullopt;
        const std::uint32_t accept = add({});
        const auto start = build(*tree, accept, 0);
        if (!start || m_failed)
            return std::nullopt;
        m_regex.m_start = *start;
        return std::move(m_regex);
    }

private:
    using State = Regex::State;
    using Range = Regex::Range;

    struct Piece
    {
        enum class Kind {
            empty,
            character,
            assertion,
            sequence,
            alternatives,
            repeat
        } kind = Kind::empty;
        State::Kind assertion = State::Kind::begin;
        std::vector<Range> ranges;
        bool negated = false;
        std::vector<Piece> parts;
        int least = 0;
        int most = -1; // no limit
    };

    std::uint32_t add(State state)
    {
        if (m_regex.m_states.size() >= mostStates) {
            m_failed = true;
            return 0;
        }
        m_regex.m_states.push_back(std::move(state));
        return static_cast<std::uint32_t>(m_regex.m_states.size() - 1);
    }

    std::optional<std::uint32_t> build(const Piece& piece, std::uint32_t next, int depth)
    {
        if (m_failed || depth > 2 * deepest)
            return std::nullopt;
        switch (piece.kind) {
        case Piece::Kind::empty:
            return next;
        case Piece::Kind::character:
            return add({State::Kind::character, piece.ranges, piece.negated, next, 0});
        case Piece::Kind::assertion:
            return add({piece.assertion, {}, false, next, 0});
        case Piece::Kind::sequence: {
            std::optional<std::uint32_t> at = next;
            for (std::size_t i = piece.parts.size(); at && i-- > 0;)
                at = build(piece.parts[i], *at, depth + 1);
            return at;
        }
        case Piece::Kind::alternatives: {
            std::optional<std::uint32_t> result;
            for (const Piece& part : piece.parts) {
                const auto start = build(part, next, depth + 1);
                if (!start)
                    return std::nullopt;
                result = result ? add({State::Kind::split, {}, false, *result, *start}) : *start;
            }
            return result;
        }
        case Piece::Kind::repeat:
            break;
        }
        std::optional<std::uint32_t> at = next;
        if (piece.most < 0) {
            const std::uint32_t loop = add({State::Kind::split, {}, false, 0, next});
            const auto body = build(piece.parts[0], loop, depth + 1);
            if (!body || m_failed)
                return std::nullopt;
            m_regex.m_states[loop].next = *body;
            at = loop;
        }
        for (int i = piece.least; i < piece.most; ++i) {
            const auto body = build(piece.parts[0], *at, depth + 1);
            if (!body || m_failed)
                return std::nullopt;
            at = add({State::Kind::split, {}, false, *body, next});
        }
        for (int i = 0; at && i < piece.least; ++i)
            at = build(piece.parts[0], *at, depth + 1);
        return at;
    }

    bool more() const { return m_at < m_pattern.size(); }
    char32_t peek() const { return m_pattern[m_at]; }
    bool take(char32_t c)
    {
        if (!more() || peek() != c)
            return false;
        ++m_at;
        return true;
    }

    std::optional<Piece> parseAlternatives(int depth)
    {
        if (depth > deepest)
            return std::nullopt;
        Piece result;
        result.kind = Piece::Kind::alternatives;
        do {
            auto part = parseSequence(depth);
            if (!part)
                return std::nullopt;
            result.parts.push_back(*std::move(part));
        } while (take(U'|'));
        return result;
    }

    std::optional<Piece> parseSequence(int depth)
    {
        Piece result;
        result.kind = Piece::Kind::sequence;
        while (more() && peek() != U'|' && peek() != U')') {
            auto atom = parseAtom(depth);
            if (!atom)
                return std::nullopt;
            for (int repeats = 0; more(); ++repeats) {
                Piece repeat;
                repeat.kind = Piece::Kind::repeat;
                if (take(U'+')) {
                    repeat.least = 1;
                } else if (take(U'?')) {
                    repeat.most = 1;
                } else if (peek() == U'{') {
                    if (!parseCounts(repeat))
                        return std::nullopt;
                } else if (!take(U'*')) {
                    break;
                }
                if (repeats >= deepest)
                    return std::nullopt;
                take(U'?'); // a lazy repetition matches the same texts
                repeat.parts.push_back(*std::move(atom));
                atom = std::move(repeat);
            }
            result.parts.push_back(*std::move(atom));
        }
        return result;
    }

    std::optional<int> parseNumber()
    {
        int value = 0;
        const std::size_t start = m_at;
        while (more() && peek() >= U'0' && peek() <= U'9' && value <= 1000)
            value = value * 10 + static_cast<int>(m_pattern[m_at++] - U'0');
        return m_at > start && value <= 1000 ? std::optional(value) : std::nullopt;
    }

    bool parseCounts(Piece& repeat)
    {
        ++m_at;
        const auto least = parseNumber();
        if (!least)
            return false;
        repeat.least = *least;
        repeat.most = *least;
        if (take(U',')) {
            repeat.most = -1;
            if (more() && peek() != U'}') {
                const auto most = parseNumber();
                if (!most || *most < *least)
                    return false;
                repeat.most = *most;
            }
        }
        return take(U'}');
    }

    std::optional<Piece> parseAtom(int depth)
    {
        Piece piece;
        piece.kind = Piece::Kind::character;
        const char32_t c = m_pattern[m_at++];
        switch (c) {
        case U'(': {
            if (take(U'?')) {
                take(U'P');
                if (take(U'<')) {
                    if (more() && (peek() == U'=' || peek() == U'!'))
                        return std::nullopt;
                    while (more() && peek() != U'>')
                        ++m_at;
                    if (!take(U'>'))
                        return std::nullopt;
                } else if (!take(U':')) {
                    return std::nullopt;
                }
            }
            auto inner = parseAlternatives(depth + 1);
            if (!inner || !take(U')'))
                return std::nullopt;
            return inner;
        }
        case U'[':
            return parseClass();
        case U'.':
            piece.ranges = {{U'\n', U'\n'}};
            piece.negated = true;
            return piece;
        case U'^':
            return asserting(State::Kind::begin);
        case U'$':
            return asserting(State::Kind::end);
        case U'\\':
            if (take(U'A'))
                return asserting(State::Kind::begin);
            if (take(U'z'))
                return asserting(State::Kind::end);
            if (take(U'b'))
                return asserting(State::Kind::wordBorder);
            if (take(U'B'))
                return asserting(State::Kind::noWordBorder);
            if (!parseEscape(piece.ranges))
                return std::nullopt;
            return piece;
        case U'*':
        case U'+':
        case U'?':
            return std::nullopt;
        default:
            piece.ranges = {{c, c}};
            return piece;
        }
    }

    static Piece asserting(State::Kind what)
    {
        Piece piece;
        piece.kind = Piece::Kind::assertion;
        piece.assertion = what;
        return piece;
    }

    static std::vector<Range> complement(std::vector<Range> ranges)
    {
        std::vector<Range> result;
        char32_t next = 0;
        for (const Range& range : ranges) { // given in order
            if (range.first > next)
                result.push_back({next, range.first - 1});
            next = range.last + 1;
        }
        result.push_back({next, lastCodePoint});
        return result;
    }

    // What follows a backslash, as ranges.
    bool parseEscape(std::vector<Range>& ranges)
    {
        if (!more())
            return false;
        const std::vector<Range> digits{{U'0', U'9'}};
        const std::vector<Range> word{{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
        const std::vector<Range> space{{U'\t', U'\r'}, {U' ', U' '}};
        const auto append = [&ranges](const std::vector<Range>& more_) {
            ranges.insert(ranges.end(), more_.begin(), more_.end());
            return true;
        };
        const char32_t c = m_pattern[m_at++];
        switch (c) {
        case U'd':
            return append(digits);
        case U'D':
            return append(complement(digits));
        case U'w':
            return append(word);
        case U'W':
            return append(complement(word));
        case U's':
            return append(space);
        case U'S':
            return append(complement(space));
        case U'n':
            return append({{U'\n', U'\n'}});
        case U't':
            return append({{U'\t', U'\t'}});
        case U'r':
            return append({{U'\r', U'\r'}});
        case U'f':
            return append({{U'\f', U'\f'}});
        case U'v':
            return append({{U'\v', U'\v'}});
        default:
            break;
        }
        const bool letter =
            (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9');
        return !letter && append({{c, c}});
    }

    std::optional<Piece> parseClass()
    {
        Piece piece;
        piece.kind = Piece::Kind::character;
        piece.negated = take(U'^');
        bool first = true;
        while (more() && (first || peek() != U']')) {
            first = false;
            if (peek() == U'[' && m_at + 1 < m_pattern.size() && m_pattern[m_at + 1] == U':')
                return std::nullopt;
            const char32_t c = m_pattern[m_at++];
            std::vector<Range> item{{c, c}};
            if (c == U'\\') {
                item.clear();
                if (!parseEscape(item))
                    return std::nullopt;
            }
            const bool single = item.size() == 1 && item[0].first == item[0].last;
            if (single && m_at + 1 < m_pattern.size() && peek() == U'-' &&
                m_pattern[m_at + 1] != U']') {
                ++m_at;
                std::vector<Range> to{{peek(), peek()}};
                ++m_at;
                if (to[0].first == U'\\') {
                    to.clear();
                    if (!parseEscape(to))
                        return std::nullopt;
                }
                if (to.size() != 1 || to[0].first != to[0].last || to[0].first < item[0].first)
                    return std::nullopt;
                item[0].last = to[0].last;
            }
            piece.ranges.insert(piece.ranges.end(), item.begin(), item.end());
        }
        return take(U']') ? std::optional(std::move(piece)) : std::nullopt;
    }

    std::u32string m_pattern;
    std::size_t m_at = 0;
    bool m_failed = false;
    Regex m_regex;
};

std::optional<Regex> Regex::compile(std::string_view pattern)
{
    return RegexCompiler(pattern).run();
}

std::optional<bool> Regex::matchesWhole(std::string_view text, std::stop_token stop) const
{
    const std::u32string characters = codePoints(text);
    std::vector<std::uint32_t> current, next, pending;
    std::vector<std::size_t> seen(m_states.size(), 0);
    std::size_t mark = 0;
    bool accepted = false;
    // Follows everything that needs no character from the pending states.
    const auto close = [&](std::size_t at, std::vector<std::uint32_t>& into) {
        ++mark;
        accepted = false;
        while (!pending.empty()) {
            const std::uint32_t id = pending.back();
            pending.pop_back();
            if (seen[id] == mark)
                continue;
            seen[id] = mark;
            const State& state = m_states[id];
            switch (state.kind) {
            case State::Kind::accept:
                accepted = true;
                break;
            case State::Kind::character:
                into.push_back(id);
                break;
            case State::Kind::split:
                pending.push_back(state.next);
                pending.push_back(state.other);
                break;
            case State::Kind::begin:
                if (at == 0)
                    pending.push_back(state.next);
                break;
            case State::Kind::end:
                if (at == characters.size())
                    pending.push_back(state.next);
                break;
            case State::Kind::wordBorder:
            case State::Kind::noWordBorder:
                if (isWordBorder(characters, at) == (state.kind == State::Kind::wordBorder))
                    pending.push_back(state.next);
                break;
            }
        }
    };
    pending.push_back(m_start);
    close(0, current);
    for (std::size_t i = 0; i < characters.size(); ++i) {
        if ((i & 0x3FF) == 0 && stop.stop_requested())
            return std::nullopt;
        for (const std::uint32_t id : current) {
            const State& state = m_states[id];
            const bool inside = std::ranges::any_of(state.ranges, [&](const Range& range) {
                return characters[i] >= range.first && characters[i] <= range.last;
            });
            if (inside != state.negated)
                pending.push_back(state.next);
        }
        next.clear();
        close(i + 1, next);
        std::swap(current, next);
    }
    return accepted;
}

} // namespace fusescope::sequence
