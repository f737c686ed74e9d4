#include "fuzz/message_check.h"

#include "ops/broadcast.h"

#include <charconv>
#include <cmath>
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
    static const std::regex bound(R"((>=|≥|>|<=|<|!=) (-?[\d.]+))");
    static const std::regex range(R"((?:in \[)?(-?\d+)(?: … |, )(-?\d+)(\))?)");
    std::smatch part;
    if (std::regex_match(expected, part, bound)) {
        const double limit = std::stod(part[2]);
        const std::string how = part[1];
        return how == ">=" || how == "≥" ? found >= limit
               : how == ">"              ? found > limit
               : how == "<="             ? found <= limit
               : how == "<"              ? found < limit
                                         : found != limit;
    }
    if (std::regex_match(expected, part, range))
        return found >= std::stod(part[1]) &&
               (part[3].matched ? found < std::stod(part[2]) : found <= std::stod(part[2]));
    return std::nullopt;
}

bool contradictsExpected(const std::string& expected, const std::string& found)
{
    if (expected.empty() || found.empty())
        return false;
    const auto number = numberOf(found);
    return expected == found || (number && isWithin(*number, expected).value_or(false));
}

} // namespace

bool contradictsItself(const Message& message)
{
    const std::string_view key = message.text.key;
    if (key == "ops.divisor") {
        const auto of = numberOf(textOf(message, "of")), divisor = numberOf(textOf(message, "found"));
        return of && divisor && *divisor > 0 && std::fmod(*of, *divisor) == 0;
    }
    const auto found = sizesOf(textOf(message, "found"));
    const auto other = sizesOf(
        textOf(message, key.ends_with("inner-sizes") ? "other" : "expected"));
    if (key.ends_with("broadcast"))
        return found && other && broadcastSizes(*found, *other).has_value();
    if (key.ends_with("broadcast-to"))
        return found && other && broadcastsToSizes(*found, *other);
    if (key.ends_with("inner-sizes")) // of the second matrix and the first
        return found && other && !other->empty() && !found->empty() &&
               other->back() == (*found)[found->size() >= 2 ? found->size() - 2 : 0];
    return contradictsExpected(textOf(message, "expected"), textOf(message, "found"));
}

} // namespace fusescope::test
