// Random one-node graphs of every operator at every version; see CONTRIBUTING.md.
//
//   fuzz_operators [--minutes M] [--first SEED] [--op TYPE [--since N]] [--seed SEED [--print]]
//
// Cases run in a child process: when it dies or does not end, the parent says at which case and goes
// on behind it. With --seed one case runs in the program itself, under a debugger for example.
#include "fuzz/node_check.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

using namespace fusescope;
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

namespace {

struct Arguments
{
    double minutes = 1;
    std::uint64_t first = 0;
    std::uint64_t rounds = 0; // 0: as many as the minutes allow
    std::string_view op;
    int since = 0;
    bool one = false, print = false;
};

// What the child tells the parent.
struct Shared
{
    std::atomic<std::uint64_t> at;   // the case that runs: round * operators + operator
    std::atomic<std::uint64_t> done; // cases
    std::atomic<std::uint64_t> ran;  // of these, that gave a result
    std::atomic<std::uint64_t> findings;
};

std::vector<const OpSchema*> chosen(const Arguments& arguments)
{
    std::vector<const OpSchema*> schemas;
    for (const OpSchema& schema : allSchemas()) {
        if ((arguments.op.empty() || schema.name == arguments.op) &&
            (arguments.since == 0 || schema.sinceVersion == arguments.since))
            schemas.push_back(&schema);
    }
    return schemas;
}

std::string nameOf(const OpSchema& schema, std::uint64_t seed)
{
    return fmt::format("--op {} --since {} --seed {}", schema.name, schema.sinceVersion, seed);
}

bool runCase(const OpSchema& schema, std::uint64_t seed, bool print, bool* ran = nullptr)
{
    const auto made = test::randomNode(schema, seed);
    if (!made) {
        if (print)
            fmt::print("makes no graph\n");
        return true;
    }
    if (print)
        fmt::print("{}\n", test::textOf(*made));
    std::fflush(stdout);
    const test::CheckResult result = test::checkNode(*made);
    for (const std::string& finding : result.findings)
        fmt::print("FINDING {}: {}\n", nameOf(schema, seed), finding);
    if (print)
        fmt::print("{}\n", result.ran ? "runs" : result.error);
    std::fflush(stdout);
    if (ran)
        *ran = result.ran;
    return result.findings.empty();
}

void work(const std::vector<const OpSchema*>& schemas, const Arguments& arguments, Shared& shared,
          std::uint64_t from, Clock::time_point end)
{
    for (std::uint64_t at = from;; ++at) {
        const std::uint64_t seed = arguments.first + at / schemas.size();
        if (Clock::now() >= end || (arguments.rounds > 0 && at / schemas.size() >= arguments.rounds))
            return;
        shared.at = at;
        bool ran = false;
        if (!runCase(*schemas[at % schemas.size()], seed, false, &ran))
            ++shared.findings;
        ++shared.done;
        shared.ran += ran ? 1 : 0;
    }
}

// The address sanitizer reserves far more than it uses, and has a limit of its own.
void limitMemory()
{
#if !defined(__SANITIZE_ADDRESS__)
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

// Waits for the child; kills it when one case takes a minute. False when it did not end by itself.
bool watch(pid_t child, const std::vector<const OpSchema*>& schemas, const Arguments& arguments,
           Shared& shared, std::string& how)
{
    std::uint64_t seen = ~std::uint64_t{0};
    auto since = Clock::now();
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
            slow = false;
        } else if (!slow && now - since > std::chrono::seconds(5)) {
            slow = true;
            fmt::print("SLOW {}: over 5 s\n", nameOf(*schemas[at % schemas.size()],
                                                     arguments.first + at / schemas.size()));
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

int main(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (name == "--print") {
            arguments.print = true;
            continue;
        }
        ++i;
        if (name == "--minutes")
            arguments.minutes = std::atof(value);
        else if (name == "--rounds")
            arguments.rounds = std::strtoull(value, nullptr, 10);
        else if (name == "--first")
            arguments.first = std::strtoull(value, nullptr, 10);
        else if (name == "--op")
            arguments.op = value;
        else if (name == "--since")
            arguments.since = std::atoi(value);
        else if (name == "--seed") {
            arguments.first = std::strtoull(value, nullptr, 10);
            arguments.one = true;
        } else {
            fmt::print(stderr, "unknown option {}\n", name);
            return 2;
        }
    }
    const std::vector<const OpSchema*> schemas = chosen(arguments);
    if (schemas.empty()) {
        fmt::print(stderr, "no such operator\n");
        return 2;
    }
    if (arguments.one) {
        limitMemory();
        bool good = true;
        for (const OpSchema* schema : schemas)
            good = runCase(*schema, arguments.first, arguments.print) && good;
        return good ? 0 : 1;
    }

    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    if (memory == MAP_FAILED)
        return 2;
    auto& shared = *new (memory) Shared{};
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(arguments.minutes * 60));
    int died = 0;
    for (std::uint64_t from = 0;; from = shared.at + 1) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0) {
            limitMemory();
            work(schemas, arguments, shared, from, end);
            std::fflush(stdout);
            _exit(0);
        }
        std::string how;
        if (watch(child, schemas, arguments, shared, how))
            break;
        ++died;
        const std::uint64_t at = shared.at;
        fmt::print("{} {}\n", how, nameOf(*schemas[at % schemas.size()],
                                       arguments.first + at / schemas.size()));
    }
    fmt::print("{} cases of {} operators, {} gave a result; {} with findings, {} died\n",
               shared.done.load(), schemas.size(), shared.ran.load(), shared.findings.load(), died);
    return died == 0 && shared.findings == 0 ? 0 : 1;
}
