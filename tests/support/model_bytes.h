#pragma once

#include <string>
#include <string_view>

namespace fusescope::test {

// The bytes of a model file written as text (model/graph_text.h). Ends the program on an error.
std::string modelBytes(std::string_view text);

} // namespace fusescope::test
