#pragma once

#include "ops/kernel.h"

namespace fusescope {

// Work inside a library's call or a recursion that a stop must end: it polls, and the poll throws
// out of it. Nothing but stoppable() below sees the exception.
class StopPoll
{
public:
    struct Stopped
    {
    };

    explicit StopPoll(const KernelContext& context) : m_context(context) {}
    void operator()()
    {
        if ((++m_calls & 0xFFFF) == 0 && m_context.stopRequested())
            throw Stopped{};
    }

private:
    const KernelContext& m_context;
    std::uint32_t m_calls = 0;
};

// Runs work(); cancelled() when a poll in it met the stop.
template <class Work>
Result<void> stoppable(Work work)
{
    try {
        work();
    } catch (const StopPoll::Stopped&) {
        return cancelled();
    }
    return {};
}

} // namespace fusescope
