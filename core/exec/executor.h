#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "model/graph.h"
#include "ops/runtime_value.h"
#include "report/run_profile.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace fusescope {

// Values for the main graph's inputs by name; initializers that are inputs may be left out.
using RunInputs = std::map<std::string, RuntimeValue>;

struct RunOptions
{
    std::uint64_t seed = 0;            // of random operators
    std::set<ValueId> keep;            // intermediates to give back
    std::int64_t memoryLimit = std::int64_t{8} << 30; // of all live values, checked before allocating
    std::int64_t maxTrips = 1'000'000; // of all loops together: a clear error past it
    std::stop_token stop;
    Progress progress;
    // Values given instead of computed (cut nodes); their producers do not run.
    std::unordered_map<ValueId, RuntimeValue> given;
    // Makes the outputs of a node of the main graph that has no kernel, from what it reads. Asked by
    // the reference executor alone.
    std::function<Result<std::vector<RuntimeValue>>(NodeId, const std::vector<RuntimeValue>&)>
        standIn;
};

struct RunResult
{
    std::vector<std::pair<std::string, RuntimeValue>> outputs; // in the order of the model
    std::unordered_map<ValueId, RuntimeValue> kept;
    PlanProfile profile; // one run: min = median = p90
};

// Plain, complete and slow: the oracle, and the evaluator of constant folding. Knows no regions: it
// runs their bodies.
class ReferenceExecutor
{
public:
    explicit ReferenceExecutor(Graph graph);

    Result<RunResult> run(const RunInputs& inputs, const RunOptions& options) const;

    // One node whose inputs are all constant.
    static Result<std::vector<RuntimeValue>> evaluate(const Graph& graph, NodeId node,
                                                      std::int64_t memoryLimit,
                                                      std::stop_token stop = {});

    // Nodes that cannot run: unknown operators, operators without a kernel.
    static std::vector<NodeId> nodesWithoutKernel(const Graph& graph);

private:
    Graph m_graph;
};

struct PlanOptions
{
    int threads = 1;      // 0: as many as the machine has
    bool fused = true;    // regions as one step; false: their bodies one by one, same kernels
    bool winograd = true;
    bool blockedLayout = true;
    bool profile = false;  // a NodeProfile for each step of each run
    bool poison = false;   // tests: what is dead in the arena is NaN
    std::int64_t memoryLimit = std::int64_t{8} << 30;
};

// Plans once for the shapes of the inputs it is given, then runs fast: kernels from ordered tables,
// best first, reference last; one arena; packed weights.
class FusedExecutor
{
public:
    // Takes the sizes from `example`; later runs with other sizes plan again by themselves.
    static Result<FusedExecutor> plan(Graph graph, const RunInputs& example,
                                      const PlanOptions& options, std::stop_token stop = {},
                                      const Progress& progress = {});
    ~FusedExecutor();
    FusedExecutor(FusedExecutor&&) noexcept;
    FusedExecutor& operator=(FusedExecutor&&) noexcept;

    Result<RunResult> run(const RunInputs& inputs, const RunOptions& options);

    std::int64_t arenaBytes() const;
    std::int64_t weightBytes() const;
    // What was chosen for each step, and what was rejected and why.
    struct StepInfo
    {
        NodeId node;
        std::string kernel, layout;
        std::vector<std::pair<std::string, Message>> rejected;
    };
    std::vector<StepInfo> steps() const;

private:
    struct State;
    FusedExecutor();
    std::unique_ptr<State> m_state;
};

// Times two or more plans interleaved on the same inputs: warm-up, then `repeat` rounds.
Result<std::vector<PlanProfile>> benchInterleaved(
    std::vector<std::pair<std::string, FusedExecutor*>> plans, const RunInputs& inputs, int repeat,
    std::stop_token stop = {}, const Progress& progress = {});

} // namespace fusescope
