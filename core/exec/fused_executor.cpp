#include "base/out_of_memory.h"
#include "exec/bind_inputs.h"

#include "exec/executor.h"
#include "exec/fused/builder.h"
#include "model/origins.h"
#include "ops/call_sizes.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>

namespace fusescope {

namespace {

using fused::Compiled;
using fused::MemoryBlock;
using fused::Step;

constexpr std::size_t plansKept = 4;

// What a plan depends on: which inputs and cut values are given, and their types.
struct Signature
{
    std::vector<Type> arguments;
    std::vector<std::pair<ValueId, Type>> given;

    bool operator==(const Signature&) const = default;
};

Signature signatureOf(const std::vector<RuntimeValue>& arguments, const RunOptions& options)
{
    Signature signature;
    for (const RuntimeValue& argument : arguments)
        signature.arguments.push_back(argument.isPresent() ? argument.type() : Type());
    for (const auto& [id, value] : options.given)
        signature.given.emplace_back(id, value.type());
    std::ranges::sort(signature.given, {}, [](const auto& entry) { return entry.first; });
    return signature;
}

double milliseconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

void fill(std::byte* from, std::int64_t bytes)
{
    std::fill_n(from, bytes, std::byte{0xFF}); // a NaN in every float
}

} // namespace

struct FusedExecutor::State
{
    State(Graph g, const PlanOptions& o) : graph(std::move(g)), options(o), pool(o.threads) {}

    struct Entry
    {
        Signature signature;
        std::shared_ptr<Compiled> plan;
    };

    Result<std::shared_ptr<Compiled>> planFor(Signature signature, std::stop_token stop,
                                              const Progress& progress);
    Result<void> steps(const Compiled& plan, fused::RunState& state, const RunOptions& runOptions,
                       RunResult& result, std::vector<double>& times);
    // Runs once. `unexpected` is set where a result is of another type than was planned.
    Result<RunResult> attempt(std::vector<RuntimeValue> arguments, const RunOptions& runOptions,
                              ValueId& unexpected);
    void describe(const Compiled& plan, const std::vector<double>& times, double total,
                  PlanProfile& profile) const;
    void poisonDead(const Compiled& plan, int step);

    Graph graph;
    PlanOptions options;
    kernels::ThreadPool pool;
    MemoryBlock arena;
    std::list<Entry> plans; // the last used first
    std::set<ValueId> distrusted;
};

Result<std::shared_ptr<Compiled>>
FusedExecutor::State::planFor(Signature signature, std::stop_token stop, const Progress& progress)
{
    for (auto at = plans.begin(); at != plans.end(); ++at) {
        if (at->signature == signature) {
            plans.splice(plans.begin(), plans, at);
            return at->plan;
        }
    }
    fused::WalkRequest request;
    request.arguments = signature.arguments;
    request.given = signature.given;
    request.fused = options.fused;
    request.memoryLimit = options.memoryLimit;
    request.distrusted = distrusted;
    request.stop = stop;
    FUSESCOPE_ASSIGN(fused::Walked walked, fused::walk(graph, request));
    FUSESCOPE_ASSIGN(
        std::shared_ptr<Compiled> plan,
        fused::Builder(graph, std::move(walked), options, pool).build(std::move(stop), progress));
    if (arena.size() < plan->arenaBytes) {
        arena = {};
        arena = MemoryBlock::allocate(plan->arenaBytes);
        if (!arena)
            return fail(ErrorCode::failed,
                        Message("exec.memory-limit",
                                {{"needed", plan->arenaBytes}, {"limit", options.memoryLimit}}),
                        fused::largestNode(*plan));
    }
    plans.push_front({std::move(signature), plan});
    if (plans.size() > plansKept)
        plans.pop_back();
    return plan;
}

void FusedExecutor::State::poisonDead(const Compiled& plan, int step)
{
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const fused::Buffer& buffer = plan.buffers[i];
        if (buffer.inside == static_cast<int>(i) && buffer.last == step && buffer.place >= 0)
            fill(arena.data() + buffer.place, buffer.bytes);
    }
}

