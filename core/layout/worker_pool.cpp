#include "layout/worker_pool.h"

#include "layout/worker_messages.h"
#include "layout/worker_protocol.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fusescope::layout {

namespace {

constexpr int poolSize = 2;
constexpr int failuresToGiveUp = 12;

std::string defaultWorker()
{
    if (const char* path = std::getenv("FUSESCOPE_LAYOUT_WORKER"); path != nullptr && *path != 0)
        return path;
    char buffer[4096];
    const ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer);
    if (length <= 0 || length == static_cast<ssize_t>(sizeof buffer))
        return "fusescope-layout";
    std::string path(buffer, static_cast<std::size_t>(length));
    path.resize(path.rfind('/') + 1);
    return path + "fusescope-layout";
}

} // namespace

std::unique_ptr<WorkerProcess> WorkerProcess::start(const std::string& path)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return nullptr;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t restored;
    sigemptyset(&none);
    sigemptyset(&restored);
    for (const int signal : {SIGPROF, SIGPIPE, SIGTERM, SIGINT, SIGSEGV})
        sigaddset(&restored, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &restored);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string name = path;
    char* arguments[] = {name.data(), nullptr};
    pid_t pid = 0;
    const int error = posix_spawn(&pid, path.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return nullptr;
    }
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, ends[0]));
}

WorkerProcess::~WorkerProcess()
{
    finish();
    close(m_socket);
}

bool WorkerProcess::finish()
{
    if (m_pid == 0)
        return false;
    int status = 0;
    kill(m_pid, SIGKILL);
    while (waitpid(m_pid, &status, 0) < 0) {
        if (errno != EINTR) {
            status = 0;
            break;
        }
    }
    m_pid = 0;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
}

std::shared_ptr<WorkerPool> WorkerPool::of(const std::string& path)
{
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<WorkerPool>> pools;
    const std::string program = path.empty() ? defaultWorker() : path;
    const std::lock_guard lock(mutex);
    std::shared_ptr<WorkerPool>& pool = pools[program];
    if (!pool)
        pool = std::make_shared<WorkerPool>(program);
    return pool;
}

std::unique_ptr<WorkerProcess> WorkerPool::acquire(const Limits& limits)
{
    std::unique_lock lock(m_mutex);
    const bool free = m_freed.wait_until(lock, limits.stop, limits.deadline,
                                         [this] { return m_running < poolSize; });
    if (!free || m_failures >= failuresToGiveUp)
        return nullptr;
    ++m_running;
    if (!m_idle.empty()) {
        std::unique_ptr<WorkerProcess> worker = std::move(m_idle.back());
        m_idle.pop_back();
        return worker;
    }
    lock.unlock();
    std::unique_ptr<WorkerProcess> worker = WorkerProcess::start(m_path);
    if (!worker) {
        lock.lock();
        --m_running;
        ++m_failures;
        m_freed.notify_one();
    }
    return worker;
}

void WorkerPool::release(std::unique_ptr<WorkerProcess> worker)
{
    if (worker && worker->layouts >= layoutsPerWorker)
        worker.reset();
    const std::lock_guard lock(m_mutex);
    --m_running;
    if (worker)
        m_idle.push_back(std::move(worker));
    m_freed.notify_one();
}

DrawOutcome WorkerPool::draw(const DrawRequest& request, const Limits& limits, Drawing& drawing)
{
    if (limits.late())
        return DrawOutcome::stopped;
    std::unique_ptr<WorkerProcess> worker = acquire(limits);
    if (!worker)
        return limits.late() ? DrawOutcome::stopped : DrawOutcome::failed;
    ++worker->layouts;
    const bool first = worker->layouts == 1;
    const std::string message = encodeRequest(request);
    const bool drawn = sendAll(worker->socket(), message, limits) &&
                       receiveAnswer(worker->socket(), request.piece, limits, drawing);
    const bool late = !drawn && limits.late();
    const bool overran = !drawn && worker->finish();
    if (!drawn)
        worker.reset();
    {
        const std::lock_guard lock(m_mutex);
        if (drawn)
            m_failures = 0;
        else if (first && !late && !overran)
            ++m_failures;
    }
    release(std::move(worker));
    if (drawn)
        return DrawOutcome::drawn;
    if (overran)
        return DrawOutcome::overran;
    return late ? DrawOutcome::stopped : DrawOutcome::failed;
}

} // namespace fusescope::layout
