#pragma once

#include "model/dim.h"

#include <cstddef>
#include <span>

namespace fusescope {

// A tensor's shape: the rank may be unknown, and each size is a Dim.
class Shape
{
public:
    // Of unknown rank.
    Shape() = default;
    static Shape unranked() { return {}; }
    // Numbers and terms may be mixed: Shape::of({Dim::symbol("N"), 3, 224, 224}).
    static Shape of(std::vector<Dim> dims);
    static Shape ofSizes(std::span<const std::int64_t> sizes);
    static Shape scalar() { return of({}); }

    bool hasRank() const { return m_hasRank; }
    // 0 where the rank is unknown.
    std::size_t rank() const { return m_dims.size(); }
    const std::vector<Dim>& dims() const { return m_dims; }
    const Dim& operator[](std::size_t axis) const { return m_dims[axis]; }
    void set(std::size_t axis, Dim dim) { m_dims[axis] = std::move(dim); }

    // Ranked, and all sizes are numbers.
    bool isStatic() const;
    std::optional<std::vector<std::int64_t>> staticDims() const;
    // The product of the sizes; nothing where the rank is unknown.
    std::optional<Dim> elementCount() const;
    Shape substitute(const std::map<Dim, Dim>& replacements) const;

    // "[N, 3, 224, 224]", "[]" for a scalar, "?" for an unknown rank.
    std::string text() const;

    bool operator==(const Shape&) const = default;

private:
    bool m_hasRank = false;
    std::vector<Dim> m_dims;
};

enum class Answer { no, yes, unknown };

// Of equal rank, and every size is proved equal.
bool provablyEqual(const Shape& a, const Shape& b);

// ONNX's multidirectional broadcast; nothing if the two can never be broadcast. A size that is
// known to be above 1 wins over one that is not; `unknown` is asked for the size of an axis of
// the result when neither is known to win.
std::optional<Shape> broadcast(const Shape& a, const Shape& b,
                               const std::function<Dim(int axis)>& unknown);

// Whether `shape` can be broadcast to exactly `target` (ONNX's unidirectional broadcast).
Answer broadcastsTo(const Shape& shape, const Shape& target);

} // namespace fusescope
