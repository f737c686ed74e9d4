#include "model/dim_term.h"

namespace fusescope {

using namespace dim;

namespace {

std::optional<Int128> wideValue(const Dim& dim, const DimValues& values);

std::optional<Int128> wideValue(const AtomPtr& atom, const DimValues& values)
{
    if (atom->isLeaf())
        return values(ofAtom(atom));
    std::optional<Int128> result;
    for (const Dim& arg : atom->args) {
        const auto value = wideValue(arg, values);
        if (!value)
            return std::nullopt;
        if (!result) {
            result = value;
        } else if (atom->kind == AtomKind::min) {
            result = std::min(*result, *value);
        } else if (atom->kind == AtomKind::max) {
            result = std::max(*result, *value);
        } else {
            if (*value == 0)
                return std::nullopt;
            const Int128 remainder = *result % *value;
            result = *result / *value - (remainder != 0 && (remainder < 0) != (*value < 0) ? 1 : 0);
        }
    }
    return result;
}

std::optional<Int128> wideValue(const Dim& dim, const DimValues& values)
{
    // Beyond this the result is given up: far above 64 bits, far below an overflow of * and +.
    constexpr Int128 limit = Int128(1) << 120;
    Int128 sum = dim.addend();
    for (const Monomial& monomial : monomialsOf(dim)) {
        Int128 product = monomial.coefficient;
        for (const AtomPtr& atom : monomial.factors) {
            const auto value = wideValue(atom, values);
            if (!value || __builtin_mul_overflow(product, *value, &product) || product > limit ||
                product < -limit)
                return std::nullopt;
        }
        sum += product;
    }
    return sum;
}

using Replacements = std::map<Dim, Dim>;

Dim replaced(const AtomPtr& atom, const Replacements& replacements)
{
    if (atom->isLeaf()) {
        const Dim leaf = ofAtom(atom);
        if (const auto found = replacements.find(leaf); found != replacements.end())
            return found->second;
        if (atom->kind != AtomKind::opaque || replacements.empty())
            return leaf;
        // What it stands for may contain what is replaced: no longer the same unknown.
        Hash hash = atom->hash;
        for (const auto& [from, to] : replacements) {
            hash.mix(hashOf(from));
            hash.mix(hashOf(to));
        }
        Atom other;
        other.kind = AtomKind::opaque;
        other.hash = hash;
        return ofAtom(std::move(other));
    }
    Dim result = atom->args[0].substitute(replacements);
    for (std::size_t i = 1; i < atom->args.size(); ++i) {
        const Dim next = atom->args[i].substitute(replacements);
        result = atom->kind == AtomKind::min   ? min(result, next)
                 : atom->kind == AtomKind::max ? max(result, next)
                                               : floordiv(result, next);
    }
    return result;
}

} // namespace

std::optional<std::int64_t> Dim::evaluate(const DimValues& values) const
{
    const auto value = wideValue(*this, values);
    return value ? narrow(*value) : std::nullopt;
}

Dim Dim::substitute(const Replacements& replacements) const
{
    if (!m_term || replacements.empty())
        return *this;
    Dim sum = m_constant;
    for (const Monomial& monomial : m_term->monomials) {
        Dim product = monomial.coefficient;
        for (const AtomPtr& atom : monomial.factors)
            product = product * replaced(atom, replacements);
        sum = sum + product;
    }
    return sum;
}

} // namespace fusescope
