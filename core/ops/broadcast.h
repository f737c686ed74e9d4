#pragma once

#include "ops/kernel_support.h"

#include <array>

namespace fusescope {

using Sizes = std::vector<std::int64_t>;

// ONNX's multidirectional broadcast of known shapes; nothing when they do not fit.
std::optional<Sizes> broadcastSizes(std::span<const std::int64_t> a, std::span<const std::int64_t> b);
// Whether `shape` broadcasts to exactly `target`.
bool broadcastsToSizes(std::span<const std::int64_t> shape, std::span<const std::int64_t> target);

// Strides in elements for reading `shape` as if it were `target`: 0 along broadcast axes.
Sizes broadcastStrides(std::span<const std::int64_t> shape, std::span<const std::int64_t> target);

// Walks `shape` in row-major order with N operands of given strides, one call for each run of the
// innermost axis: f(first, count, offsets, steps), where `first` is the index of the run's first
// element in the result and operand k reads offsets[k] + j·steps[k] for j < count.
template <std::size_t N, class F>
void forEachRun(const Sizes& shape, const std::array<Sizes, N>& strides, F&& f)
{
    // Neighbouring axes that every operand walks contiguously become one.
    Sizes sizes;
    std::array<Sizes, N> steps;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 0)
            return;
        if (shape[axis] == 1)
            continue;
        bool joins = !sizes.empty();
        for (std::size_t k = 0; k < N && joins; ++k)
            joins = steps[k].back() == strides[k][axis] * shape[axis];
        if (joins)
            sizes.back() *= shape[axis];
        else
            sizes.push_back(shape[axis]);
        for (std::size_t k = 0; k < N; ++k) {
            if (joins)
                steps[k].back() = strides[k][axis];
            else
                steps[k].push_back(strides[k][axis]);
        }
    }
    std::array<std::int64_t, N> offsets{};
    std::array<std::int64_t, N> inner{};
    if (sizes.empty()) {
        f(std::int64_t{0}, std::int64_t{1}, offsets, inner);
        return;
    }
    const std::size_t last = sizes.size() - 1;
    for (std::size_t k = 0; k < N; ++k)
        inner[k] = steps[k][last];
    Sizes index(sizes.size(), 0);
    std::int64_t first = 0;
    for (;;) {
        f(first, sizes[last], offsets, inner);
        first += sizes[last];
        std::size_t axis = last;
        for (;;) {
            if (axis == 0)
                return;
            --axis;
            ++index[axis];
            for (std::size_t k = 0; k < N; ++k)
                offsets[k] += steps[k][axis];
            if (index[axis] < sizes[axis])
                break;
            for (std::size_t k = 0; k < N; ++k)
                offsets[k] -= steps[k][axis] * sizes[axis];
            index[axis] = 0;
        }
    }
}

// The broadcast shape of inputs [from, to) in terms, or the error that they do not fit.
Result<Shape> broadcastInputs(const InferenceContext& context, std::size_t from, std::size_t to);
// Known shapes of the tensors, or the error of the node.
Result<Sizes> broadcastTensors(const KernelContext& context, std::span<const Tensor* const> tensors);

} // namespace fusescope
