#pragma once

#include "model/graph.h"

#include <string>

namespace fusescope::support {

// What differs first between two graphs of equal ids: records compared by their contents, tensors
// by their bits. Empty when nothing does. Doc strings and the metadata of nodes are not compared.
std::string differenceOf(const Graph& a, const Graph& b);

} // namespace fusescope::support
