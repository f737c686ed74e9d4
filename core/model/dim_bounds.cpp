#include "model/dim_term.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace fusescope {

namespace dim {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr Int128 infinity = Int128(1) << 100;

// Ends are 64-bit numbers, or -infinity below and +infinity above.
struct Range
{
    Int128 lower = -infinity;
    Int128 upper = infinity;
};

Range clamped(Int128 lower, Int128 upper)
{
    return {lower < lowest ? -infinity : std::min<Int128>(lower, highest),
            upper > highest ? infinity : std::max<Int128>(upper, lowest)};
}

Range rangeOf(const Interval& interval)
{
    return {interval.lower ? Int128(*interval.lower) : -infinity,
            interval.upper ? Int128(*interval.upper) : infinity};
}

Interval intervalOf(const Range& range)
{
    return {narrow(range.lower), narrow(range.upper)};
}

Range sum(const Range& a, const Range& b)
{
    return clamped(a.lower + b.lower, a.upper + b.upper);
}

Int128 endProduct(Int128 a, Int128 b)
{
    if (a == 0 || b == 0)
        return 0;
    const bool infinite = a == infinity || a == -infinity || b == infinity || b == -infinity;
    if (infinite)
        return (a < 0) == (b < 0) ? infinity : -infinity;
    return a * b;
}

Range product(const Range& a, const Range& b)
{
    const auto [lower, upper] =
        std::minmax({endProduct(a.lower, b.lower), endProduct(a.lower, b.upper),
                     endProduct(a.upper, b.lower), endProduct(a.upper, b.upper)});
    return clamped(lower, upper);
}

// How far the proof of one bound looks.
struct Search
{
    std::int64_t goal = highest; // a bound that is good enough
    std::int64_t budget = 256;   // monomials to be summed up
};

void raise(std::optional<std::int64_t>& best, std::optional<std::int64_t> candidate)
{
    if (candidate && (!best || *candidate > *best))
        best = candidate;
}

std::optional<std::int64_t> lowestOf(const Dim& dim, int depth, Search& search);

// rest + coefficient * replacement, where the atom stood.
std::optional<std::int64_t> lowestWith(const Dim& rest, std::int64_t coefficient,
                                       const Dim& replacement, int depth, Search& search)
{
    search.budget -=
        static_cast<std::int64_t>(1 + monomialsOf(rest).size() + monomialsOf(replacement).size());
    if (search.budget < 0)
        return std::nullopt;
    const auto scaled = tryMultiply(replacement, Dim(coefficient));
    const auto whole = scaled ? tryAdd(rest, *scaled) : std::nullopt;
    return whole ? lowestOf(*whole, depth - 1, search) : std::nullopt;
}

// From x - b + 1 <= b * floor(x/b) <= x.
std::optional<std::int64_t> lowestByFloor(const Dim& rest, const Monomial& monomial, int depth,
                                          Search& search)
{
    const Atom& atom = *monomial.factors[0];
    const auto divisor = atom.args[1].constant();
    if (!divisor || *divisor <= 0)
        return std::nullopt;
    const auto scaledRest = tryMultiply(rest, Dim(*divisor));
    const auto numerator = monomial.coefficient > 0 ? trySubtract(atom.args[0], Dim(*divisor - 1))
                                                    : std::optional(atom.args[0]);
    if (!scaledRest || !numerator)
        return std::nullopt;
    const Search outer = search;
    search.goal = highest;
    const auto scaled = lowestWith(*scaledRest, monomial.coefficient, *numerator, depth, search);
    search.goal = outer.goal;
    if (!scaled)
        return std::nullopt;
    return floorQuotient(*scaled, *divisor) + (floorRemainder(*scaled, *divisor) != 0 ? 1 : 0);
}

// One argument of a maximum is a bound from below; of a minimum, every argument must be looked at.
std::optional<std::int64_t> lowestByChoice(const Dim& rest, const Monomial& monomial, int depth,
                                           Search& search)
{
    const Atom& atom = *monomial.factors[0];
    const bool any = (atom.kind == AtomKind::max) == (monomial.coefficient > 0);
    std::optional<std::int64_t> result;
    for (std::size_t i = 0; i < atom.args.size(); ++i) {
        const auto bound = lowestWith(rest, monomial.coefficient, atom.args[i], depth, search);
        if (any)
            raise(result, bound);
        else if (!bound)
            return std::nullopt;
        else
            result = i == 0 ? *bound : std::min(*result, *bound);
    }
    return result;
}

// g*q + c as q: integers round to the better side when q is looked at alone.
std::optional<std::int64_t> lowestOfScaled(const Dim& dim, std::int64_t factor, int depth,
                                           Search& search)
{
    std::vector<Monomial> monomials(monomialsOf(dim).begin(), monomialsOf(dim).end());
    for (Monomial& monomial : monomials)
        monomial.coefficient /= factor;
    const std::int64_t goal = search.goal;
    const Int128 distance = Int128(goal) - dim.addend();
    search.goal =
        goal == highest
            ? highest
            : narrow(distance / factor + (distance % factor > 0 ? 1 : 0)).value_or(highest);
    const auto bound = lowestOf(*ofMonomials(std::move(monomials), 0), depth, search);
    search.goal = goal;
    return bound ? narrow(Int128(*bound) * factor + dim.addend()) : std::nullopt;
}

std::optional<std::int64_t> lowestOf(const Dim& dim, int depth, Search& search)
{
    auto best = quickBounds(dim).lower;
    if (depth == 0 || !dim.term() || std::ranges::all_of(monomialsOf(dim), [](const Monomial& m) {
            return m.factors.size() != 1 || m.factors[0]->isLeaf();
        }))
        return best;
    std::int64_t factor = 0;
    for (const Monomial& monomial : monomialsOf(dim)) {
        if (monomial.coefficient == lowest)
            return best;
        factor = std::gcd(factor, monomial.coefficient);
    }
    if (factor > 1) {
        raise(best, lowestOfScaled(dim, factor, depth, search));
        return best;
    }
    for (const Monomial& monomial : monomialsOf(dim)) {
        if ((best && *best >= search.goal) || search.budget <= 0)
            break;
        if (monomial.factors.size() != 1 || monomial.factors[0]->isLeaf())
            continue;
        const auto rest = trySubtract(dim, ofMonomial(monomial));
        if (!rest)
            continue;
        if (monomial.factors[0]->kind == AtomKind::floorDiv)
            raise(best, lowestByFloor(*rest, monomial, depth, search));
        else
            raise(best, lowestByChoice(*rest, monomial, depth, search));
    }
    return best;
}

constexpr int searchDepth = 3;

} // namespace

