#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "diff/graph_diff.h"
#include "ops/runtime_value.h"
#include "report/comparison.h"
#include "report/run_profile.h"
#include "session/model_info.h"
#include "session/timeline.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace fusescope {

struct SessionOptions
{
    Plan plan;
    bool runInBackground = true; // false: finish() runs the passes
};

// What a run is fed with: files, or seeded random values (exec/inputs.h says how dims are assumed).
struct InputSpec
{
    std::vector<std::string> sources; // a folder (test_data_set_N, or many of
                                      // them), an .npz, NAME=FILE.npy, NAME=FILE.pb
    std::map<std::string, std::vector<std::int64_t>> shapes; // by input name
    std::map<std::string, std::int64_t> dims;                // by symbol
    std::map<std::string, TensorPtr> tensors;                // given directly (an image)
    std::optional<double> constantFill;
    std::uint64_t seed = 1;
    std::int64_t integerLow = 0, integerHigh = 2;
    bool useDataSetBesideModel = true;
    bool operator==(const InputSpec&) const = default;
};

struct CompareOptions
{
    InputSpec inputs;
    std::optional<double> rtol, atol;
    bool intermediates = true;
    bool forceReference = false;
};

// The value in which a step moves the numbers first: the state before it against the state after it.
struct DivergenceCause
{
    NodeId node;               // makes the value after the step
    TensorComparison tensor;
    double limit = 0;          // what the tolerance allows: atol + rtol·max|before|
    std::size_t axis = 0;      // of the channels
    std::vector<double> channels; // largest |Δ| of each; NaN where one side alone is not finite
};

struct Divergence
{
    std::optional<int> step;                  // the first rewrite after which the outputs differ
    std::vector<std::pair<int, double>> tested; // step, largest |Δ|
    Tolerance tolerance;
    std::optional<DivergenceCause> cause; // nothing where no tensor that stands on both sides moves
};

enum class RunExecutor { reference, fused };

struct RunReport
{
    std::vector<std::pair<std::string, RuntimeValue>> inputs, outputs;
    PlanProfile profile;
    std::vector<std::pair<std::string, std::int64_t>> assumed;
};

struct ExportOptions
{
    int upTo = -1; // step; −1: the last
    ExportForm form = ExportForm::standard;
    enum class ExternalData { automatic, always, never } externalData = ExternalData::automatic;
    bool overwrite = false;
    bool verify = true;
    // What the proof runs on: with files, those; else sizes that are given hold, and the rest is its
    // own choice.
    InputSpec inputs;
    std::optional<double> rtol, atol;
};

struct ExportResult
{
    std::string path;
    std::int64_t bytes = 0;
    std::size_t nodes = 0;      // of the written file: bodies counted
    std::size_t fusedNodes = 0; // of the state that was written: a region counts as one
    Comparison verification;    // `fail`: nothing was written
    std::map<std::string, double> milliseconds; // load, optimize, verify, export
};

struct BenchOptions
{
    InputSpec inputs;
    int threads = 1;
    int repeat = 20;
    bool profile = false;
    int a = 0, b = -1; // the model at step a unfused, at step b fused
};

struct BenchReport
{
    std::vector<PlanProfile> plans; // "unfused", "fused"
    double fusedOverUnfused = 1;    // of the medians
    std::vector<std::pair<std::string, std::int64_t>> assumed;
};

// An open model with its timeline: the only door for windows and commands. Session has no current
// step: every question names its own. Everything returned is a value. Functions that may take long
// take a stop token and block the calling thread (call them from a worker); all may be called from
// any thread.
class Session
{
public:
    static Result<std::shared_ptr<Session>> open(const std::string& path, SessionOptions options = {},
                                                 std::stop_token stop = {},
                                                 const Progress& progress = {});
    // A model in memory: the examples.
    static Result<std::shared_ptr<Session>> openBytes(std::string bytes, std::string name,
                                                      SessionOptions options = {});
    ~Session();

    const std::string& path() const;
    const ModelInfo& info() const;    // of the model as opened
    const Graph& opened() const;      // step 0
    std::uint64_t contentHash() const;

    // The newest timeline; never null.
    TimelinePtr timeline() const;
    // Called from the worker for each new timeline, at most every 30 ms and when it is finished.
    // Without a callback the timeline is renewed less often.
    void onTimeline(std::function<void(TimelinePtr)> callback);
    Plan plan() const;
    // Runs again from the first step that the change touches, as a new generation.
    void setPlan(Plan plan);
    // Whether an edit can be made after the fixes and edits of a timeline's plan.
    Result<void> check(const Timeline& timeline, const Edit& edit) const;
    // Waits until the passes have ended.
    Result<TimelinePtr> finish(std::stop_token stop = {}, const Progress& progress = {});

    // Differences between two states of a timeline, 0 ≤ a ≤ b.
    GraphDiff diff(const Timeline& timeline, int a, int b) const;

    // Before against after on the same inputs; a and b as in the timeline. A source that is a folder
    // of many inputs gives the worst of them, and how often the largest entries agree.
    Result<Comparison> compare(const Timeline& timeline, int a, int b, const CompareOptions& options,
                               std::stop_token stop = {}, const Progress& progress = {});
    // The first step in (a, b] after which outputs differ beyond the tolerance.
    Result<Divergence> bisect(const Timeline& timeline, int a, int b, const CompareOptions& options,
                              std::stop_token stop = {}, const Progress& progress = {});
    // The proof of design.md: lowered graph at b against the model after its meaning-changing fixes.
    Result<Comparison> prove(const Timeline& timeline, int b, std::uint64_t seed,
                             std::stop_token stop = {}, const Progress& progress = {});
    Result<RunReport> run(const Timeline& timeline, int step, RunExecutor executor,
                          const InputSpec& inputs, int threads = 1, std::stop_token stop = {},
                          const Progress& progress = {});
    Result<BenchReport> bench(const Timeline& timeline, const BenchOptions& options,
                              std::stop_token stop = {}, const Progress& progress = {});

    // Writes beside the target, reads back, checks (our validator, ONNX's checker where it knows the
    // version, the public interface against the opened model), runs and compares; only then the files
    // take their place, all or none.
    Result<ExportResult> exportModel(const Timeline& timeline, const std::string& path,
                                     const ExportOptions& options, std::stop_token stop = {},
                                     const Progress& progress = {});

    // Whole-model figures of a state.
    ModelFigures figures(const Timeline& timeline, int step) const;

    std::vector<Explanation> explain(const Timeline& timeline, int step, NodeId node) const;
    PairExplanation explainPair(const Timeline& timeline, int step, NodeId a, NodeId b) const;
    // Node names, output names or "#id": all that match.
    std::vector<NodeId> findNodes(const Graph& graph, const std::string& name) const;

    struct State; // session_state.h

private:
    explicit Session(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

// Two files against each other (compare MODEL OTHER, diff A B).
Result<Comparison> compareFiles(const Session& a, const Session& b, const CompareOptions& options,
                                std::stop_token stop = {}, const Progress& progress = {});

} // namespace fusescope
