#pragma once

#include "base/ids.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fusescope {

// Names one sentence of the table in report/texts. Only string literals: the text outlives all.
struct TextId
{
    std::string_view key;

    constexpr TextId() = default;
    template <std::size_t N>
    consteval TextId(const char (&literal)[N]) : key(literal, N - 1)
    {
    }
    constexpr explicit operator bool() const { return !key.empty(); }
    constexpr bool operator==(const TextId&) const = default;
};

// Shapes and types are passed as text, nodes and values as ids so that a view can link them.
using MessageArg = std::variant<std::int64_t, double, std::string, NodeId, ValueId>;

// A sentence as data: rendered only when it is shown (report/render.h).
struct Message
{
    TextId text;
    std::vector<std::pair<std::string, MessageArg>> args;

    Message() = default;
    Message(TextId id) : text(id) {}
    Message(TextId id, std::vector<std::pair<std::string, MessageArg>> arguments)
        : text(id), args(std::move(arguments))
    {
    }

    explicit operator bool() const { return static_cast<bool>(text); }
    bool operator==(const Message&) const = default;
};

} // namespace fusescope
