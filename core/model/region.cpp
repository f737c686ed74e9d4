#include "model/region.h"

#include <array>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 6> names = {"main",       "bias",   "residual",
                                                   "activation", "concat", "part"};

} // namespace

std::string_view nameOf(Role role)
{
    return names[static_cast<std::size_t>(role)];
}

std::optional<Role> roleFromName(std::string_view name)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name)
            return static_cast<Role>(i);
    }
    return std::nullopt;
}

} // namespace fusescope
