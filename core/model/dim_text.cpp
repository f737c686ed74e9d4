#include "model/dim_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace fusescope {

using namespace dim;

namespace {

bool isIdentifierStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool isIdentifierPart(char c)
{
    return isIdentifierStart(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.';
}

// Length of the well-formed UTF-8 sequence at `bytes`, 0 if there is none.
std::size_t sequenceLength(std::string_view bytes)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const std::size_t length = at(0) < 0x80                     ? 1
                               : at(0) >= 0xc2 && at(0) < 0xe0  ? 2
                               : at(0) >= 0xe0 && at(0) < 0xf0  ? 3
                               : at(0) >= 0xf0 && at(0) <= 0xf4 ? 4
                                                                : 0;
    if (length == 0 || length > bytes.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xc0) != 0x80)
            return 0;
    }
    const bool overlong = (at(0) == 0xe0 && at(1) < 0xa0) || (at(0) == 0xf0 && at(1) < 0x90);
    const bool outside = (at(0) == 0xed && at(1) >= 0xa0) || (at(0) == 0xf4 && at(1) >= 0x90);
    return overlong || outside ? 0 : length;
}

std::string nameText(std::string_view name)
{
    if (!name.empty() && isIdentifierStart(name[0]) && std::ranges::all_of(name, isIdentifierPart))
        return std::string(name);
    std::string text = "\"";
    while (!name.empty()) {
        const auto byte = static_cast<unsigned char>(name[0]);
        const std::size_t length = sequenceLength(name);
        if (byte == '"' || byte == '\\')
            text += fmt::format("\\{}", name[0]);
        else if (byte < 0x20 || byte == 0x7f || length == 0)
            text += fmt::format("\\x{:02x}", byte);
        else
            text += name.substr(0, length);
        name.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return text + "\"";
}

struct Part
{
    std::string text; // without a sign
    bool negative = false;
};

std::string joined(std::vector<Part> parts)
{
    // 5-N rather than -N+5.
    const auto positive = std::ranges::find(parts, false, &Part::negative);
    if (positive != parts.end())
        std::rotate(parts.begin(), positive, positive + 1);
    std::string text;
    for (const Part& part : parts) {
        if (part.negative)
            text += '-';
        else if (!text.empty())
            text += '+';
        text += part.text;
    }
    return text;
}

std::uint64_t magnitude(std::int64_t value)
{
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::vector<Part> partsOf(const Dim& dim);

std::string quotientText(const Dim& numerator, const Dim& divisor)
{
    const auto above = partsOf(numerator);
    const auto below = partsOf(divisor);
    std::string text = joined(above);
    if (above.size() > 1)
        text = "(" + text + ")";
    const bool simple = divisor.isConstant() || divisor.isSymbol() || divisor.isUnknown();
    return "floor(" + text + (simple ? "/" + joined(below) : "/(" + joined(below) + ")") + ")";
}

std::string atomText(const Atom& atom)
{
    switch (atom.kind) {
    case AtomKind::symbol:
        return nameText(atom.name);
    case AtomKind::unknown:
    case AtomKind::unknownInteger:
    case AtomKind::opaque:
        return "?";
    case AtomKind::floorDiv:
        return quotientText(atom.args[0], atom.args[1]);
    case AtomKind::min:
    case AtomKind::max:
        break;
    }
    // Numbers last: max(N, 1).
    std::vector<Dim> args = atom.args;
    std::ranges::stable_partition(args, [](const Dim& arg) { return !arg.isConstant(); });
    std::string text;
    for (const Dim& arg : args)
        text += (text.empty() ? "" : ", ") + arg.text();
    return (atom.kind == AtomKind::min ? "min(" : "max(") + text + ")";
}

Part partOf(std::int64_t coefficient, const std::vector<std::string>& factors)
{
    Part part{"", coefficient < 0};
    if (magnitude(coefficient) != 1 || factors.empty())
        part.text = fmt::format("{}", magnitude(coefficient));
    for (const std::string& factor : factors)
        part.text += (part.text.empty() ? "" : "*") + factor;
    return part;
}

// a - b*floor(a/b) is mod(a, b): written so where that makes the sum shorter.
bool takeRemainder(Dim& dim, std::vector<Part>& parts)
{
    for (const Monomial& monomial : monomialsOf(dim)) {
        for (std::size_t i = 0; i < monomial.factors.size(); ++i) {
            const Atom& atom = *monomial.factors[i];
            if (atom.kind != AtomKind::floorDiv || monomial.coefficient >= 0)
                continue;
            const Dim& a = atom.args[0];
            const Dim& b = atom.args[1];
            Monomial others = monomial;
            others.factors.erase(others.factors.begin() + static_cast<std::ptrdiff_t>(i));
            std::int64_t count = 1;
            if (b.isConstant() && others.factors.empty() && monomial.coefficient % b.addend() == 0)
                count = -(monomial.coefficient / b.addend());
            const auto scaled = tryMultiply(b, Dim(count));
            const auto matched = scaled ? tryAdd(ofMonomial(others), *scaled) : std::nullopt;
            const auto taken = tryMultiply(a, Dim(count));
            auto rest = trySubtract(dim, ofMonomial(monomial));
            rest = rest && taken ? trySubtract(*rest, *taken) : std::nullopt;
            if (!rest || matched != Dim() ||
                monomialsOf(*rest).size() + 1 >= monomialsOf(dim).size())
                continue;
            parts.push_back(partOf(count, {fmt::format("mod({}, {})", a.text(), b.text())}));
            dim = *rest;
            return true;
        }
    }
    return false;
}

std::vector<Part> partsOf(const Dim& dim)
{
    std::vector<Part> remainders;
    Dim rest = dim;
    while (takeRemainder(rest, remainders)) {
    }
    std::vector<Part> parts;
    for (const Monomial& monomial : monomialsOf(rest)) {
        std::vector<std::string> factors;
        for (const AtomPtr& atom : monomial.factors)
            factors.push_back(atomText(*atom));
        parts.push_back(partOf(monomial.coefficient, factors));
    }
    parts.insert(parts.end(), remainders.begin(), remainders.end());
    if (rest.addend() != 0 || parts.empty())
        parts.push_back(partOf(rest.addend(), {}));
    return parts;
}

} // namespace

std::string Dim::text() const
{
    return m_term ? joined(partsOf(*this)) : fmt::format("{}", m_constant);
}

} // namespace fusescope
