#pragma once

#include "base/result.h"

#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

class Dim;

namespace dim {
struct Term;
}

// Leaves of a Dim are its symbols; a leaf without a value ends the evaluation.
using DimValues = std::function<std::optional<std::int64_t>(const Dim& leaf)>;

// A size: a number, or an immutable term in normal form. The normal form is a polynomial with
// integer coefficients over symbols and the atoms floor(a/b), min and max; ceildiv and mod are
// written by floor. Every named symbol and every unknown is >= 0, and a divisor is never 0: two
// terms are equal where both have a value.
// What overflows, divides by zero or grows beyond the limits (64 monomials, depth 16, 512 atoms)
// becomes an opaque unknown, the same one for the same operands. Numbers allocate nothing.
class Dim
{
public:
    // The number 0.
    Dim() = default;
    template <std::signed_integral T>
    Dim(T value) : m_constant(value)
    {
    }

    static Dim of(std::int64_t value) { return Dim(value); }
    // Equal names are equal symbols; any string will do.
    static Dim symbol(std::string name);
    // A size of which only its being >= 0 is known; equal only to the unknown with the same key.
    static Dim unknown(std::uint64_t key);
    // An element of shape data, which may be negative; never equal to unknown(key).
    static Dim unknownInteger(std::uint64_t key);
    // The dim_param of a file: a symbol with exactly that name, however much it looks like a
    // formula, since equal names are all that a file promises. An empty one is unknown(key).
    static Dim fromFile(std::string_view dimParam, std::uint64_t key = 0);
    // Reads what text() writes, but not "?". Also ceil(a/b), mod(a, b) and fractions in floor
    // and ceil, as in floor(H/2 - 1/2) + 1.
    static Result<Dim> parse(std::string_view text);

    bool isConstant() const { return !m_term; }
    std::optional<std::int64_t> constant() const;
    // A named symbol and nothing else.
    bool isSymbol() const;
    // The name of a named symbol, empty for any other term.
    std::string_view symbolName() const;
    // An unknown and nothing else.
    bool isUnknown() const;
    // Whether an unknown occurs anywhere in the term.
    bool hasUnknown() const;
    // All symbols and unknowns of the term, each once, in order.
    std::vector<Dim> symbols() const;

    // As people write it: N, 2*N+1, floor((H+1)/2), mod(N, 2); "?" for each unknown. Names that
    // are no identifiers are quoted.
    std::string text() const;
    std::size_t hash() const;

    // Nothing where a leaf has no value, a divisor is 0 or the result does not fit.
    std::optional<std::int64_t> evaluate(const DimValues& values) const;
    // Replaces leaves; keys that are no leaves are ignored.
    Dim substitute(const std::map<Dim, Dim>& replacements) const;

    // Bounds over all values of the symbols; nothing where none is known.
    std::optional<std::int64_t> lowerBound() const;
    std::optional<std::int64_t> upperBound() const;

    // Same normal form. See provablyEqual for the stronger question.
    friend bool operator==(const Dim& a, const Dim& b);
    // Numbers first; a total order that is the same at every run.
    friend std::strong_ordering operator<=>(const Dim& a, const Dim& b);
    friend Dim operator+(const Dim& a, const Dim& b);
    friend Dim operator-(const Dim& a, const Dim& b);
    friend Dim operator*(const Dim& a, const Dim& b);
    friend Dim operator-(const Dim& a) { return a * Dim(-1); }

    // The term is `addend + term`; for core/model only.
    static Dim ofParts(std::int64_t addend, std::shared_ptr<const dim::Term> term);
    std::int64_t addend() const { return m_constant; }
    const std::shared_ptr<const dim::Term>& term() const { return m_term; }

private:
    std::int64_t m_constant = 0;
    std::shared_ptr<const dim::Term> m_term;
};

static_assert(sizeof(Dim) <= 24);

// Rounds towards minus infinity; ceildiv towards plus infinity; mod has the sign of b.
Dim floordiv(const Dim& a, const Dim& b);
Dim ceildiv(const Dim& a, const Dim& b);
Dim mod(const Dim& a, const Dim& b);
Dim min(const Dim& a, const Dim& b);
Dim max(const Dim& a, const Dim& b);

// Each holds for all values of the symbols when it says yes; no may mean "not proved".
bool provablyEqual(const Dim& a, const Dim& b);
bool provablyDifferent(const Dim& a, const Dim& b);
bool provablyLessEqual(const Dim& a, const Dim& b);
bool provablyPositive(const Dim& a);
bool provablyNonNegative(const Dim& a);

} // namespace fusescope

template <>
struct std::hash<fusescope::Dim>
{
    std::size_t operator()(const fusescope::Dim& dim) const { return dim.hash(); }
};
