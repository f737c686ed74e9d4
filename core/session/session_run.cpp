#include "exec/compare.h"
#include "io/data_files.h"
#include "session/divergence_cause.h"
#include "session/session_state.h"
#include "session/two_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace fusescope {

namespace {

double largestDifference(const Comparison& comparison)
{
    double largest = 0;
    for (const TensorComparison& one : comparison.outputs) {
        const bool unlike = !one.pass && one.maxAbs == 0;
        largest = std::max(largest, unlike ? 1.0 : one.maxAbs);
    }
    return largest;
}

// The indices of the `count` largest elements of each row along the last axis; of NaN none.
std::vector<std::vector<std::int64_t>> largestEntries(const Tensor& tensor, std::int64_t count)
{
    std::vector<std::vector<std::int64_t>> rows;
    if (tensor.rank() == 0 || tensor.elementCount() == 0)
        return rows;
    const std::int64_t width = tensor.shape().back();
    const auto isNumber = [&tensor](std::int64_t at) { return !std::isnan(tensor.asDouble(at)); };
    for (std::int64_t row = 0; row < tensor.elementCount() / width; ++row) {
        std::vector<std::int64_t> order(static_cast<std::size_t>(width));
        std::iota(order.begin(), order.end(), 0);
        const auto take = std::min(count, width);
        std::partial_sort(order.begin(), order.begin() + take, order.end(),
                          [&](std::int64_t a, std::int64_t b) {
                              const double x = tensor.asDouble(row * width + a);
                              const double y = tensor.asDouble(row * width + b);
                              if (std::isnan(x) || std::isnan(y)) // NaN stands last
                                  return std::isnan(x) != std::isnan(y) ? std::isnan(y) : a < b;
                              return x != y ? x > y : a < b;
                          });
        order.resize(static_cast<std::size_t>(take));
        std::erase_if(order, [&](std::int64_t at) { return !isNumber(row * width + at); });
        rows.push_back(std::move(order));
    }
    return rows;
}

struct Agreement
{
    double top1 = 0, top5 = 0;
    std::int64_t rows = 0;

    // Top-1: the same entry leads. Top-5: the leading entry of one is among the five of the other. A
    // row without a number on either side has no leading entry and does not count.
    void take(const Tensor& before, const Tensor& after)
    {
        const auto first = largestEntries(before, 5);
        const auto second = largestEntries(after, 5);
        for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
            if (first[i].empty() && second[i].empty())
                continue;
            ++rows;
            if (first[i].empty() || second[i].empty())
                continue;
            top1 += first[i].front() == second[i].front() ? 1 : 0;
            top5 += std::find(second[i].begin(), second[i].end(), first[i].front()) !=
                            second[i].end()
                        ? 1
                        : 0;
        }
    }
};

PairRun pairOf(const Graph& before, const Graph& after, const CompareOptions& options)
{
    return {before,       after,        options.intermediates, options.forceReference,
            options.rtol, options.atol, false, {}};
}

// The inputs in a folder of many: folders of .pb files and .npz files. Empty for a single data set.
std::vector<std::string> samplesIn(const std::string& folder)
{
    namespace fs = std::filesystem;
    std::vector<std::string> samples;
    std::error_code error;
    if (!fs::is_directory(folder, error) || fs::exists(fs::path(folder) / "input_0.pb", error))
        return samples;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const fs::path& entry = it->path();
        if (it->is_directory(error) || entry.extension() == ".npz")
            samples.push_back(entry.string());
    }
    std::sort(samples.begin(), samples.end());
    return samples;
}

// The inputs that a bisection goes by: those given, or of a folder of many those that differ most.
Result<MadeInputs> worstInputs(
    const Graph& graph, const std::string& modelPath, InputSpec spec,
    const std::function<Result<Comparison>(const MadeInputs&)>& compared)
{
    const auto samples = spec.sources.size() == 1 ? samplesIn(spec.sources.front())
                                                  : std::vector<std::string>();
    std::optional<MadeInputs> worst;
    bool fails = false;
    double most = 0;
    for (const std::string& sample : samples) {
        spec.sources = {sample};
        FUSESCOPE_ASSIGN(MadeInputs inputs, loadInputs(graph, modelPath, spec));
        FUSESCOPE_ASSIGN(const Comparison one, compared(inputs));
        const bool failsToo = one.status == VerificationStatus::fail;
        const double difference = largestDifference(one);
        if (!worst || (failsToo && !fails) || (failsToo == fails && difference > most)) {
            worst = std::move(inputs);
            fails = failsToo;
            most = difference;
        }
    }
    if (worst)
        return *std::move(worst);
    return loadInputs(graph, modelPath, spec);
}

