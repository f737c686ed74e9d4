#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fusescope::test {

// One case after the other in a child process: when it dies, or one case takes a minute, the parent
// says at which case and goes on behind it. A case that takes the processor over 5 s is told as well.
struct WatchedRun
{
    double minutes = 1;
    std::uint64_t cases = 0; // 0: as many as the minutes allow
    std::function<std::string(std::uint64_t at)> nameOf;
    // What the case came to.
    struct Outcome
    {
        bool good = true; // no findings
        bool ran = false; // it gave a result
    };
    std::function<Outcome(std::uint64_t at)> run;
};

struct WatchedTotals
{
    std::uint64_t done = 0, ran = 0, findings = 0, died = 0, slow = 0;

    bool areGood() const { return findings == 0 && died == 0 && slow == 0; }
    std::string text() const;
};

WatchedTotals runWatched(const WatchedRun& run);

// Keeps what runs from taking more memory than any case may use.
void limitMemory();

} // namespace fusescope::test
