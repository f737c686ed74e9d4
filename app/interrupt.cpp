#include "app/interrupt.h"

#include "app/exit_status.h"
#include "session/unfinished.h"

#include <csignal>
#include <unistd.h>

namespace fusescope {

namespace {

sigset_t awaited()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t set = awaited();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGXFSZ, SIG_IGN); // a file that grows past the limit is an error like a full disk
    m_waiter = std::thread([this, set] {
        while (true) {
            if (::sigwaitinfo(&set, nullptr) < 0)
                continue;
            if (m_ending)
                return;
            if (m_source.stop_requested()) {
                removeUnfinishedFiles();
                ::_exit(static_cast<int>(ExitStatus::cancelled));
            }
            m_source.request_stop();
        }
    });
}

Interrupt::~Interrupt()
{
    m_ending = true;
    ::pthread_kill(m_waiter.native_handle(), SIGTERM); // it waits for one
    m_waiter.join();
}

} // namespace fusescope
