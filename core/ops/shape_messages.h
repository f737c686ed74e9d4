#pragma once

#include "base/message.h"

namespace fusescope {

// Sentences of shapes that do not fit; each is wrapped by context.wrong(…).
inline Message cannotBroadcastTo(std::string from, std::string to) // one way
{
    return Message("ops.broadcast-to", {{"from", std::move(from)}, {"to", std::move(to)}});
}

inline Message innerSizesDiffer(std::string a, std::string b) // of matrices to multiply
{
    return Message("ops.inner-sizes", {{"a", std::move(a)}, {"b", std::move(b)}});
}

// `input` counts from 0.
inline Message indexOutOfRange(std::size_t input, std::int64_t index, std::int64_t size)
{
    return Message("ops.input-out-of-range", {{"input", static_cast<std::int64_t>(input) + 1},
                                              {"index", index},
                                              {"size", size}});
}

} // namespace fusescope
