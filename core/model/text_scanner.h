#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace fusescope {

// A cursor over the text form of a model; blanks and comments are skipped before each token.
class TextScanner
{
public:
    explicit TextScanner(std::string_view text) : m_text(text) {}

    bool atEnd();
    char peek(); // '\0' at the end
    bool take(char c);
    bool take(std::string_view word); // not followed by more of an identifier
    Result<void> expect(char c);
    Result<void> expect(std::string_view word);

    // An identifier (letters, digits, `_`), or a quoted string.
    Result<std::string> identifier();
    // As identifier(), dots and `%`, `/`, `:`, `-` too inside: a value's or a node's name.
    Result<std::string> name();
    bool isNameNext();
    Result<std::string> quoted();
    // The characters of a number, true, false, inf or nan.
    Result<std::string> number();
    Result<std::int64_t> integer();
    // All up to one of the characters at nesting depth 0, which is not taken.
    std::string_view until(std::string_view ends);

    std::size_t position() const { return m_position; }
    void seek(std::size_t position) { m_position = position; }

    // At the cursor: "line 3, column 7: expected X, found `y`".
    tl::unexpected<Error> expected(std::string what);
    tl::unexpected<Error> wrong(std::string what, std::size_t position) const;

private:
    void skip();
    std::string found();

    std::string_view m_text;
    std::size_t m_position = 0;
};

// Reads and writes a string with the escapes \" \\ \n \t \r \xHH.
std::string quotedText(std::string_view text);
bool isPlainIdentifier(std::string_view text);

} // namespace fusescope
