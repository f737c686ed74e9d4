#pragma once

#include "ops/element_map.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fusescope {

// finish(m, n, Σ_k a(m, k)·b(k, n)) for every m and n, summed in Acc: double for floats, else whole
// numbers that wrap. Columns are
// taken in tiles that stay in the cache while the rows pass by. False when stopped.
template <class Acc, class A, class B, class Finish>
bool multiply(const KernelContext& context, std::int64_t rows, std::int64_t columns,
              std::int64_t depth, const A& a, const B& b, const Finish& finish)
{
    constexpr std::int64_t tile = 256, block = 4;
    std::vector<Acc> right(static_cast<std::size_t>(depth * std::min(tile, columns)));
    std::vector<Acc> left(static_cast<std::size_t>(block * depth));
    std::vector<Acc> sums(static_cast<std::size_t>(block * tile));
    for (std::int64_t n0 = 0; n0 < columns; n0 += tile) {
        const std::int64_t width = std::min(tile, columns - n0);
        for (std::int64_t k = 0; k < depth; ++k) {
            for (std::int64_t n = 0; n < width; ++n)
                right[static_cast<std::size_t>(k * width + n)] = b(k, n0 + n);
        }
        for (std::int64_t m0 = 0; m0 < rows; m0 += block) {
            if (context.stopRequested())
                return false;
            const std::int64_t height = std::min(block, rows - m0);
            std::fill(sums.begin(), sums.end(), Acc{0});
            for (std::int64_t m = 0; m < height; ++m) {
                for (std::int64_t k = 0; k < depth; ++k)
                    left[static_cast<std::size_t>(m * depth + k)] = a(m0 + m, k);
            }
            for (std::int64_t k = 0; k < depth; ++k) {
                const Acc* row = right.data() + k * width;
                for (std::int64_t m = 0; m < height; ++m) {
                    const Acc factor = left[static_cast<std::size_t>(m * depth + k)];
                    Acc* sum = sums.data() + m * tile;
                    for (std::int64_t n = 0; n < width; ++n)
                        sum[n] = wrappingAdd(sum[n], wrappingMul(factor, row[n]));
                }
            }
            for (std::int64_t m = 0; m < height; ++m) {
                for (std::int64_t n = 0; n < width; ++n)
                    finish(m0 + m, n0 + n, sums[static_cast<std::size_t>(m * tile + n)]);
            }
        }
    }
    return true;
}

} // namespace fusescope
