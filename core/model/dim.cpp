#include "model/dim_term.h"

#include <algorithm>

namespace fusescope {

using namespace dim;

Dim Dim::symbol(std::string name)
{
    Atom atom;
    atom.kind = AtomKind::symbol;
    atom.name = std::move(name);
    atom.bounds.lower = 0;
    return ofAtom(std::move(atom));
}

Dim Dim::unknown(std::uint64_t key)
{
    Atom atom;
    atom.kind = AtomKind::unknown;
    atom.key = key;
    atom.bounds.lower = 0;
    return ofAtom(std::move(atom));
}

Dim Dim::unknownInteger(std::uint64_t key)
{
    Atom atom;
    atom.kind = AtomKind::unknownInteger;
    atom.key = key;
    return ofAtom(std::move(atom));
}

Dim Dim::fromFile(std::string_view dimParam, std::uint64_t key)
{
    return dimParam.empty() ? unknown(key) : symbol(std::string(dimParam));
}

Dim Dim::ofParts(std::int64_t addend, std::shared_ptr<const Term> term)
{
    Dim result(addend);
    result.m_term = std::move(term);
    return result;
}

std::optional<std::int64_t> Dim::constant() const
{
    return m_term ? std::nullopt : std::optional(m_constant);
}

static const Atom* onlyAtom(const Dim& dim)
{
    const auto monomials = monomialsOf(dim);
    if (dim.addend() != 0 || monomials.size() != 1 || monomials[0].coefficient != 1 ||
        monomials[0].factors.size() != 1)
        return nullptr;
    return monomials[0].factors[0].get();
}

bool Dim::isSymbol() const
{
    const Atom* atom = onlyAtom(*this);
    return atom && atom->kind == AtomKind::symbol;
}

std::string_view Dim::symbolName() const
{
    return isSymbol() ? std::string_view(onlyAtom(*this)->name) : std::string_view();
}

bool Dim::isUnknown() const
{
    const Atom* atom = onlyAtom(*this);
    return atom && atom->isLeaf() && atom->kind != AtomKind::symbol;
}

bool Dim::hasUnknown() const
{
    return std::ranges::any_of(symbols(), &Dim::isUnknown);
}

static void collectLeaves(const Dim& dim, std::vector<Dim>& leaves)
{
    for (const Monomial& monomial : monomialsOf(dim)) {
        for (const AtomPtr& atom : monomial.factors) {
            if (atom->isLeaf())
                leaves.push_back(ofAtom(atom));
            for (const Dim& arg : atom->args)
                collectLeaves(arg, leaves);
        }
    }
}

std::vector<Dim> Dim::symbols() const
{
    std::vector<Dim> leaves;
    collectLeaves(*this, leaves);
    std::ranges::sort(leaves);
    leaves.erase(std::ranges::unique(leaves).begin(), leaves.end());
    return leaves;
}

std::size_t Dim::hash() const
{
    return static_cast<std::size_t>(hashOf(*this).low);
}

bool operator==(const Dim& a, const Dim& b)
{
    if (a.m_constant != b.m_constant || !a.m_term != !b.m_term)
        return false;
    if (a.m_term == b.m_term)
        return true;
    return a.m_term->hash == b.m_term->hash && (a <=> b) == 0;
}

std::strong_ordering operator<=>(const Dim& a, const Dim& b)
{
    if (!a.m_term != !b.m_term)
        return a.m_term ? std::strong_ordering::greater : std::strong_ordering::less;
    if (a.m_term != b.m_term) {
        const auto left = monomialsOf(a);
        const auto right = monomialsOf(b);
        for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
            if (const auto order = compareFactors(left[i].factors, right[i].factors); order != 0)
                return order;
            if (const auto order = left[i].coefficient <=> right[i].coefficient; order != 0)
                return order;
        }
        if (const auto order = left.size() <=> right.size(); order != 0)
            return order;
    }
    return a.m_constant <=> b.m_constant;
}

Dim operator+(const Dim& a, const Dim& b)
{
    if (auto sum = tryAdd(a, b))
        return *std::move(sum);
    return a < b ? opaque("+", a, b) : opaque("+", b, a);
}

Dim operator-(const Dim& a, const Dim& b)
{
    if (auto difference = trySubtract(a, b))
        return *std::move(difference);
    return opaque("-", a, b);
}

Dim operator*(const Dim& a, const Dim& b)
{
    if (auto product = tryMultiply(a, b))
        return *std::move(product);
    return a < b ? opaque("*", a, b) : opaque("*", b, a);
}

} // namespace fusescope
