#include "exec/kernels/threadpool.h"

#include <chrono>
#include <hwy/cache_control.h>
#include <thread>
#include <vector>

namespace fusescope::kernels {

namespace {

constexpr auto kSpin = std::chrono::microseconds(20);

// Which pool's chunk the thread is working on, for calls from inside a chunk.
struct Current
{
    const ThreadPool* pool = nullptr;
    int worker = 0;
};
thread_local Current t_current;

// Waits until `value` differs from `old`: spinning first, then asleep.
void await(const std::atomic<std::uint32_t>& value, std::uint32_t old)
{
    const auto until = std::chrono::steady_clock::now() + kSpin;
    do {
        for (int i = 0; i < 64; ++i) {
            if (value.load(std::memory_order_acquire) != old)
                return;
            hwy::Pause();
        }
    } while (std::chrono::steady_clock::now() < until);
    value.wait(old, std::memory_order_acquire);
}

} // namespace

struct ThreadPool::Team
{
    std::atomic<std::uint32_t> generation{0};
    std::atomic<std::uint32_t> pending{0};
    bool quit = false;
    Call call = nullptr;
    void* context = nullptr;
    std::int64_t chunks = 0;
    std::vector<std::thread> threads;
};

constexpr int mostThreads = 256;

ThreadPool::ThreadPool(int threads)
{
    setThreads(threads);
}

ThreadPool::~ThreadPool()
{
    setThreads(1);
}

void ThreadPool::setThreads(int threads)
{
    if (threads < 1)
        threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    threads = std::min(threads, mostThreads);
    if (threads == m_threads)
        return;
    if (m_team) {
        m_team->quit = true;
        m_team->generation.fetch_add(1, std::memory_order_release);
        m_team->generation.notify_all();
        for (std::thread& thread : m_team->threads)
            thread.join();
        m_team.reset();
    }
    m_threads = threads;
    if (threads == 1)
        return;
    m_team = std::make_unique<Team>();
    m_team->threads.reserve(static_cast<std::size_t>(threads - 1));
    for (int worker = 1; worker < threads; ++worker)
        m_team->threads.emplace_back([this, worker] { work(worker); });
}

void ThreadPool::work(int worker)
{
    Team& team = *m_team;
    for (std::uint32_t seen = 0;; ++seen) {
        await(team.generation, seen);
        if (team.quit)
            return;
        share(team.chunks, team.context, team.call, worker, m_threads);
        if (team.pending.fetch_sub(1, std::memory_order_acq_rel) == 1)
            team.pending.notify_one();
    }
}

void ThreadPool::share(std::int64_t chunks, void* context, Call call, int worker, int workers) const
{
    const std::int64_t rank = workers == 1 ? 0 : worker;
    const std::int64_t end = chunks * (rank + 1) / workers;
    const Current outer = t_current;
    t_current = {this, worker};
    for (std::int64_t chunk = chunks * rank / workers; chunk < end && !stopped(); ++chunk)
        call(context, chunk, worker);
    t_current = outer;
}

bool ThreadPool::run(std::int64_t chunks, void* context, Call call)
{
    const bool nested = t_current.pool == this;
    if (m_threads == 1 || chunks <= 1 || nested) {
        share(chunks, context, call, nested ? t_current.worker : 0, 1);
        return !stopped();
    }
    Team& team = *m_team;
    team.call = call;
    team.context = context;
    team.chunks = chunks;
    team.pending.store(static_cast<std::uint32_t>(m_threads - 1), std::memory_order_relaxed);
    team.generation.fetch_add(1, std::memory_order_release);
    team.generation.notify_all();
    share(chunks, context, call, 0, m_threads);
    while (const std::uint32_t left = team.pending.load(std::memory_order_acquire))
        await(team.pending, left);
    return !stopped();
}

} // namespace fusescope::kernels