// The worst of many comparisons, and how often the largest entries of the first output agree.
Result<Comparison> compareSamples(const std::string& modelPath, const PairRun& pair,
                                  const std::vector<std::string>& samples, InputSpec spec,
                                  std::stop_token stop, const Progress& progress)
{
    Comparison total;
    Agreement agreement;
    int notRun = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        progress(static_cast<double>(i) / static_cast<double>(samples.size()),
                 Message("session.sample", {{"count", static_cast<std::int64_t>(i + 1)}}));
        spec.sources = {samples[i]};
        FUSESCOPE_ASSIGN(const MadeInputs inputs, loadInputs(pair.before, modelPath, spec));
        FUSESCOPE_ASSIGN(Comparison one, comparePair(pair, inputs, spec.seed, stop, {}));
        RunOptions run;
        run.seed = spec.seed;
        run.stop = stop;
        const bool ran = one.status != VerificationStatus::notRun;
        notRun += ran ? 0 : 1;
        if (ran && one.cut.empty()) {
            FUSESCOPE_ASSIGN(const RunResult x, runGraph(pair.before, inputs, run, false, nullptr));
            FUSESCOPE_ASSIGN(const RunResult y, runGraph(pair.after, inputs, run, false, nullptr));
            const Tensor* p = x.outputs.empty() ? nullptr : x.outputs.front().second.tensor();
            const Tensor* q = y.outputs.empty() ? nullptr : y.outputs.front().second.tensor();
            if (p && q && p->shape() == q->shape())
                agreement.take(*p, *q);
        }
        const bool worse = i == 0 || (one.status == VerificationStatus::fail &&
                                      total.status != VerificationStatus::fail) ||
                           (ran && total.status == VerificationStatus::notRun) ||
                           (one.status == total.status &&
                            largestDifference(one) > largestDifference(total));
        if (worse)
            total = std::move(one);
    }
    total.samples = static_cast<int>(samples.size());
    if (notRun > 0 && total.status == VerificationStatus::pass) {
        total.status = VerificationStatus::partial;
        total.why = Message("session.samples-not-run", {{"count", std::int64_t{notRun}}});
    }
    if (agreement.rows > 0) {
        total.top1Agreement = agreement.top1 / static_cast<double>(agreement.rows);
        total.top5Agreement = agreement.top5 / static_cast<double>(agreement.rows);
    }
    return total;
}

} // namespace

Result<Comparison> Session::compare(const Timeline& timeline, int a, int b,
                                    const CompareOptions& options, std::stop_token stop,
                                    const Progress& progress)
{
    const Graph before = timeline.at(a);
    const Graph after = timeline.at(b);
    if (options.inputs.sources.size() == 1) {
        const std::vector<std::string> samples = samplesIn(options.inputs.sources.front());
        PairRun pair = pairOf(before, after, options);
        pair.intermediates = false;
        if (!samples.empty())
            return compareSamples(path(), pair, samples, options.inputs, stop, progress);
    }
    FUSESCOPE_ASSIGN(const MadeInputs inputs, loadInputs(before, path(), options.inputs));
    FUSESCOPE_ASSIGN(Comparison result, comparePair(pairOf(before, after, options), inputs,
                                                    options.inputs.seed, stop, progress));
    FUSESCOPE_TRY(m_state->document->checkUnchanged());
    return result;
}

Result<Divergence> Session::bisect(const Timeline& timeline, int a, int b,
                                   const CompareOptions& options, std::stop_token stop,
                                   const Progress& progress)
{
    Divergence result;
    const Graph before = timeline.at(a);
    const auto comparedAt = [&](int step, const MadeInputs& inputs) {
        const Graph after = timeline.at(step);
        PairRun pair = pairOf(before, after, options);
        pair.intermediates = false;
        return comparePair(pair, inputs, options.inputs.seed, stop, {});
    };
    FUSESCOPE_ASSIGN(const MadeInputs inputs,
                     worstInputs(before, path(), options.inputs,
                                 [&](const MadeInputs& one) { return comparedAt(b, one); }));
    const auto differs = [&](int step) -> Result<bool> {
        FUSESCOPE_ASSIGN(const Comparison one, comparedAt(step, inputs));
        if (one.status == VerificationStatus::notRun)
            return fail(ErrorCode::failed, one.why, one.cut.empty() ? NodeId{} : one.cut.front());
        result.tested.emplace_back(step, largestDifference(one));
        if (!one.outputs.empty())
            result.tolerance = one.outputs.front().tolerance;
        return one.status == VerificationStatus::fail;
    };
    FUSESCOPE_ASSIGN(const bool end, differs(b));
    if (end) {
        // Invariant: the outputs agree at `good` and differ at `bad`.
        int good = a;
        int bad = b;
        while (bad - good > 1) {
            if (stop.stop_requested())
                return cancelled();
            progress(1.0 - static_cast<double>(bad - good) / std::max(1, b - a),
                     Message("session.bisecting", {{"first", std::int64_t{good}},
                                                   {"last", std::int64_t{bad}}}));
            const int middle = good + (bad - good) / 2;
            FUSESCOPE_ASSIGN(const bool wrong, differs(middle));
            (wrong ? bad : good) = middle;
        }
        result.step = bad;
        PairRun around = pairOf(before, before, options);
        FUSESCOPE_ASSIGN(result.cause,
                         divergenceCause(timeline, bad, around, inputs, options.inputs.seed, stop));
    }
    std::sort(result.tested.begin(), result.tested.end());
    return result;
}

