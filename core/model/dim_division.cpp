#include "model/dim_term.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace fusescope {

namespace dim {

namespace {

std::optional<Dim> tryDivide(const Dim& a, const Dim& b);

// The factors of `all` without those of `part`; nothing if `part` is not within `all`.
std::optional<std::vector<AtomPtr>> without(const std::vector<AtomPtr>& all,
                                            const std::vector<AtomPtr>& part)
{
    std::vector<AtomPtr> rest;
    std::size_t next = 0;
    for (const AtomPtr& atom : all) {
        if (next < part.size() && same(*atom, *part[next]))
            ++next;
        else
            rest.push_back(atom);
    }
    return next == part.size() ? std::optional(std::move(rest)) : std::nullopt;
}

struct Split
{
    Dim quotient;
    Dim rest;
};

// dim = quotient * divisor + rest, the rest's coefficients in [0, divisor).
std::optional<Split> splitByNumber(const Dim& dim, std::int64_t divisor)
{
    std::vector<Monomial> quotient;
    std::vector<Monomial> rest;
    for (const Monomial& monomial : monomialsOf(dim)) {
        quotient.push_back({floorQuotient(monomial.coefficient, divisor), monomial.factors});
        rest.push_back({floorRemainder(monomial.coefficient, divisor), monomial.factors});
    }
    auto q = ofMonomials(std::move(quotient), floorQuotient(dim.addend(), divisor));
    auto r = ofMonomials(std::move(rest), floorRemainder(dim.addend(), divisor));
    if (!q || !r)
        return std::nullopt;
    return Split{*std::move(q), *std::move(r)};
}

// Polynomial division by the divisor's leading monomial, whose coefficient is positive. What is
// before `next` in the rest is no multiple of it, and later subtractions do not reach there.
std::optional<Split> splitByTerm(const Dim& dim, const Dim& divisor)
{
    const Monomial& leading = divisor.term()->monomials[0];
    Split split{Dim(), dim};
    std::size_t next = 0;
    for (std::size_t steps = 0; next < monomialsOf(split.rest).size(); ++steps) {
        const Monomial& first = monomialsOf(split.rest)[next];
        auto factors = without(first.factors, leading.factors);
        const std::int64_t count =
            factors ? floorQuotient(first.coefficient, leading.coefficient) : 0;
        if (count == 0) {
            ++next;
            continue;
        }
        const Dim part = ofMonomial({count, *std::move(factors)});
        const auto product = tryMultiply(part, divisor);
        const auto quotient = tryAdd(split.quotient, part);
        const auto rest = product ? trySubtract(split.rest, *product) : std::nullopt;
        if (!quotient || !rest || steps > 2 * maxMonomials)
            return std::nullopt;
        split = {*quotient, *rest};
    }
    return split;
}

// floor((g*s + r) / (g*d)) = floor((s + floor(r/g)) / d), r being the constant; where d may be
// negative this holds only without a rest in r/g.
void cancelNumber(Dim& numerator, Dim& divisor)
{
    std::int64_t common = divisor.addend();
    for (const auto& side : {numerator, divisor}) {
        for (const Monomial& monomial : monomialsOf(side)) {
            if (monomial.coefficient == std::numeric_limits<std::int64_t>::min())
                return;
            common = std::gcd(common, monomial.coefficient);
        }
    }
    if (common <= 1 || (numerator.addend() % common != 0 && !provablyNonNegative(divisor)))
        return;
    const auto a = splitByNumber(numerator, common);
    const auto b = splitByNumber(divisor, common);
    if (!a || !b)
        return;
    numerator = a->quotient;
    divisor = b->quotient;
}

// Symbols that are in every monomial of both sides.
void cancelFactors(Dim& numerator, Dim& divisor)
{
    if (numerator.addend() != 0 || divisor.addend() != 0 || !divisor.term() || !numerator.term())
        return;
    std::vector<AtomPtr> common = divisor.term()->monomials[0].factors;
    for (const auto& side : {numerator, divisor}) {
        for (const Monomial& monomial : monomialsOf(side)) {
            std::vector<AtomPtr> kept;
            std::ranges::set_intersection(
                common, monomial.factors, std::back_inserter(kept),
                [](const AtomPtr& x, const AtomPtr& y) { return compare(*x, *y) < 0; });
            common = std::move(kept);
        }
    }
    if (common.empty())
        return;
    for (Dim* side : {&numerator, &divisor}) {
        std::vector<Monomial> rest;
        for (const Monomial& monomial : monomialsOf(*side))
            rest.push_back({monomial.coefficient, *without(monomial.factors, common)});
        const auto reduced = ofMonomials(std::move(rest), 0);
        *side = *reduced;
    }
}

// floor((floor(x/a) + s) / b) = floor((x + a*s) / (a*b)) for a, b > 0.
std::optional<Dim> flattened(const Dim& numerator, const Dim& divisor)
{
    for (const Monomial& monomial : monomialsOf(numerator)) {
        if (monomial.coefficient != 1 || monomial.factors.size() != 1 ||
            monomial.factors[0]->kind != AtomKind::floorDiv)
            continue;
        const Dim& x = monomial.factors[0]->args[0];
        const Dim& a = monomial.factors[0]->args[1];
        if (!provablyNonNegative(a) || !provablyNonNegative(divisor))
            continue;
        const auto s = trySubtract(numerator, ofMonomial(monomial));
        const auto scaled = s ? tryMultiply(*s, a) : std::nullopt;
        const auto whole = scaled ? tryAdd(x, *scaled) : std::nullopt;
        const auto product = tryMultiply(a, divisor);
        if (whole && product)
            return tryDivide(*whole, *product);
    }
    return std::nullopt;
}

std::optional<std::int64_t> knownQuotient(const Dim& numerator, const Dim& divisor)
{
    if (numerator == Dim())
        return 0;
    const Interval bounds = floorDivBounds(numerator, divisor);
    if (bounds.lower && bounds.lower == bounds.upper)
        return bounds.lower;
    if (!provablyNonNegative(divisor))
        return std::nullopt;
    const auto below = trySubtract(divisor, numerator);
    if (below && provablyAtLeast(*below, 1) && provablyNonNegative(numerator))
        return 0;
    const auto above = tryAdd(divisor, numerator);
    if (above && provablyAtLeast(*above, 0)) {
        const auto negative = trySubtract(Dim(), numerator);
        if (negative && provablyAtLeast(*negative, 1))
            return -1;
    }
    return std::nullopt;
}

// Nothing on overflow or division by zero.
std::optional<Dim> tryDivide(const Dim& a, const Dim& b)
{
    if (b == Dim())
        return std::nullopt;
    const bool negative = b.term() ? b.term()->monomials[0].coefficient < 0 : b.addend() < 0;
    if (negative) {
        const auto minusA = tryMultiply(a, Dim(-1));
        const auto minusB = tryMultiply(b, Dim(-1));
        return minusA && minusB ? tryDivide(*minusA, *minusB) : std::nullopt;
    }
    if (const auto known = knownQuotient(a, b))
        return Dim(*known);
    const auto split = b.term() ? splitByTerm(a, b) : splitByNumber(a, b.addend());
    if (!split)
        return std::nullopt;
    Dim numerator = split->rest;
    Dim divisor = b;
    cancelNumber(numerator, divisor);
    cancelFactors(numerator, divisor);
    cancelNumber(numerator, divisor);
    std::optional<Dim> quotient;
    if (divisor != b && divisor.isConstant()) {
        quotient = tryDivide(numerator, divisor);
    } else if (const auto known = knownQuotient(numerator, divisor)) {
        quotient = Dim(*known);
    } else if (auto flat = flattened(numerator, divisor)) {
        quotient = *std::move(flat);
    } else {
        Atom atom;
        atom.kind = AtomKind::floorDiv;
        atom.bounds = floorDivBounds(numerator, divisor);
        atom.args = {std::move(numerator), std::move(divisor)};
        quotient = ofAtom(std::move(atom));
    }
    return quotient ? tryAdd(split->quotient, *quotient) : std::nullopt;
}

} // namespace

} // namespace dim

