#pragma once

#include "ops/kernel_support.h"

// Moving elements of any type, packed ones and strings too, without looking at them.
namespace fusescope {

// Copies between two tensors of the same element type. The target is owned and being built; the
// source may be a splat. Indices are of elements and must be in range.
class ElementCopy
{
public:
    ElementCopy(Tensor& to, const Tensor& from);

    void copy(std::int64_t to, std::int64_t from, std::int64_t count = 1);
    // Writes element `from` of the source `count` times.
    void fill(std::int64_t to, std::int64_t from, std::int64_t count);
    // `count` elements, each side advancing by its own step.
    void copySteps(std::int64_t to, std::int64_t toStep, std::int64_t from, std::int64_t fromStep,
                   std::int64_t count);

private:
    Tensor& m_to;
    const Tensor& m_from;
    std::int64_t m_bits;
    bool m_splat;
};

// One side of a strided copy: the element at index i is offset + sum of i[k] * strides[k].
struct StridedSide
{
    std::int64_t offset = 0;
    std::vector<std::int64_t> strides;
};

// to[...] = from[...] for every index of `shape`.
void copyStrided(Tensor& to, const StridedSide& toSide, const Tensor& from,
                 const StridedSide& fromSide, std::span<const std::int64_t> shape);

// Calls f(linear index, index) for each index of a shape in row-major order.
template <class F>
void forEachIndex(std::span<const std::int64_t> shape, F&& f)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    std::vector<std::int64_t> index(shape.size());
    for (std::int64_t i = 0; i < count; ++i) {
        f(i, std::as_const(index));
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (++index[axis] < shape[axis])
                break;
            index[axis] = 0;
        }
    }
}

} // namespace fusescope
