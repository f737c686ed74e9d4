#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fusescope::test {

struct FileCheckOptions
{
    std::int64_t memoryLimit = std::int64_t{64} << 20;
    std::int64_t maxTrips = 500;
    int maxSteps = 400;
    int milliseconds = 1500; // after which what still runs is stopped
};

struct FileCheckResult
{
    std::vector<std::string> findings; // what must not be, as sentences
    bool opened = false;
    bool ran = false; // by the reference executor, as opened
    int steps = 0;
};

// Opens a file from memory, infers, validates, optimizes, explains, lowers, writes, reads back, and
// runs what was opened, what was optimized and what was read back, plain and fast. Findings: an
// exception; an error without words; a graph that a rewrite breaks; a written file that cannot be read
// or has errors that the opened one had not; what runs before and not after, or gives something else;
// a fast plan that runs where the reference refuses, or the other way round. Crashes are for the
// sanitizers to see.
FileCheckResult checkFile(const std::string& bytes, const FileCheckOptions& options = {});

} // namespace fusescope::test
