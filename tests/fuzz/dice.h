#pragma once

#include <cstdint>
#include <iterator>
#include <span>

namespace fusescope::test {

// Random numbers that are the same on every machine (SplitMix64).
class Dice
{
public:
    explicit Dice(std::uint64_t seed) : m_state(seed * 0xD1342543DE82EF95ULL + 1) {}

    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next() % limit; }
    bool chance(unsigned percent) { return below(100) < percent; }
    std::int64_t between(std::int64_t low, std::int64_t high) // both included
    {
        return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    template <class List>
    auto pick(const List& list)
    {
        return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
    }

private:
    std::uint64_t m_state;
};

} // namespace fusescope::test
