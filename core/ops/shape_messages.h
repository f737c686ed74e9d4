#pragma once

#include "base/message.h"

namespace fusescope {

// Sentences of inputs that do not fit, which count from 0; each is wrapped by context.wrong(…).
inline Message unfitShape(TextId text, std::size_t input, std::string found, std::string expected)
{
    return Message(text, {{"input", static_cast<std::int64_t>(input) + 1},
                          {"found", std::move(found)},
                          {"expected", std::move(expected)}});
}

inline Message cannotBroadcast(std::size_t input, std::string found, std::string with)
{
    return unfitShape("ops.broadcast", input, std::move(found), std::move(with));
}

inline Message cannotBroadcastTo(std::size_t input, std::string found, std::string to) // one way
{
    return unfitShape("ops.broadcast-to", input, std::move(found), std::move(to));
}

// Of the second of two matrices to multiply.
inline Message innerSizesDiffer(std::size_t input, std::string found, std::string with)
{
    return Message("ops.inner-sizes", {{"input", static_cast<std::int64_t>(input) + 1},
                                       {"found", std::move(found)},
                                       {"other", std::move(with)}});
}

inline Message indexOutOfRange(std::size_t input, std::int64_t index, std::int64_t size)
{
    return Message("ops.input-out-of-range", {{"input", static_cast<std::int64_t>(input) + 1},
                                              {"index", index},
                                              {"size", size}});
}

} // namespace fusescope
