#pragma once

#include "model/graph.h"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace fusescope {

// The function that a body lies in, or is; none for what belongs to the main graph.
BodyId functionAround(const Graph& graph, BodyId body);

// How many nodes calls of model-local functions come to when all calls inside are opened as well.
// Functions that call functions can double at every level: a file of a few lines then stands for
// more nodes than can be counted one by one, so whoever opens or runs calls asks here first.
class CallSizes
{
public:
    // More nodes than any model; what is counted stops there.
    static constexpr std::int64_t most = std::int64_t{1} << 40;
    // The most nodes that opening all calls of a model may come to.
    static constexpr std::int64_t openable = 200'000;
    // The most that a run may have to visit.
    static constexpr std::int64_t runnable = 2'000'000;

    explicit CallSizes(const Graph& graph);

    // Nodes of one call; nothing for functions that call themselves, and those that call such.
    std::optional<std::int64_t> nodesOf(BodyId function) const;
    // The most nodes that one call may come to, so that all calls of the model that come to no more
    // together stay within `openable`.
    std::int64_t limit() const { return m_limit; }
    // An error that names the first call outside functions with which the calls of the model come to
    // more than `runnable` nodes.
    Result<void> checkRunnable() const;

private:
    std::unordered_map<BodyId, std::int64_t> m_sizes; // −1: calls itself
    std::int64_t m_limit = openable;
    NodeId m_tooLarge;
};

// How many nodes of a model call each function, wherever they stand: counted once, then kept by the
// patches, so that nobody looks through the model for the last call.
class CallCounts
{
public:
    CallCounts() = default;
    explicit CallCounts(const Graph& graph);

    // Takes in a patch that led to `after`.
    void apply(const Graph& after, const GraphPatch& patch);
    std::int64_t of(BodyId function) const;

private:
    std::unordered_map<BodyId, std::int64_t> m_counts;
};

} // namespace fusescope
