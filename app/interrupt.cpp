#include "app/interrupt.h"

#include "app/exit_status.h"
#include "session/unfinished.h"

#include <cerrno>
#include <csignal>
#include <ctime>
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
        while (::sigwaitinfo(&set, nullptr) < 0) {
        }
        if (m_ending)
            return;
        m_source.request_stop();
        constexpr timespec patience{2, 0};
        while (::sigtimedwait(&set, nullptr, &patience) < 0 && errno == EINTR) {
        }
        if (m_ending)
            return;
        removeUnfinishedFiles();
        ::_exit(static_cast<int>(ExitStatus::cancelled));
    });
}

Interrupt::~Interrupt()
{
    m_ending = true;
    ::pthread_kill(m_waiter.native_handle(), SIGTERM); // it waits for one
    m_waiter.join();
}

} // namespace fusescope
