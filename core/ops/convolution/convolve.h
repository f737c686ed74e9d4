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

// sum[o] += Σ x[c, o·s + k·d − p]·w[c, k] over `channels` planes of x and of w.
template <class Acc>
void convolvePlanes(const ConvolutionShape& shape, const Acc* x, const Acc* w,
                    std::int64_t channels, Acc* sum)
{
    const std::int64_t plane = productOf(shape.input);
    const std::int64_t taps = productOf(shape.window.kernel);
    for (std::int64_t c = 0; c < channels; ++c) {
        forEachTap(shape.window.kernel, [&](std::int64_t k, std::span<const std::int64_t> tap) {
            const Acc weight = w[c * taps + k];
            const Acc* from = x + c * plane;
            forEachTapRun(shape, shape.output, shape.input, tap,
                          [&](std::int64_t o, std::int64_t i, std::int64_t count,
                              std::int64_t step) {
                              Acc* to = sum + o;
                              const Acc* source = from + i;
                              if (step == 1) {
                                  for (std::int64_t j = 0; j < count; ++j)
                                      to[j] += weight * source[j];
                              } else {
                                  for (std::int64_t j = 0; j < count; ++j)
                                      to[j] += weight * source[j * step];
                              }
                          });
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
