#pragma once

#include "base/result.h"
#include "report/render.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fmt/core.h>

namespace fusescope::bench {

// A benchmark ends where something fails: its sentence on stderr, exit 1.
inline void must(const Result<void>& result)
{
    if (!result) {
        fmt::print(stderr, "{}\n", render(result.error().message, nullptr));
        std::exit(1);
    }
}

template <class T>
T must(Result<T> result)
{
    if (!result)
        must(Result<void>(tl::unexpected(result.error())));
    return *std::move(result);
}

inline double wallSeconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

inline double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace fusescope::bench
