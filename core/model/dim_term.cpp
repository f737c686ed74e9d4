#include "model/dim_term.h"

#include <algorithm>
#include <bit>

namespace fusescope::dim {

void Hash::mix(std::uint64_t value)
{
    const auto stir = [](std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    };
    low = stir(low + value);
    high = stir((high ^ std::rotl(value, 32)) * 0x9fb21c651e98df25u + 1);
}

void Hash::mix(std::string_view bytes)
{
    mix(static_cast<std::uint64_t>(bytes.size()));
    for (const char byte : bytes)
        mix(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)));
}

void Hash::mix(const Hash& other)
{
    mix(other.low);
    mix(other.high);
}

std::strong_ordering compare(const Atom& a, const Atom& b)
{
    if (&a == &b)
        return std::strong_ordering::equal;
    if (const auto order = a.kind <=> b.kind; order != 0)
        return order;
    switch (a.kind) {
    case AtomKind::symbol:
        return a.name <=> b.name;
    case AtomKind::unknown:
    case AtomKind::unknownInteger:
        return a.key <=> b.key;
    case AtomKind::opaque:
        return a.hash <=> b.hash;
    case AtomKind::floorDiv:
    case AtomKind::min:
    case AtomKind::max:
        break;
    }
    return std::lexicographical_compare_three_way(a.args.begin(), a.args.end(), b.args.begin(),
                                                  b.args.end());
}

bool same(const Atom& a, const Atom& b)
{
    return &a == &b || (a.hash == b.hash && compare(a, b) == 0);
}

std::strong_ordering compareFactors(const std::vector<AtomPtr>& a, const std::vector<AtomPtr>& b)
{
    if (a.size() != b.size())
        return b.size() <=> a.size();
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (const auto order = compare(*a[i], *b[i]); order != 0)
            return order;
    }
    return std::strong_ordering::equal;
}

Hash hashOf(const Dim& dim)
{
    Hash hash;
    hash.mix(static_cast<std::uint64_t>(dim.addend()));
    if (dim.term())
        hash.mix(dim.term()->hash);
    return hash;
}

std::span<const Monomial> monomialsOf(const Dim& dim)
{
    return dim.term() ? std::span<const Monomial>(dim.term()->monomials)
                      : std::span<const Monomial>();
}

static AtomPtr opaqueAtom(const Hash& hash, const Interval& bounds)
{
    Atom atom;
    atom.kind = AtomKind::opaque;
    atom.hash = hash;
    atom.bounds = bounds;
    return std::make_shared<const Atom>(std::move(atom));
}

static std::shared_ptr<const Term> makeTerm(std::vector<Monomial> monomials)
{
    Term term;
    term.monomials = std::move(monomials);
    for (const Monomial& monomial : term.monomials) {
        term.hash.mix(static_cast<std::uint64_t>(monomial.coefficient));
        term.hash.mix(static_cast<std::uint64_t>(monomial.factors.size()));
        ++term.size;
        for (const AtomPtr& atom : monomial.factors) {
            term.hash.mix(atom->hash);
            term.depth = std::max(term.depth, atom->depth);
            term.size += atom->size;
        }
    }
    term.bounds = boundsOf(term.monomials);
    if (term.monomials.size() <= maxMonomials && term.size <= maxSize)
        return std::make_shared<const Term>(std::move(term));
    return makeTerm({Monomial{1, {opaqueAtom(term.hash, term.bounds)}}});
}

Dim ofAtom(Atom atom)
{
    if (atom.kind != AtomKind::opaque) {
        atom.hash.mix(static_cast<std::uint64_t>(atom.kind));
        atom.hash.mix(atom.name);
        atom.hash.mix(atom.key);
    }
    for (const Dim& arg : atom.args) {
        atom.hash.mix(hashOf(arg));
        ++atom.size;
        if (arg.term()) {
            atom.depth = std::max(atom.depth, arg.term()->depth + 1);
            atom.size += arg.term()->size;
        }
    }
    if (atom.depth > maxDepth || atom.size > maxSize || atom.args.size() > maxArguments)
        return ofAtom(opaqueAtom(atom.hash, atom.bounds));
    return ofAtom(std::make_shared<const Atom>(std::move(atom)));
}

Dim ofAtom(AtomPtr atom, std::int64_t coefficient)
{
    return ofMonomial(Monomial{coefficient, {std::move(atom)}});
}

Dim ofMonomial(Monomial monomial)
{
    if (monomial.factors.empty())
        return Dim(monomial.coefficient);
    if (monomial.coefficient == 0)
        return Dim();
    std::vector<Monomial> monomials;
    monomials.push_back(std::move(monomial));
    return Dim::ofParts(0, makeTerm(std::move(monomials)));
}

