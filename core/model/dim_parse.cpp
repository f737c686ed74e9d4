#include "model/dim_term.h"

#include <cctype>
#include <charconv>

namespace fusescope {

using namespace dim;

namespace {

constexpr std::size_t maxLength = 1u << 16;
constexpr int maxNesting = 64;

// Fractions exist only within floor and ceil.
struct Fraction
{
    Dim numerator;
    Dim divisor = 1;
};

class Parser
{
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    std::optional<Dim> whole()
    {
        if (m_text.size() > maxLength)
            return std::nullopt;
        auto dim = integer();
        skipSpace();
        return m_position == m_text.size() ? dim : std::nullopt;
    }

    std::size_t position() const { return m_position; }

private:
    void skipSpace()
    {
        while (m_position < m_text.size() && (peek() == ' ' || peek() == '\t'))
            ++m_position;
    }

    char peek() const { return m_position < m_text.size() ? m_text[m_position] : '\0'; }

    bool take(char c)
    {
        skipSpace();
        if (peek() != c || m_position >= m_text.size())
            return false;
        ++m_position;
        return true;
    }

    std::optional<Dim> integer()
    {
        const auto value = sum();
        if (!value)
            return std::nullopt;
        if (value->divisor == Dim(1))
            return value->numerator;
        const Dim quotient = floordiv(value->numerator, value->divisor);
        if (quotient * value->divisor != value->numerator)
            return std::nullopt;
        return quotient;
    }

    std::optional<Fraction> sum()
    {
        if (++m_nesting > maxNesting)
            return std::nullopt;
        std::optional<Fraction> total;
        bool negative = take('-');
        for (;;) {
            auto next = product(negative);
            if (!next)
                return std::nullopt;
            total = total ? added(*total, *next) : *next;
            if (take('+'))
                negative = false;
            else if (take('-'))
                negative = true;
            else
                break;
        }
        --m_nesting;
        return total;
    }

    static Fraction added(const Fraction& a, const Fraction& b)
    {
        if (a.divisor == b.divisor)
            return {a.numerator + b.numerator, a.divisor};
        return {a.numerator * b.divisor + b.numerator * a.divisor, a.divisor * b.divisor};
    }

    std::optional<Fraction> product(bool negative)
    {
        skipSpace();
        const bool isNumber = std::isdigit(static_cast<unsigned char>(peek()));
        std::optional<Fraction> total = isNumber ? number(negative) : factor();
        if (total && negative && !isNumber)
            total->numerator = -total->numerator;
        while (total) {
            const bool divides = take('/');
            if (!divides && !take('*'))
                break;
            const auto next = factor();
            if (!next || (divides && next->numerator == Dim()))
                return std::nullopt;
            total->numerator = total->numerator * (divides ? next->divisor : next->numerator);
            total->divisor = total->divisor * (divides ? next->numerator : next->divisor);
        }
        return total;
    }

    std::optional<Fraction> number(bool negative)
    {
        std::string digits = negative ? "-" : "";
        while (std::isdigit(static_cast<unsigned char>(peek())))
            digits += m_text[m_position++];
        std::int64_t value = 0;
        const auto end = digits.data() + digits.size();
        const auto [parsed, error] = std::from_chars(digits.data(), end, value);
        if (error != std::errc() || parsed != end)
            return std::nullopt;
        return Fraction{Dim(value)};
    }

    std::optional<Fraction> factor()
    {
        skipSpace();
        const auto c = static_cast<unsigned char>(peek());
        if (std::isdigit(c))
            return number(false);
        if (c == '"')
            return quotedName();
        if (c == '(') {
            ++m_position;
            auto inner = sum();
            return take(')') ? inner : std::nullopt;
        }
        std::string name;
        while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' ||
               (peek() == '.' && !name.empty()))
            name += m_text[m_position++];
        if (name.empty())
            return std::nullopt;
        if (!take('('))
            return Fraction{Dim::symbol(std::move(name))};
        auto value = call(name);
        return value && take(')') ? std::optional(Fraction{*value}) : std::nullopt;
    }

    std::optional<Fraction> quotedName()
    {
        const auto hex = [](char c) -> int {
            return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        };
        std::string name;
        for (++m_position; m_position < m_text.size(); ++m_position) {
            char c = m_text[m_position];
            if (c == '"') {
                ++m_position;
                return Fraction{Dim::symbol(std::move(name))};
            }
            if (c == '\\') {
                ++m_position;
                c = peek();
                if (c == 'x' && m_position + 2 < m_text.size()) {
                    const int high = hex(m_text[m_position + 1]);
                    const int low = hex(m_text[m_position + 2]);
                    if (high < 0 || low < 0)
                        return std::nullopt;
                    c = static_cast<char>(high * 16 + low);
                    m_position += 2;
                } else if (c != '"' && c != '\\') {
                    return std::nullopt;
                }
            }
            name += c;
        }
        return std::nullopt;
    }

    std::optional<Dim> call(std::string_view name)
    {
        if (name == "floor" || name == "ceil") {
            const auto value = sum();
            if (!value)
                return std::nullopt;
            return name == "floor" ? floordiv(value->numerator, value->divisor)
                                   : ceildiv(value->numerator, value->divisor);
        }
        const bool isMod = name == "mod";
        if (!isMod && name != "min" && name != "max")
            return std::nullopt;
        auto result = integer();
        int count = 1;
        for (; result && take(','); ++count) {
            const auto next = integer();
            if (!next)
                return std::nullopt;
            result = isMod           ? mod(*result, *next)
                     : name == "min" ? min(*result, *next)
                                     : max(*result, *next);
        }
        return isMod && count != 2 ? std::nullopt : result;
    }

    std::string_view m_text;
    std::size_t m_position = 0;
    int m_nesting = 0;
};

} // namespace

Result<Dim> Dim::parse(std::string_view text)
{
    Parser parser(text);
    if (auto dim = parser.whole())
        return *std::move(dim);
    return fail(ErrorCode::invalidArgument,
                Message("model.size-syntax",
                        {{"size", std::string(text.substr(0, 200))},
                         {"position", static_cast<std::int64_t>(parser.position() + 1)}}));
}

} // namespace fusescope
