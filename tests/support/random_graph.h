#pragma once

#include <cstdint>
#include <string>

namespace fusescope::test {

// A graph of 5 to 60 nodes as text, the same for the same seed: convolutions, batch normalizations,
// scales, biases, residual additions, activations and normalizations written out, joins, paddings,
// casts, transposes, reshapes, constants to fold, Ifs with constant conditions, duplicates and dead
// nodes, with what hinders their rewriting here and there (second readers, outputs between, values
// computed at run time, weights that a caller may replace). All data has shape [N, C, 6, 6]; N is a symbol in every second graph.
std::string randomGraph(std::uint64_t seed);

} // namespace fusescope::test