std::optional<Dim> ofMonomials(std::vector<Monomial> monomials, std::int64_t addend)
{
    std::ranges::sort(monomials, [](const Monomial& a, const Monomial& b) {
        return compareFactors(a.factors, b.factors) < 0;
    });
    std::vector<Monomial> merged;
    merged.reserve(monomials.size());
    for (std::size_t i = 0; i < monomials.size();) {
        // A wide sum: whether it fits must not depend on the order of the parts.
        Int128 sum = monomials[i].factors.empty() ? addend : 0;
        std::size_t end = i;
        while (end < monomials.size() &&
               compareFactors(monomials[i].factors, monomials[end].factors) == 0)
            sum += monomials[end++].coefficient;
        const auto coefficient = narrow(sum);
        if (!coefficient)
            return std::nullopt;
        if (monomials[i].factors.empty())
            addend = *coefficient;
        else if (*coefficient != 0)
            merged.push_back(Monomial{*coefficient, std::move(monomials[i].factors)});
        i = end;
    }
    if (merged.empty())
        return Dim(addend);
    return Dim::ofParts(addend, makeTerm(std::move(merged)));
}

std::optional<Dim> tryAdd(const Dim& a, const Dim& b)
{
    std::int64_t addend = 0;
    if (__builtin_add_overflow(a.addend(), b.addend(), &addend))
        return std::nullopt;
    if (!a.term() || !b.term())
        return Dim::ofParts(addend, a.term() ? a.term() : b.term());
    const auto left = monomialsOf(a);
    const auto right = monomialsOf(b);
    std::vector<Monomial> all(left.begin(), left.end());
    all.insert(all.end(), right.begin(), right.end());
    return ofMonomials(std::move(all), addend);
}

std::optional<Dim> trySubtract(const Dim& a, const Dim& b)
{
    if (!a.term() && !b.term()) {
        std::int64_t difference = 0;
        if (__builtin_sub_overflow(a.addend(), b.addend(), &difference))
            return std::nullopt;
        return Dim(difference);
    }
    if (a == b)
        return Dim();
    const auto negative = tryMultiply(b, Dim(-1));
    return negative ? tryAdd(a, *negative) : std::nullopt;
}

static bool appendScaled(std::span<const Monomial> monomials, std::int64_t factor,
                         std::vector<Monomial>& out)
{
    if (factor == 0)
        return true;
    for (const Monomial& monomial : monomials) {
        Monomial& scaled = out.emplace_back(monomial);
        if (__builtin_mul_overflow(scaled.coefficient, factor, &scaled.coefficient))
            return false;
    }
    return true;
}

std::optional<Dim> tryMultiply(const Dim& a, const Dim& b)
{
    std::int64_t addend = 0;
    if (__builtin_mul_overflow(a.addend(), b.addend(), &addend))
        return std::nullopt;
    if (!a.term() && !b.term())
        return Dim(addend);
    if (a.constant() == 1)
        return b;
    if (b.constant() == 1)
        return a;
    const auto left = monomialsOf(a);
    const auto right = monomialsOf(b);
    std::vector<Monomial> products;
    products.reserve(left.size() * right.size() + left.size() + right.size());
    if (!appendScaled(left, b.addend(), products) || !appendScaled(right, a.addend(), products))
        return std::nullopt;
    for (const Monomial& l : left) {
        for (const Monomial& r : right) {
            Monomial& product = products.emplace_back();
            if (__builtin_mul_overflow(l.coefficient, r.coefficient, &product.coefficient))
                return std::nullopt;
            product.factors.reserve(l.factors.size() + r.factors.size());
            std::ranges::merge(
                l.factors, r.factors, std::back_inserter(product.factors),
                [](const AtomPtr& x, const AtomPtr& y) { return compare(*x, *y) < 0; });
        }
    }
    return ofMonomials(std::move(products), addend);
}

Dim opaque(std::string_view operation, const Dim& a, const Dim& b)
{
    Hash hash;
    hash.mix(operation);
    hash.mix(hashOf(a));
    hash.mix(hashOf(b));
    return ofAtom(opaqueAtom(hash, {}));
}

std::optional<std::int64_t> narrow(Int128 value)
{
    if (value < std::numeric_limits<std::int64_t>::min() ||
        value > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::int64_t floorQuotient(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

std::int64_t floorRemainder(std::int64_t a, std::int64_t b)
{
    const std::int64_t remainder = a % b;
    return remainder < 0 ? remainder + b : remainder;
}

} // namespace fusescope::dim
