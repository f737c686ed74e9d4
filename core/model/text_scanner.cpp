#include "model/text_scanner.h"

#include <charconv>

#include <fmt/format.h>

namespace fusescope {

namespace {

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isPart(char c)
{
    return isLetter(c) || isDigit(c);
}

int hexDigit(char c)
{
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

} // namespace

bool isPlainIdentifier(std::string_view text)
{
    if (text.empty() || !isLetter(text[0]))
        return false;
    for (const char c : text) {
        if (!isPart(c))
            return false;
    }
    return true;
}

std::string quotedText(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            result += fmt::format("\\{}", c);
        else if (c == '\n')
            result += "\\n";
        else if (byte < 0x20 || byte == 0x7f)
            result += fmt::format("\\x{:02x}", byte);
        else
            result += c;
    }
    return result + "\"";
}

void TextScanner::skip()
{
    while (m_position < m_text.size()) {
        const char c = m_text[m_position];
        if (c == '#') {
            const auto end = m_text.find('\n', m_position);
            m_position = end == std::string_view::npos ? m_text.size() : end;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++m_position;
        } else {
            return;
        }
    }
}

bool TextScanner::atEnd()
{
    skip();
    return m_position >= m_text.size();
}

char TextScanner::peek()
{
    return atEnd() ? '\0' : m_text[m_position];
}

bool TextScanner::take(char c)
{
    if (atEnd() || m_text[m_position] != c)
        return false;
    ++m_position;
    return true;
}

bool TextScanner::take(std::string_view word)
{
    skip();
    if (!m_text.substr(m_position).starts_with(word))
        return false;
    const std::size_t end = m_position + word.size();
    if (isPart(word.back()) && end < m_text.size() && isPart(m_text[end]))
        return false;
    m_position = end;
    return true;
}

Result<void> TextScanner::expect(char c)
{
    if (!take(c))
        return expected(fmt::format("`{}`", c));
    return {};
}

Result<void> TextScanner::expect(std::string_view word)
{
    if (!take(word))
        return expected(fmt::format("`{}`", word));
    return {};
}

Result<std::string> TextScanner::identifier()
{
    if (peek() == '"')
        return quoted();
    const std::size_t start = m_position;
    while (m_position < m_text.size() && isPart(m_text[m_position]))
        ++m_position;
    if (start == m_position || !isLetter(m_text[start])) {
        m_position = start;
        return expected("a name");
    }
    return std::string(m_text.substr(start, m_position - start));
}

bool TextScanner::isNameNext()
{
    const char c = peek();
    return isPart(c) || c == '"' || c == '%';
}

Result<std::string> TextScanner::name()
{
    if (peek() == '"')
        return quoted();
    if (!isNameNext())
        return expected("a name");
    const std::size_t start = m_position++;
    while (m_position < m_text.size() &&
           (isPart(m_text[m_position]) ||
            std::string_view(".%/:-").find(m_text[m_position]) != std::string_view::npos))
        ++m_position;
    return std::string(m_text.substr(start, m_position - start));
}

Result<std::string> TextScanner::quoted()
{
    if (peek() != '"')
        return expected("a string");
    const std::size_t start = m_position++;
    std::string result;
    while (m_position < m_text.size()) {
        const char c = m_text[m_position++];
        if (c == '"')
            return result;
        if (c != '\\') {
            result += c;
            continue;
        }
        const char e = m_position < m_text.size() ? m_text[m_position++] : '\0';
        if (e == 'n') {
            result += '\n';
        } else if (e == 't') {
            result += '\t';
        } else if (e == 'r') {
            result += '\r';
        } else if (e == 'x' && m_position + 1 < m_text.size() && hexDigit(m_text[m_position]) >= 0 &&
                   hexDigit(m_text[m_position + 1]) >= 0) {
            result += static_cast<char>(hexDigit(m_text[m_position]) * 16 +
                                        hexDigit(m_text[m_position + 1]));
            m_position += 2;
        } else {
            result += e;
        }
    }
    return wrong("the string does not end", start);
}

Result<std::string> TextScanner::number()
{
    skip();
    const std::size_t start = m_position;
    while (m_position < m_text.size()) {
        const char c = m_text[m_position];
        const bool sign = c == '-' || c == '+';
        const char before = m_position > start ? m_text[m_position - 1] : '\0';
        if (!isPart(c) && c != '.' && !(sign && (m_position == start || before == 'e' || before == 'E')))
            break;
        ++m_position;
    }
    if (start == m_position)
        return expected("a number");
    return std::string(m_text.substr(start, m_position - start));
}

Result<std::int64_t> TextScanner::integer()
{
    skip();
    const std::size_t start = m_position;
    FUSESCOPE_ASSIGN(const std::string text, number());
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        m_position = start;
        return expected("a whole number");
    }
    return value;
}

std::string_view TextScanner::until(std::string_view ends)
{
    skip();
    const std::size_t start = m_position;
    int depth = 0;
    for (; m_position < m_text.size(); ++m_position) {
        const char c = m_text[m_position];
        if (c == '"') {
            for (++m_position; m_position < m_text.size() && m_text[m_position] != '"'; ++m_position)
                m_position += m_text[m_position] == '\\' ? 1 : 0;
            continue;
        }
        if (depth == 0 && ends.find(c) != std::string_view::npos)
            break;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    m_position = std::min(m_position, m_text.size());
    return m_text.substr(start, m_position - start);
}

std::string TextScanner::found()
{
    if (atEnd())
        return "the end";
    std::size_t end = m_position + 1;
    while (end < m_text.size() && end < m_position + 20 && isPart(m_text[m_position]) &&
           isPart(m_text[end]))
        ++end;
    return fmt::format("`{}`", m_text.substr(m_position, end - m_position));
}

tl::unexpected<Error> TextScanner::expected(std::string what)
{
    const std::string next = found();
    return wrong(fmt::format("expected {}, found {}", what, next), m_position);
}

tl::unexpected<Error> TextScanner::wrong(std::string what, std::size_t position) const
{
    std::int64_t line = 1;
    std::int64_t column = 1;
    for (const char c : m_text.substr(0, position)) {
        ++column;
        if (c == '\n') {
            ++line;
            column = 1;
        }
    }
    return fail(ErrorCode::invalidModel,
                Message("model.text", {{"what", std::move(what)}, {"line", line}, {"column", column}}));
}

} // namespace fusescope
