#include "fuzz/message_check.h"

#include "ops/broadcast.h"

#include <charconv>
#include <regex>

namespace fusescope::test {

namespace {

std::string textOf(const Message& message, std::string_view name)
{
    for (const auto& [key, value] : message.args) {
        if (key == name) {
            if (const auto* text = std::get_if<std::string>(&value))
                return *text;
            if (const auto* number = std::get_if<std::int64_t>(&value))
                return std::to_string(*number);
        }
    }
    return {};
}

std::optional<double> numberOf(const std::string& text)
{
    double number = 0;
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && at == text.data() + text.size() ? std::optional(number)
                                                                   : std::nullopt;
}

// "[2, 3]" in numbers; nothing where a size is no number.
std::optional<Sizes> sizesOf(const std::string& text)
{
    static const std::regex form(R"(\[((-?\d+)(, -?\d+)*)?\])");
    if (!std::regex_match(text, form))
        return std::nullopt;
    static const std::regex number(R"(-?\d+)");
    Sizes sizes;
    for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
        sizes.push_back(std::stoll(it->str()));
    return sizes;
}

// Whether a number is what the words ask for; no answer where they are of another form.
std::optional<bool> isWithin(double found, const std::string& expected)
{
    static const std::regex bound(R"((>=|>|<=|<|!=|at least|at most) (-?[\d.]+))");
    static const std::regex range(R"((?:in \[)?(-?\d+)(?: … |, )(-?\d+)(\))?)");
    std::smatch part;
    if (std::regex_match(expected, part, bound)) {
        const double limit = std::stod(part[2]);
        const std::string how = part[1];
        return how == ">=" || how == "at least" ? found >= limit
               : how == ">"                     ? found > limit
               : how == "<=" || how == "at most" ? found <= limit
               : how == "<"                     ? found < limit
                                                : found != limit;
    }
    if (std::regex_match(expected, part, range))
        return found >= std::stod(part[1]) &&
               (part[3].matched ? found < std::stod(part[2]) : found <= std::stod(part[2]));
    return std::nullopt;
}

} // namespace

bool contradictsItself(const Message& message)
{
    const std::string_view key = message.text.key;
    if (key == "ops.broadcast") {
        const auto a = sizesOf(textOf(message, "a"));
        const auto b = sizesOf(textOf(message, "b"));
        return a && b && broadcastSizes(*a, *b).has_value();
    }
    if (key == "ops.broadcast-to") {
        const auto from = sizesOf(textOf(message, "from"));
        const auto to = sizesOf(textOf(message, "to"));
        return from && to && broadcastsToSizes(*from, *to);
    }
    if (key == "ops.inner-sizes") {
        const auto a = sizesOf(textOf(message, "a"));
        const auto b = sizesOf(textOf(message, "b"));
        return a && b && !a->empty() && !b->empty() &&
               a->back() == (*b)[b->size() >= 2 ? b->size() - 2 : 0];
    }
    const std::string expected = textOf(message, "expected");
    const std::string found = textOf(message, "found");
    if (expected.empty() || found.empty())
        return false;
    const auto number = numberOf(found);
    return expected == found || (number && isWithin(*number, expected).value_or(false));
}

} // namespace fusescope::test
