#include "report/step.h"

#include <array>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 5> stageIds = {"fixes", "inline", "folding", "dead-code",
                                                      "fusion"};

} // namespace

std::string_view idOf(Stage stage)
{
    return stageIds[static_cast<std::size_t>(stage)];
}

std::optional<Stage> stageFromId(std::string_view id)
{
    for (std::size_t i = 0; i < stageIds.size(); ++i) {
        if (stageIds[i] == id)
            return static_cast<Stage>(i);
    }
    return std::nullopt;
}

} // namespace fusescope
