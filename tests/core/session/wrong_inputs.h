#pragma once

#include <string>

namespace fusescope::test {

// Runs each single operator below `root` with one input after the other of a wrong type and of a wrong
// rank. A line for each wrong type that is accepted, and for each error that does not name the node,
// or the input with what was expected and found. `refused` counts errors.
std::string wrongInputFaults(const std::string& root, int& refused);

} // namespace fusescope::test
