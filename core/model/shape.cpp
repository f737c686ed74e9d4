#include "model/shape.h"

#include <algorithm>

namespace fusescope {

Shape Shape::of(std::vector<Dim> dims)
{
    Shape shape;
    shape.m_hasRank = true;
    shape.m_dims = std::move(dims);
    return shape;
}

Shape Shape::ofSizes(std::span<const std::int64_t> sizes)
{
    return of(std::vector<Dim>(sizes.begin(), sizes.end()));
}

bool Shape::isStatic() const
{
    return m_hasRank && std::ranges::all_of(m_dims, &Dim::isConstant);
}

std::optional<std::vector<std::int64_t>> Shape::staticDims() const
{
    if (!isStatic())
        return std::nullopt;
    std::vector<std::int64_t> sizes;
    sizes.reserve(m_dims.size());
    for (const Dim& dim : m_dims)
        sizes.push_back(*dim.constant());
    return sizes;
}

std::optional<Dim> Shape::elementCount() const
{
    if (!m_hasRank)
        return std::nullopt;
    // A product with a 0 in it is 0, whatever overflows before.
    if (std::ranges::find(m_dims, Dim(0)) != m_dims.end())
        return Dim(0);
    Dim count = 1;
    for (const Dim& dim : m_dims)
        count = count * dim;
    return count;
}

Shape Shape::substitute(const std::map<Dim, Dim>& replacements) const
{
    Shape result = *this;
    for (Dim& dim : result.m_dims)
        dim = dim.substitute(replacements);
    return result;
}

std::string Shape::text() const
{
    if (!m_hasRank)
        return "?";
    std::string text = "[";
    for (const Dim& dim : m_dims) {
        if (text.size() > 1)
            text += ", ";
        text += dim.text();
    }
    return text + "]";
}

bool provablyEqual(const Shape& a, const Shape& b)
{
    return a.hasRank() && b.hasRank() &&
           std::ranges::equal(a.dims(), b.dims(),
                              [](const Dim& x, const Dim& y) { return provablyEqual(x, y); });
}

namespace {

// Whether `part` is the term min(whole, k) for a number k > 1, as a slice of at most k is. Broadcast
// together, the two are equal whenever the model runs: from k + 1 on, part is k, neither 1 nor whole.
bool isCappedAt(const Dim& part, const Dim& whole)
{
    const auto cap = part.upperBound();
    return !part.isConstant() && cap && *cap > 1 && part == min(whole, Dim(*cap));
}

// Nothing if the sizes can never be broadcast.
std::optional<Dim> broadcastDim(const Dim& a, const Dim& b, int axis,
                                const std::function<Dim(int axis)>& unknown)
{
    if (a == Dim(1) || provablyEqual(a, b))
        return b;
    if (b == Dim(1))
        return a;
    if (isCappedAt(b, a))
        return a;
    if (isCappedAt(a, b))
        return b;
    const bool aIsNotOne = provablyDifferent(a, Dim(1));
    const bool bIsNotOne = provablyDifferent(b, Dim(1));
    if (aIsNotOne && bIsNotOne) {
        if (provablyDifferent(a, b))
            return std::nullopt;
        // They must be equal for the model to run: the number says more.
        return b.isConstant() ? b : a;
    }
    if (aIsNotOne)
        return a;
    if (bIsNotOne)
        return b;
    return unknown(axis);
}

} // namespace

std::optional<Shape> broadcast(const Shape& a, const Shape& b,
                               const std::function<Dim(int axis)>& unknown)
{
    if (!a.hasRank() || !b.hasRank())
        return Shape::unranked();
    const std::size_t rank = std::max(a.rank(), b.rank());
    const auto dimOf = [rank](const Shape& shape, std::size_t axis) {
        const std::size_t missing = rank - shape.rank();
        return axis < missing ? Dim(1) : shape[axis - missing];
    };
    std::vector<Dim> dims;
    dims.reserve(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        auto dim = broadcastDim(dimOf(a, axis), dimOf(b, axis), static_cast<int>(axis), unknown);
        if (!dim)
            return std::nullopt;
        dims.push_back(*std::move(dim));
    }
    return Shape::of(std::move(dims));
}

Answer broadcastsTo(const Shape& shape, const Shape& target)
{
    if (!shape.hasRank() || !target.hasRank())
        return Answer::unknown;
    if (shape.rank() > target.rank())
        return Answer::no;
    Answer answer = Answer::yes;
    const std::size_t missing = target.rank() - shape.rank();
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        const Dim& from = shape[axis];
        const Dim& to = target[axis + missing];
        if (from == Dim(1) || provablyEqual(from, to))
            continue;
        if (provablyDifferent(from, to) && provablyDifferent(from, Dim(1)))
            return Answer::no;
        answer = Answer::unknown;
    }
    return answer;
}

} // namespace fusescope
