#include "fuzz/watched_run.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>

using Clock = std::chrono::steady_clock;

// The address sanitizer ends the program where more is allocated at once than any case may use.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options()
{
    return "max_allocation_size_mb=512:hard_rss_limit_mb=3000:detect_leaks=0";
}
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options()
{
    return "print_stacktrace=1";
}

namespace fusescope::test {

namespace {

// What the child tells the parent.
struct Shared
{
    std::atomic<std::uint64_t> at; // the case that runs
    std::atomic<std::uint64_t> done, ran, findings;
};

void work(const WatchedRun& run, Shared& shared, std::uint64_t from, Clock::time_point end)
{
    for (std::uint64_t at = from;; ++at) {
        if (Clock::now() >= end || (run.cases > 0 && at >= run.cases))
            return;
        shared.at = at;
        const WatchedRun::Outcome outcome = run.run(at);
        shared.findings += outcome.good ? 0 : 1;
        shared.ran += outcome.ran ? 1 : 0;
        ++shared.done;
    }
}

double cpuSecondsOf(pid_t process)
{
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Waits for the child; kills it when one case takes a minute. False when it did not end by itself.
bool watch(pid_t child, const WatchedRun& run, Shared& shared, WatchedTotals& totals,
           std::string& how)
{
    std::uint64_t seen = ~std::uint64_t{0};
    auto since = Clock::now();
    double cpuSince = 0;
    bool slow = false;
    for (;;) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) {
            how = WIFSIGNALED(status) ? fmt::format("DIED of signal {}", WTERMSIG(status)) : "DIED";
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        const std::uint64_t at = shared.at;
        const auto now = Clock::now();
        if (at != seen) {
            seen = at;
            since = now;
            cpuSince = cpuSecondsOf(child);
            slow = false;
        } else if (!slow && cpuSecondsOf(child) - cpuSince > 5) {
            slow = true;
            ++totals.slow;
            fmt::print("SLOW {}: over 5 s\n", run.nameOf(at));
            std::fflush(stdout);
        } else if (now - since > std::chrono::seconds(60)) {
            how = "HANGS";
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

} // namespace

// The address sanitizer reserves far more than it uses, and has a limit of its own.
void limitMemory()
{
#if !defined(__SANITIZE_ADDRESS__)
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

std::string WatchedTotals::text() const
{
    return fmt::format("{} cases, {} gave a result; {} with findings, {} died, {} over 5 s", done, ran,
                       findings, died, slow);
}

WatchedTotals runWatched(const WatchedRun& run)
{
    WatchedTotals totals;
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    if (memory == MAP_FAILED) {
        totals.died = 1;
        return totals;
    }
    auto& shared = *new (memory) Shared{};
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(run.minutes * 60));
    for (std::uint64_t from = 0;; from = shared.at + 1) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            limitMemory();
            work(run, shared, from, end);
            std::fflush(stdout);
            _exit(0);
        }
        std::string how;
        if (watch(child, run, shared, totals, how))
            break;
        ++totals.died;
        fmt::print("{} {}\n", how, run.nameOf(shared.at));
    }
    totals.done = shared.done;
    totals.ran = shared.ran;
    totals.findings = shared.findings;
    munmap(memory, sizeof(Shared));
    return totals;
}

} // namespace fusescope::test