Result<void> FusedExecutor::State::steps(const Compiled& plan, fused::RunState& state,
                                         const RunOptions& runOptions, RunResult& result,
                                         std::vector<double>& times)
{
    // What is kept is taken as soon as it is there: what follows may write over it.
    std::vector<std::vector<const std::pair<ValueId, fused::Location>*>> kept;
    if (!runOptions.keep.empty()) {
        kept.resize(plan.steps.size() + 1);
        for (const auto& entry : plan.visible) {
            if (runOptions.keep.contains(entry.first))
                kept[static_cast<std::size_t>(entry.second.readyAfter + 1)].push_back(&entry);
        }
    }
    const auto keep = [&](std::size_t done) -> Result<void> {
        if (kept.empty())
            return {};
        for (const auto* entry : kept[done]) {
            FUSESCOPE_ASSIGN(RuntimeValue value, fused::fetch(entry->second, state));
            if (value.isPresent())
                result.kept[entry->first] = std::move(value);
        }
        return {};
    };
    FUSESCOPE_TRY(keep(0));
    using Clock = std::chrono::steady_clock;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        if (state.pool.stopped())
            return cancelled();
        const Step& step = plan.steps[i];
        if (runOptions.progress.report)
            runOptions.progress(static_cast<double>(i) / static_cast<double>(plan.steps.size()),
                                Message("ops.running", {{"node", step.node}}));
        const auto begin = Clock::now();
        if (auto done = step.run(state); !done) {
            Error error = std::move(done).error();
            if (!error.node)
                error.node = step.node;
            return tl::unexpected(std::move(error));
        }
        times[i] = milliseconds(Clock::now() - begin);
        FUSESCOPE_TRY(keep(i + 1));
        for (const int closed : step.closes)
            state.boxed[static_cast<std::size_t>(closed)] = {};
        if (options.poison)
            poisonDead(plan, static_cast<int>(i));
    }
    return {};
}

void FusedExecutor::State::describe(const Compiled& plan, const std::vector<double>& times,
                                    double total, PlanProfile& profile) const
{
    profile.name = options.fused ? "fused" : "unfused";
    profile.runs = 1;
    profile.threads = pool.threads();
    profile.minMs = profile.medianMs = profile.p90Ms = total;
    profile.arenaBytes = plan.arenaBytes;
    profile.weightBytes = plan.weightBytes;
    if (!options.profile)
        return;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const Step& step = plan.steps[i];
        NodeProfile entry;
        entry.node = step.node;
        entry.kernel = step.kernel;
        entry.layout = step.layout;
        entry.minMs = entry.medianMs = entry.p90Ms = times[i];
        entry.flops = step.flops;
        entry.bytes = step.bytes;
        if (const Node* node = graph.node(step.node))
            entry.originals = originsOf(step.node, node);
        if (!step.rejected.empty())
            entry.whyNotFaster = step.rejected.front().second;
        profile.nodes.push_back(std::move(entry));
    }
}

FusedExecutor::FusedExecutor() = default;
FusedExecutor::~FusedExecutor() = default;
FusedExecutor::FusedExecutor(FusedExecutor&&) noexcept = default;
FusedExecutor& FusedExecutor::operator=(FusedExecutor&&) noexcept = default;

Result<FusedExecutor> FusedExecutor::plan(Graph graph, const RunInputs& example,
                                          const PlanOptions& options, std::stop_token stop,
                                          const Progress& progress)
{
    FusedExecutor executor;
    executor.m_state = std::make_unique<State>(std::move(graph), options);
    const RunOptions runOptions;
    FUSESCOPE_TRY(CallSizes(executor.m_state->graph).checkRunnable());
    FUSESCOPE_ASSIGN(const std::vector<RuntimeValue> arguments,
                     bindInputs(executor.m_state->graph, example, runOptions));
    FUSESCOPE_TRY(withinMemory([&] {
        return executor.m_state->planFor(signatureOf(arguments, runOptions), stop, progress);
    }));
    return executor;
}

