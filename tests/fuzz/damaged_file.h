#pragma once

#include <cstdint>
#include <string>

namespace fusescope::test {

// A model file with one to four faults, the same for the same seed: some of its bytes (changed,
// dropped, put in, cut off, moved), more of its records (dropped, doubled, exchanged, put in the place
// of others of their kind; numbers at their limits, other names, other operators) with all lengths
// right, so that it is still read.
std::string damagedFile(const std::string& good, std::uint64_t seed);

} // namespace fusescope::test
