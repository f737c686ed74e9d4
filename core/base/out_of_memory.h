#pragma once

#include "base/result.h"

#include <new>
#include <type_traits>
#include <utility>

namespace fusescope {

// What `work` gives, or that there is not enough memory for it: sizes are checked before memory is
// taken, but a machine may have less than a run may use.
template <class Work>
std::invoke_result_t<Work> withinMemory(Work&& work)
{
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::failed, Message("base.out-of-memory"));
    }
}

} // namespace fusescope
