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

} // namespace fusescope
