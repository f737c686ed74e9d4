#pragma once

#include "exec/inputs.h"
#include "io/document.h"
#include "session/session.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace fusescope {

// What an open model holds. The document, the opened graph and the info never change; the rest is
// guarded by the mutex.
struct Session::State
{
    std::shared_ptr<const Document> document;
    Graph opened;
    ModelInfo info;
    std::map<ValueId, std::vector<ValueId>> annotated; // as Policy has it
    std::shared_ptr<IdPool> pool; // of the worker that runs the passes

    mutable std::mutex mutex;
    std::condition_variable changed;
    TimelinePtr timeline;
    Plan plan;
    int generation = 0;
    bool running = false;
    std::function<void(TimelinePtr)> callback;
    std::jthread worker; // last: stopped and joined before the rest goes

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    void start();                                   // with the mutex held
    void optimize(int generation, Plan plan, std::stop_token stop);
    bool publish(std::shared_ptr<Timeline> next);   // false: a newer generation runs
};

// Values for a run, from files and recipes.
Result<MadeInputs> loadInputs(const Graph& graph, const std::string& modelPath,
                              const InputSpec& spec, bool distinctDims = false, int variant = 0,
                              bool onlySizes = false);

// Running the same inputs through two graphs and comparing what both have.
struct PairRun
{
    const Graph& before;
    const Graph& after;
    bool intermediates = false;
    bool forceReference = false;
    std::optional<double> rtol, atol;
    bool byName = false; // two files: values and nodes correspond by name, not by id
    // Told the intermediates of both sides as they are compared.
    std::function<void(const TensorComparison&, const RuntimeValue&, const RuntimeValue&)> each = {};
    std::map<ValueId, ValueId> partners = {}; // of two files: the intermediates that correspond
};
Result<Comparison> comparePair(const PairRun& pair, const MadeInputs& inputs, std::uint64_t seed,
                               std::stop_token stop, const Progress& progress);

// One graph on the executor that the size asks for; `executor` says which it was.
Result<RunResult> runGraph(const Graph& graph, const MadeInputs& inputs, const RunOptions& options,
                           bool forceReference, std::string* executor);

struct ProofOptions
{
    InputSpec inputs; // ExportOptions says how
    std::optional<double> rtol, atol;
};
// The model that a result is held against: as opened, with the fixes that change what it computes or
// its public interface.
Result<Graph> proofBase(const Timeline& timeline);
// Holds a lowered graph against it.
Result<Comparison> proveGraph(const Session& session, const Timeline& timeline, const Graph& result,
                              const ProofOptions& options, std::stop_token stop,
                              const Progress& progress);

double flopsAt(const Graph& graph, const MadeInputs& inputs);

} // namespace fusescope
