#pragma once

#include "ops/window.h"

namespace fusescope {

// A convolution of one group's planes, in the arithmetic of Acc: double for floats, a 64-bit integer
// for integers. The planes lie one after the other.
struct ConvolutionShape
{
    Window window; // pads resolved
    std::vector<std::int64_t> input, output;
};

// Calls f(walkOffset, otherOffset, count, otherStep) for each run along the last axis of positions
// that a kernel tap joins: the walking side steps by 1, the other one by the last stride.
template <class F>
void forEachTapRun(const ConvolutionShape& shape, std::span<const std::int64_t> walking,
                   std::span<const std::int64_t> other, std::span<const std::int64_t> tap, F&& f)
{
    const std::size_t rank = tap.size();
    const auto walk = [&](const auto& self, std::size_t axis, std::int64_t a,
                          std::int64_t b) -> void {
        const std::int64_t stride = shape.window.strides[axis];
        const std::int64_t shift =
            tap[axis] * shape.window.dilations[axis] - shape.window.padBegin[axis];
        const TapRange range = tapRange(shift, stride, other[axis], walking[axis]);
        if (range.first >= range.last)
            return;
        if (axis + 1 == rank) {
            f(a * walking[axis] + range.first, b * other[axis] + range.first * stride + shift,
              range.last - range.first, stride);
            return;
        }
        for (std::int64_t i = range.first; i < range.last; ++i)
            self(self, axis + 1, a * walking[axis] + i, b * other[axis] + i * stride + shift);
    };
    walk(walk, 0, 0, 0);
}

// Calls f(index, tap) for each tap of the kernel in row-major order.
template <class F>
void forEachTap(std::span<const std::int64_t> kernel, F&& f)
{
    std::vector<std::int64_t> tap(kernel.size(), 0);
    for (std::int64_t index = 0;; ++index) {
        f(index, std::span<const std::int64_t>(tap));
        std::size_t axis = kernel.size();
        for (;;) {
            if (axis == 0)
                return;
            --axis;
            if (++tap[axis] < kernel[axis])
                break;
            tap[axis] = 0;
        }
    }
}

// sum[o] += Σ x[c, o·s + k·d − p]·w[c, k] over `channels` planes of x and of w. Four planes at a time,
// so that the sums pass through the cache once for them all.
template <class Acc>
void convolvePlanes(const ConvolutionShape& shape, const Acc* x, const Acc* w,
                    std::int64_t channels, Acc* sum)
{
    const std::int64_t plane = productOf(shape.input);
    const std::int64_t taps = productOf(shape.window.kernel);
    const auto eachRun = [&](const auto& add) {
        forEachTap(shape.window.kernel, [&](std::int64_t k, std::span<const std::int64_t> tap) {
            forEachTapRun(shape, shape.output, shape.input, tap,
                          [&](std::int64_t o, std::int64_t i, std::int64_t count,
                              std::int64_t step) { add(k, sum + o, i, count, step); });
        });
    };
    std::int64_t c = 0;
    for (; c + 4 <= channels; c += 4) {
        const Acc* planes = x + c * plane;
        const Acc* weights = w + c * taps;
        eachRun([&](std::int64_t k, Acc* to, std::int64_t i, std::int64_t count,
                    std::int64_t step) {
            const Acc w0 = weights[k], w1 = weights[taps + k];
            const Acc w2 = weights[2 * taps + k], w3 = weights[3 * taps + k];
            const Acc *x0 = planes + i, *x1 = x0 + plane, *x2 = x1 + plane, *x3 = x2 + plane;
            if (step == 1) {
                for (std::int64_t j = 0; j < count; ++j)
                    to[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j];
            } else {
                for (std::int64_t j = 0, at = 0; j < count; ++j, at += step)
                    to[j] += w0 * x0[at] + w1 * x1[at] + w2 * x2[at] + w3 * x3[at];
            }
        });
    }
    for (; c < channels; ++c) {
        eachRun([&](std::int64_t k, Acc* to, std::int64_t i, std::int64_t count,
                    std::int64_t step) {
            const Acc weight = w[c * taps + k];
            const Acc* from = x + c * plane + i;
            for (std::int64_t j = 0; j < count; ++j)
                to[j] += weight * from[j * step];
        });
    }
}

// A window that touches each position once, whatever the axes: one long axis is faster.
inline ConvolutionShape flattened(ConvolutionShape shape)
{
    const auto& window = shape.window;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        if (window.kernel[i] != 1 || window.strides[i] != 1 || window.padBegin[i] != 0 ||
            shape.input[i] != shape.output[i])
            return shape;
    }
    const std::int64_t size = productOf(shape.input);
    return {Window{{1}, {1}, {1}, {0}, {0}, Window::AutoPad::explicitPads, false}, {size}, {size}};
}

} // namespace fusescope
