#pragma once

#include <cstdint>
#include <string>

namespace fusescope::test {

// A graph of 5 to 60 nodes as text, the same for the same seed: what random_graph_families.h lists,
// with what hinders its rewriting here and there (second readers, outputs between, values computed
// at run time, weights and numbers that a caller may replace, calls of local functions). All data
// between the families has shape [N, C, 6, 6]; N is a symbol in every second graph. With another
// `order`, the same graph with its nodes in another order.
std::string randomGraph(std::uint64_t seed, std::uint64_t order = 0);

} // namespace fusescope::test
