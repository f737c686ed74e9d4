#pragma once

#include "ops/kernel.h"

#include <cmath>
#include <numbers>

namespace fusescope {

// Random numbers as a function of (seed, node, index): no state, so an element does not depend on
// how many others were drawn, and every run with the same seed gives the same numbers. The bits
// are those of SplitMix64's output function over a counter that starts at a mix of seed and node.
// A node with a `seed` attribute uses the bits of that instead of the run's seed and its id.
class RandomNumbers
{
public:
    explicit RandomNumbers(const KernelContext& c);

    std::uint64_t bits(std::uint64_t index) const { return mix(m_start + index * golden); }
    // In [0, 1), with 53 bits.
    double uniform(std::uint64_t index) const
    {
        return static_cast<double>(bits(index) >> 11) * 0x1p-53;
    }
    // Mean 0, deviation 1, by Box and Muller's method; uses two indices of its own.
    double normal(std::uint64_t index) const
    {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(2 * index)));
        return radius * std::cos(2.0 * std::numbers::pi * uniform(2 * index + 1));
    }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    static constexpr std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t m_start;
};

} // namespace fusescope