Interval boundsOf(std::span<const Monomial> monomials)
{
    Range total{0, 0};
    for (const Monomial& monomial : monomials) {
        Range range{monomial.coefficient, monomial.coefficient};
        for (const AtomPtr& atom : monomial.factors)
            range = product(range, rangeOf(atom->bounds));
        total = sum(total, range);
    }
    return intervalOf(total);
}

Interval quickBounds(const Dim& dim)
{
    const Range addend{dim.addend(), dim.addend()};
    return intervalOf(dim.term() ? sum(addend, rangeOf(dim.term()->bounds)) : addend);
}

Interval floorDivBounds(const Dim& numerator, const Dim& divisor)
{
    const Interval divisorBounds{divisor.lowerBound(), divisor.upperBound()};
    if (divisorBounds.lower.value_or(-1) < 0)
        return {};
    // The divisor is not 0, hence at least 1.
    const std::int64_t least = std::max<std::int64_t>(*divisorBounds.lower, 1);
    const auto most = divisorBounds.upper;
    if (most && *most < least)
        return {};
    const auto quotient = [&](std::int64_t end, bool largest) -> std::int64_t {
        if ((end >= 0) == largest)
            return floorQuotient(end, least);
        if (most)
            return floorQuotient(end, *most);
        return end >= 0 ? 0 : -1;
    };
    Interval result;
    if (const auto end = numerator.lowerBound())
        result.lower = quotient(*end, false);
    if (const auto end = numerator.upperBound())
        result.upper = quotient(*end, true);
    return result;
}

Interval minMaxBounds(AtomKind kind, std::span<const Dim> args)
{
    Range range = kind == AtomKind::max ? Range{-infinity, -infinity} : Range{infinity, infinity};
    for (const Dim& arg : args) {
        const Range next = rangeOf({arg.lowerBound(), arg.upperBound()});
        range.lower = kind == AtomKind::max ? std::max(range.lower, next.lower)
                                            : std::min(range.lower, next.lower);
        range.upper = kind == AtomKind::max ? std::max(range.upper, next.upper)
                                            : std::min(range.upper, next.upper);
    }
    return intervalOf(range);
}

bool provablyAtLeast(const Dim& dim, std::int64_t goal)
{
    Search search;
    search.goal = goal;
    const auto bound = lowestOf(dim, searchDepth, search);
    return bound && *bound >= goal;
}

} // namespace dim

using namespace dim;

std::optional<std::int64_t> Dim::lowerBound() const
{
    Search search;
    return lowestOf(*this, searchDepth, search);
}

std::optional<std::int64_t> Dim::upperBound() const
{
    const auto negative = tryMultiply(*this, Dim(-1));
    const auto bound = negative ? negative->lowerBound() : std::nullopt;
    if (!bound || *bound == lowest)
        return std::nullopt;
    return -*bound;
}

bool provablyEqual(const Dim& a, const Dim& b)
{
    return a == b || (provablyLessEqual(a, b) && provablyLessEqual(b, a));
}

bool provablyDifferent(const Dim& a, const Dim& b)
{
    if (a.isConstant() && b.isConstant())
        return a != b;
    const auto difference = trySubtract(a, b);
    const auto opposite = trySubtract(b, a);
    return (difference && provablyAtLeast(*difference, 1)) ||
           (opposite && provablyAtLeast(*opposite, 1));
}

bool provablyLessEqual(const Dim& a, const Dim& b)
{
    const auto difference = trySubtract(b, a);
    return difference && provablyAtLeast(*difference, 0);
}

bool provablyPositive(const Dim& a)
{
    return provablyAtLeast(a, 1);
}

bool provablyNonNegative(const Dim& a)
{
    return provablyAtLeast(a, 0);
}

} // namespace fusescope