using namespace dim;

Dim floordiv(const Dim& a, const Dim& b)
{
    if (a.isConstant() && b.isConstant() && b.addend() > 0)
        return floorQuotient(a.addend(), b.addend());
    if (auto quotient = tryDivide(a, b))
        return *std::move(quotient);
    return opaque("floor", a, b);
}

Dim ceildiv(const Dim& a, const Dim& b)
{
    if (a.isConstant() && b.isConstant() && b.addend() > 0)
        return floorQuotient(a.addend(), b.addend()) + (a.addend() % b.addend() != 0 ? 1 : 0);
    const auto negative = trySubtract(Dim(), a);
    const auto quotient = negative ? tryDivide(*negative, b) : std::nullopt;
    const auto result = quotient ? trySubtract(Dim(), *quotient) : std::nullopt;
    if (result && !result->term())
        return *result;
    // Where the divisor is positive ceil(a/b) = floor((a + b - 1)/b), which reads better.
    if (provablyNonNegative(b)) {
        const auto less = trySubtract(b, Dim(1));
        const auto raised = less ? tryAdd(a, *less) : std::nullopt;
        if (auto raisedQuotient = raised ? tryDivide(*raised, b) : std::nullopt)
            return *std::move(raisedQuotient);
    }
    return result ? *result : opaque("ceil", a, b);
}

Dim mod(const Dim& a, const Dim& b)
{
    if (a.isConstant() && b.isConstant() && b.addend() > 0)
        return floorRemainder(a.addend(), b.addend());
    const auto quotient = tryDivide(a, b);
    const auto whole = quotient ? tryMultiply(*quotient, b) : std::nullopt;
    auto rest = whole ? trySubtract(a, *whole) : std::nullopt;
    return rest ? *std::move(rest) : opaque("mod", a, b);
}

} // namespace fusescope
