#pragma once

#include "model/dim.h"

#include <limits>
#include <span>

// The inside of Dim: used by the dim*.cpp files only.
namespace fusescope::dim {

__extension__ typedef __int128 Int128;

inline constexpr std::size_t maxMonomials = 64;
inline constexpr int maxDepth = 16;
inline constexpr int maxSize = 512;
inline constexpr std::size_t maxArguments = 16;

// 128 bits of structure, equal at every run and on every machine.
struct Hash
{
    std::uint64_t low = 0x9e3779b97f4a7c15u;
    std::uint64_t high = 0xc2b2ae3d27d4eb4fu;

    void mix(std::uint64_t value);
    void mix(std::string_view bytes);
    void mix(const Hash& other);
    auto operator<=>(const Hash&) const = default;
};

// Nothing stands for infinity.
struct Interval
{
    std::optional<std::int64_t> lower;
    std::optional<std::int64_t> upper;
};

enum class AtomKind : std::uint8_t { symbol, unknown, unknownInteger, floorDiv, min, max, opaque };

struct Atom
{
    AtomKind kind = AtomKind::symbol;
    std::string name;      // symbol
    std::uint64_t key = 0; // unknown, unknownInteger
    std::vector<Dim> args; // floorDiv: numerator, divisor; min, max: sorted
    Hash hash;             // opaque: this is its identity
    Interval bounds;
    int depth = 1;
    int size = 1;

    bool isLeaf() const { return args.empty(); }
};

using AtomPtr = std::shared_ptr<const Atom>;

// coefficient * product of the factors, which are sorted and may repeat.
struct Monomial
{
    std::int64_t coefficient = 1;
    std::vector<AtomPtr> factors;
};

// Sum of monomials in descending order: at least one, no zero coefficient, no constant.
struct Term
{
    std::vector<Monomial> monomials;
    Hash hash;
    Interval bounds;
    int depth = 0;
    int size = 0;
};

std::strong_ordering compare(const Atom& a, const Atom& b);
bool same(const Atom& a, const Atom& b);
// Graded lexicographic order of the factors alone; "less" comes first in a term.
std::strong_ordering compareFactors(const std::vector<AtomPtr>& a, const std::vector<AtomPtr>& b);

Hash hashOf(const Dim& dim);
std::span<const Monomial> monomialsOf(const Dim& dim);

// Fills in hash, depth and size, and collapses what is too large.
Dim ofAtom(Atom atom);
Dim ofAtom(AtomPtr atom, std::int64_t coefficient = 1);
Dim ofMonomial(Monomial monomial);
// `monomials` in any order; nothing on overflow.
std::optional<Dim> ofMonomials(std::vector<Monomial> monomials, std::int64_t addend);

// Nothing on overflow.
std::optional<Dim> tryAdd(const Dim& a, const Dim& b);
std::optional<Dim> trySubtract(const Dim& a, const Dim& b);
std::optional<Dim> tryMultiply(const Dim& a, const Dim& b);

// The unknown that stands for operation(a, b).
Dim opaque(std::string_view operation, const Dim& a, const Dim& b);

std::optional<std::int64_t> narrow(Int128 value);
std::int64_t floorQuotient(std::int64_t a, std::int64_t b);  // b > 0
std::int64_t floorRemainder(std::int64_t a, std::int64_t b); // b > 0

// The bounds that follow from the atoms' bounds one by one.
Interval boundsOf(std::span<const Monomial> monomials);
Interval quickBounds(const Dim& dim);
Interval floorDivBounds(const Dim& numerator, const Dim& divisor);
Interval minMaxBounds(AtomKind kind, std::span<const Dim> args);
// Whether dim >= goal for all values of the symbols.
bool provablyAtLeast(const Dim& dim, std::int64_t goal);

} // namespace fusescope::dim
