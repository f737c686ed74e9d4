#pragma once

#include <span>
#include <string_view>

namespace fusescope::test {

// A small model in which one condition of a rule does not hold.
struct ReachModel
{
    std::string_view condition; // "condition.group"
    std::string_view text;      // for parseGraph()
};

std::span<const ReachModel> reachModels();

} // namespace fusescope::test
