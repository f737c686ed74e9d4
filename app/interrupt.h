#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace fusescope {

// Turns Ctrl+C and a polite kill into a stop request. Make it before any other thread, so that all
// inherit the blocked signals. A second Ctrl+C ends the program at once, and so does a first one
// that nothing has answered for two seconds: no single kernel keeps a terminal waiting.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::atomic<bool> m_ending = false;
    std::thread m_waiter;
};

} // namespace fusescope
