#include "model/dim_term.h"

#include <algorithm>
#include <numeric>

namespace fusescope {

namespace dim {

namespace {

// For min: c*min(a, b) + rest becomes c*a + rest, c*b + rest, and so does a negative c times a
// maximum. False on overflow.
bool flattenInto(AtomKind kind, const Dim& arg, std::vector<Dim>& out)
{
    const AtomKind opposite = kind == AtomKind::min ? AtomKind::max : AtomKind::min;
    for (const Monomial& monomial : monomialsOf(arg)) {
        const AtomKind wanted = monomial.coefficient > 0 ? kind : opposite;
        if (monomial.factors.size() != 1 || monomial.factors[0]->kind != wanted)
            continue;
        const auto rest = trySubtract(arg, ofMonomial(monomial));
        if (!rest)
            return false;
        for (const Dim& inner : monomial.factors[0]->args) {
            const auto scaled = tryMultiply(inner, Dim(monomial.coefficient));
            const auto moved = scaled ? tryAdd(*scaled, *rest) : std::nullopt;
            if (!moved || out.size() > 4 * maxArguments || !flattenInto(kind, *moved, out))
                return false;
        }
        return true;
    }
    out.push_back(arg);
    return true;
}

// Leaves what no other argument is known to outdo.
void dropOutdone(AtomKind kind, std::vector<Dim>& args)
{
    for (std::size_t i = 0; i < args.size();) {
        const bool outdone = std::ranges::any_of(args, [&](const Dim& other) {
            if (&other == &args[i])
                return false;
            return kind == AtomKind::max ? provablyLessEqual(args[i], other)
                                         : provablyLessEqual(other, args[i]);
        });
        if (outdone)
            args.erase(args.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
}

// What all arguments have in common as a summand; the least constant is part of it.
Dim commonSummand(const std::vector<Dim>& args)
{
    std::vector<Monomial> common;
    for (const Monomial& monomial : monomialsOf(args[0])) {
        const auto has = [&](const Dim& arg) {
            return std::ranges::any_of(monomialsOf(arg), [&](const Monomial& other) {
                return other.coefficient == monomial.coefficient &&
                       compareFactors(other.factors, monomial.factors) == 0;
            });
        };
        if (std::ranges::all_of(args, has))
            common.push_back(monomial);
    }
    std::int64_t addend = args[0].addend();
    for (const Dim& arg : args)
        addend = std::min(addend, arg.addend());
    return *ofMonomials(std::move(common), addend);
}

std::int64_t commonFactor(const std::vector<Dim>& args)
{
    std::int64_t common = 0;
    for (const Dim& arg : args) {
        if (arg.addend() == std::numeric_limits<std::int64_t>::min())
            return 1;
        common = std::gcd(common, arg.addend());
        for (const Monomial& monomial : monomialsOf(arg)) {
            if (monomial.coefficient == std::numeric_limits<std::int64_t>::min())
                return 1;
            common = std::gcd(common, monomial.coefficient);
        }
    }
    return common;
}

std::optional<Dim> divided(const Dim& dim, std::int64_t factor)
{
    std::vector<Monomial> monomials(monomialsOf(dim).begin(), monomialsOf(dim).end());
    for (Monomial& monomial : monomials)
        monomial.coefficient /= factor;
    return ofMonomials(std::move(monomials), dim.addend() / factor);
}

std::optional<Dim> tryChoose(AtomKind kind, const Dim& a, const Dim& b)
{
    std::vector<Dim> args;
    if (!flattenInto(kind, a, args) || !flattenInto(kind, b, args))
        return std::nullopt;
    std::ranges::sort(args);
    args.erase(std::ranges::unique(args).begin(), args.end());
    if (args.size() > maxArguments)
        return std::nullopt;
    dropOutdone(kind, args);
    if (args.size() == 1)
        return args[0];
    const Dim summand = commonSummand(args);
    for (Dim& arg : args) {
        const auto moved = trySubtract(arg, summand);
        if (!moved)
            return std::nullopt;
        arg = *moved;
    }
    const std::int64_t factor = commonFactor(args);
    if (factor > 1) {
        for (Dim& arg : args)
            arg = *divided(arg, factor);
    }
    std::ranges::sort(args);
    Atom atom;
    atom.kind = kind;
    atom.bounds = minMaxBounds(kind, args);
    atom.args = std::move(args);
    const auto scaled = tryMultiply(ofAtom(std::move(atom)), Dim(factor));
    return scaled ? tryAdd(*scaled, summand) : std::nullopt;
}

} // namespace

} // namespace dim

using namespace dim;

Dim min(const Dim& a, const Dim& b)
{
    if (a.isConstant() && b.isConstant())
        return std::min(a.addend(), b.addend());
    if (auto choice = tryChoose(AtomKind::min, a, b))
        return *std::move(choice);
    return a < b ? opaque("min", a, b) : opaque("min", b, a);
}

Dim max(const Dim& a, const Dim& b)
{
    if (a.isConstant() && b.isConstant())
        return std::max(a.addend(), b.addend());
    if (auto choice = tryChoose(AtomKind::max, a, b))
        return *std::move(choice);
    return a < b ? opaque("max", a, b) : opaque("max", b, a);
}

} // namespace fusescope