Result<RunResult> FusedExecutor::State::attempt(std::vector<RuntimeValue> arguments,
                                                const RunOptions& runOptions, ValueId& unexpected)
{
    FUSESCOPE_ASSIGN(const std::shared_ptr<Compiled> plan,
                     planFor(signatureOf(arguments, runOptions), runOptions.stop, {}));
    if (plan->arenaBytes > runOptions.memoryLimit)
        return fail(ErrorCode::failed,
                    Message("exec.memory-limit",
                            {{"needed", plan->arenaBytes}, {"limit", runOptions.memoryLimit}}),
                    fused::largestNode(*plan));
    std::atomic<bool> stopped{false};
    const std::stop_callback onStop(runOptions.stop, [&stopped] { stopped = true; });
    struct FlagGuard
    {
        kernels::ThreadPool& pool;
        ~FlagGuard() { pool.setStopFlag(nullptr); }
    };
    const FlagGuard guard{pool};
    pool.setStopFlag(&stopped);

    RunResult result;
    RunOptions referenceOptions = runOptions;
    referenceOptions.memoryLimit = runOptions.memoryLimit - plan->arenaBytes;
    referenceOptions.progress = {};
    RunResult unused;
    reference::Run reference(graph, referenceOptions, unused);
    if (options.poison && arena)
        fill(arena.data(), plan->arenaBytes);
    fused::RunState run(*plan, arena.data(), pool);
    run.reference = &reference;
    run.boxed.resize(plan->varCount);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (plan->arguments[i] >= 0)
            run.boxed[static_cast<std::size_t>(plan->arguments[i])] = std::move(arguments[i]);
    }
    for (const auto& [id, var] : plan->given)
        run.boxed[static_cast<std::size_t>(var)] = runOptions.given.at(id);
    std::vector<double> times(plan->steps.size(), 0);
    const auto begin = std::chrono::steady_clock::now();
    const auto done = steps(*plan, run, runOptions, result, times);
    unexpected = run.unexpected;
    FUSESCOPE_TRY(done);
    const Body& main = *graph.body(graph.mainBody());
    for (std::size_t i = 0; i < main.outputs.size(); ++i) {
        FUSESCOPE_ASSIGN(RuntimeValue value, fused::fetch(plan->outputs[i], run));
        FUSESCOPE_TRY(checkOutput(main.outputs[i], value));
        result.outputs.emplace_back(graph.value(main.outputs[i])->name, std::move(value));
    }
    const double total = milliseconds(std::chrono::steady_clock::now() - begin);
    describe(*plan, times, total, result.profile);
    return result;
}

Result<RunResult> FusedExecutor::run(const RunInputs& inputs, const RunOptions& options)
{
    State& state = *m_state;
    FUSESCOPE_ASSIGN(const std::vector<RuntimeValue> arguments,
                     bindInputs(state.graph, inputs, options));
    for (;;) {
        ValueId unexpected;
        // A fill that a kernel writes out is counted by nobody.
        auto result =
            withinMemory([&] { return state.attempt(arguments, options, unexpected); });
        if (result || !unexpected || !state.distrusted.insert(unexpected).second)
            return result;
        // A file may declare sizes that do not hold: planned again without them.
        state.plans.clear();
    }
}

std::int64_t FusedExecutor::arenaBytes() const
{
    return m_state->plans.empty() ? 0 : m_state->plans.front().plan->arenaBytes;
}

std::int64_t FusedExecutor::weightBytes() const
{
    return m_state->plans.empty() ? 0 : m_state->plans.front().plan->weightBytes;
}

std::vector<FusedExecutor::StepInfo> FusedExecutor::steps() const
{
    std::vector<StepInfo> result;
    if (m_state->plans.empty())
        return result;
    for (const Step& step : m_state->plans.front().plan->steps)
        result.push_back({step.node, step.kernel, step.layout, step.rejected});
    return result;
}

} // namespace fusescope
