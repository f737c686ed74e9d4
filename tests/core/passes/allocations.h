#pragma once

#include <cstddef>

namespace fusescope::test {

// How often this program asked for memory so far, on all threads: what a test counts where time would
// tell of the machine.
std::size_t allocations();

} // namespace fusescope::test
