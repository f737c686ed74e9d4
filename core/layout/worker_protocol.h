#pragma once

#include <cstdint>

// What the library and its worker say to each other through one pair of pipes, both on this
// machine: plain numbers in the machine's own order. The worker answers requests one by one until
// its input ends. A request that takes more than its processor time ends the worker.
namespace fusescope::layout {

inline constexpr std::uint32_t requestMagic = 0x51'4c'53'46;
inline constexpr std::uint32_t answerMagic = 0x41'4c'53'46;
inline constexpr std::uint32_t maxNodes = 20'000;
inline constexpr std::uint32_t maxEdges = 100'000;
inline constexpr std::uint32_t maxPoints = 4'000'000; // of all curves of an answer
// Graphviz refuses, silently, to keep boxes apart whose half widths add up to more than 65,535.
inline constexpr float maxBoxSize = 60'000;
// A counter inside Graphviz 2.42 wraps after 85 layouts with rows of their own and then corrupts
// memory, so a worker is replaced before.
inline constexpr int layoutsPerWorker = 80;

// Followed by: width and height of each node (float), from and to of each edge (uint32), weight of
// each edge (int32), the nodes of the top row and those of the bottom row (uint32).
struct RequestHeader
{
    std::uint32_t magic = requestMagic;
    std::uint32_t nodes = 0;
    std::uint32_t edges = 0;
    std::uint32_t top = 0;
    std::uint32_t bottom = 0;
    std::uint32_t ordered = 0;         // rows are in order from left to right
    std::uint32_t cpuMilliseconds = 0; // 0 for no limit
    float boxGap = 20;
    float rankGap = 24;
    float searchLimit = 0; // Graphviz' nslimit; 0 for none
};

// Followed, if status is 0, by: centre x and y of each node, y downwards (double), for each edge
// the number of its points (uint32, then for all edges together) and the points (double).
struct AnswerHeader
{
    std::uint32_t magic = answerMagic;
    std::uint32_t status = 0; // 0 drawn, 1 not drawn
    std::uint32_t nodes = 0;
    std::uint32_t edges = 0;
    std::uint32_t points = 0; // of all edges together
};

} // namespace fusescope::layout
