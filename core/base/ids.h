#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace fusescope {

// A strong index. 0 is "absent"; ids are never reused within a model.
template <class Tag>
struct Id
{
    std::uint32_t value = 0;

    constexpr explicit operator bool() const { return value != 0; }
    constexpr auto operator<=>(const Id&) const = default;
};

using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using BodyId = Id<struct BodyTag>;

} // namespace fusescope

template <class Tag>
struct std::hash<fusescope::Id<Tag>>
{
    std::size_t operator()(fusescope::Id<Tag> id) const noexcept
    {
        return std::hash<std::uint32_t>{}(id.value);
    }
};