Result<Comparison> Session::prove(const Timeline& timeline, int b, std::uint64_t seed,
                                  std::stop_token stop, const Progress& progress)
{
    const Graph fused = timeline.at(b);
    Graph lowered = fused;
    IdPool pool(fused);
    FUSESCOPE_ASSIGN(const GraphPatch patch, lower(fused, pool, ExportForm::standard, nullptr));
    FUSESCOPE_TRY(lowered.apply(patch));
    ProofOptions options;
    options.inputs.seed = seed;
    return proveGraph(*this, timeline, lowered, options, stop, progress);
}

Result<RunReport> Session::run(const Timeline& timeline, int step, RunExecutor executor,
                               const InputSpec& spec, int threads, std::stop_token stop,
                               const Progress& progress)
{
    const Graph graph = timeline.at(step);
    FUSESCOPE_ASSIGN(const MadeInputs inputs, loadInputs(graph, path(), spec));
    RunOptions options;
    options.seed = spec.seed;
    options.stop = stop;
    options.progress = progress;
    RunReport report;
    report.assumed = inputs.assumed;
    for (const auto& [name, value] : inputs.inputs)
        report.inputs.emplace_back(name, value);
    const auto keep = [&report](RunResult result) {
        report.outputs = std::move(result.outputs);
        report.profile = std::move(result.profile);
    };
    if (executor == RunExecutor::reference) {
        FUSESCOPE_ASSIGN(RunResult result, ReferenceExecutor(graph).run(inputs.inputs, options));
        keep(std::move(result));
        FUSESCOPE_TRY(m_state->document->checkUnchanged());
        return report;
    }
    PlanOptions plan;
    plan.threads = threads;
    plan.profile = true;
    FUSESCOPE_ASSIGN(FusedExecutor fused,
                     FusedExecutor::plan(graph, inputs.inputs, plan, stop, progress));
    FUSESCOPE_ASSIGN(RunResult result, fused.run(inputs.inputs, options));
    keep(std::move(result));
    FUSESCOPE_TRY(m_state->document->checkUnchanged());
    return report;
}

Result<BenchReport> Session::bench(const Timeline& timeline, const BenchOptions& options,
                                   std::stop_token stop, const Progress& progress)
{
    const Graph before = timeline.at(options.a);
    const Graph after = timeline.at(options.b < 0 ? timeline.size() : options.b);
    FUSESCOPE_ASSIGN(const MadeInputs inputs, loadInputs(before, path(), options.inputs));
    PlanOptions plan;
    plan.threads = options.threads;
    plan.profile = options.profile;
    plan.fused = false;
    FUSESCOPE_ASSIGN(FusedExecutor unfused,
                     FusedExecutor::plan(before, inputs.inputs, plan, stop, progress));
    plan.fused = true;
    FUSESCOPE_ASSIGN(FusedExecutor fused,
                     FusedExecutor::plan(after, inputs.inputs, plan, stop, progress));
    BenchReport report;
    report.assumed = inputs.assumed;
    FUSESCOPE_ASSIGN(report.plans,
                     benchInterleaved({{"unfused", &unfused}, {"fused", &fused}}, inputs.inputs,
                                      options.repeat, stop, progress));
    for (PlanProfile& profile : report.plans)
        profile.threads = options.threads;
    if (report.plans.size() == 2 && report.plans[0].medianMs > 0)
        report.fusedOverUnfused = report.plans[1].medianMs / report.plans[0].medianMs;
    return report;
}

Result<Comparison> compareFiles(const Session& a, const Session& b, const CompareOptions& options,
                                std::stop_token stop, const Progress& progress)
{
    std::vector<ValueMatch> between;
    if (options.intermediates)
        between = matchComputed(a.opened(), b.opened(), diffFiles(a.opened(), b.opened()));
    return compareFiles(a, b, options, between, stop, progress);
}

Result<Comparison> compareFiles(const Session& a, const Session& b, const CompareOptions& options,
                                const std::vector<ValueMatch>& between, std::stop_token stop,
                                const Progress& progress)
{
    FUSESCOPE_ASSIGN(const MadeInputs inputs, loadInputs(a.opened(), a.path(), options.inputs));
    // Ids of two files have nothing in common: nodes that cannot run are cut by name, and values in
    // between are those that the difference of the files brings together.
    PairRun pair = pairOf(a.opened(), b.opened(), options);
    pair.byName = true;
    for (const ValueMatch& match : between)
        pair.partners.emplace(match.a, match.b);
    return comparePair(pair, inputs, options.inputs.seed, stop, progress);
}

} // namespace fusescope
