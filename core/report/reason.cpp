#include "report/reason.h"

#include <array>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 6> fixIds = {
    "freeze-initializers", "inference-batchnorm", "inference-dropout",
    "drop-noop",           "duplicate-producer",  "drop-output"};

} // namespace

std::string_view idOf(FixKind kind)
{
    return fixIds[static_cast<std::size_t>(kind)];
}

std::optional<FixKind> fixFromId(std::string_view id)
{
    for (std::size_t i = 0; i < fixIds.size(); ++i) {
        if (fixIds[i] == id)
            return static_cast<FixKind>(i);
    }
    return std::nullopt;
}

} // namespace fusescope
