#pragma once

#include "layout/piece.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <sys/types.h>

namespace fusescope::layout {

// One worker process; killed and reaped when it is destroyed.
class WorkerProcess
{
public:
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    static std::unique_ptr<WorkerProcess> start(const std::string& path);

    // Ends it; true if it had ended itself because a request took too much processor time.
    bool finish();

    int layouts = 0;
    int socket() const { return m_socket; }

private:
    WorkerProcess(pid_t pid, int socket) : m_pid(pid), m_socket(socket) {}

    pid_t m_pid; // 0 once it is reaped
    int m_socket;
};

enum class DrawOutcome {
    drawn,
    overran, // took more processor time than the request allows
    failed,  // crashed, killed, not to be started, or answered nonsense
    stopped  // cancelled or past the deadline
};

struct DrawRequest
{
    const Piece& piece;
    Gaps gaps;
    float searchLimit = 0;
    int cpuMilliseconds = 0;
};

// Two warm workers for all threads of the program; a third caller waits. A worker that fails in any
// way is replaced. After a few failures to start in a row the pool gives up for good.
class WorkerPool
{
public:
    explicit WorkerPool(std::string path) : m_path(std::move(path)) {}

    // The one pool for this program file; an empty path stands for the default (see LayoutOptions).
    static std::shared_ptr<WorkerPool> of(const std::string& path);

    DrawOutcome draw(const DrawRequest& request, const Limits& limits, Drawing& drawing);

private:
    std::unique_ptr<WorkerProcess> acquire(const Limits& limits);
    void release(std::unique_ptr<WorkerProcess> worker);

    const std::string m_path;
    std::mutex m_mutex;
    std::condition_variable_any m_freed;
    std::vector<std::unique_ptr<WorkerProcess>> m_idle;
    int m_running = 0;
    int m_failures = 0; // answers that did not come, in a row
};

} // namespace fusescope::layout
