#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace fusescope::kernels {

/// A persistent team of threads of which the caller is always worker 0. Idle workers spin for about
/// 20 microseconds, then park. One executor owns one pool; only one thread may call at a time.
class ThreadPool
{
public:
    /// `threads` counts the caller; values below 1 mean one thread per core.
    explicit ThreadPool(int threads = 1);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return m_threads; }
    /// Stops and starts workers; not to be called from inside parallelFor().
    void setThreads(int threads);

    /// While `flag` is true no further chunk is begun. It must outlive its use; null for none.
    void setStopFlag(const std::atomic<bool>* flag) { m_stop = flag; }
    bool stopped() const { return m_stop && m_stop->load(std::memory_order_relaxed); }

    /// Calls fn(chunk, worker) once for every chunk in [0, chunks), worker in [0, threads()).
    /// Worker w gets the contiguous share [chunks*w/T, chunks*(w+1)/T), in ascending order. Returns
    /// when all is done; false if the stop flag cut it short. `fn` must not throw. A call from
    /// inside `fn` runs on the calling worker alone.
    template <class Fn>
    bool parallelFor(std::int64_t chunks, Fn&& fn)
    {
        using Plain = std::remove_reference_t<Fn>;
        return run(chunks, const_cast<void*>(static_cast<const void*>(std::addressof(fn))),
                   [](void* context, std::int64_t chunk, int worker) {
                       (*static_cast<Plain*>(context))(chunk, worker);
                   });
    }

private:
    using Call = void (*)(void*, std::int64_t, int);
    struct Team;

    bool run(std::int64_t chunks, void* context, Call call);
    void share(std::int64_t chunks, void* context, Call call, int worker, int workers) const;
    void work(int worker);

    int m_threads = 1;
    const std::atomic<bool>* m_stop = nullptr;
    std::unique_ptr<Team> m_team;
};

} // namespace fusescope::kernels
