#include "patterns/pattern.h"

namespace fusescope {

NodeId Match::node(std::string_view role) const
{
    for (const auto& [name, id] : nodes) {
        if (name == role)
            return id;
    }
    return {};
}

ValueId Match::value(std::string_view role) const
{
    for (const auto& [name, id] : values) {
        if (name == role)
            return id;
    }
    return {};
}

} // namespace fusescope
