#include "session/conformance.h"

#include "exec/compare.h"
#include "exec/executor.h"
#include "io/data_files.h"
#include "io/document.h"
#include "ops/inference.h"
#include "ops/registry.h"
#include "session/conformance_data.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace fusescope {

namespace {

namespace fs = std::filesystem;

struct Case
{
    fs::path folder, model;
};

// Folders are walked in the order of their names; links are not followed, so that no loop is.
Result<std::vector<Case>> findCases(const std::vector<std::string>& folders)
{
    std::vector<Case> cases;
    for (const std::string& root : folders) {
        std::error_code error;
        if (!fs::is_directory(root, error))
            return fail(ErrorCode::unreadable, Message("session.not-a-folder"), {}, root);
        std::vector<fs::path> models;
        const auto options = fs::directory_options::skip_permission_denied;
        // A step that fails leaves the iterator at its end.
        for (fs::recursive_directory_iterator at(root, options, error), end; at != end;
             at.increment(error)) {
            std::error_code ignored;
            if (at->path().extension() == ".onnx" && at->is_regular_file(ignored) &&
                !testDataSets(at->path().string()).empty())
                models.push_back(at->path());
        }
        if (error)
            return fail(ErrorCode::unreadable, Message("session.not-a-folder"), {}, root);
        std::sort(models.begin(), models.end());
        for (const fs::path& model : models)
            cases.push_back({model.parent_path(), model});
    }
    return cases;
}

// One unit in the last place of bfloat16 is up to 2^-7 of a value, which is more than the tolerance of
// the operator tests; some expected values were rounded after every operation, others cut off.
double leastTolerance(const RuntimeValue& value)
{
    const Tensor* tensor = value.tensor();
    return tensor && tensor->dtype() == DType::bfloat16 ? 0x1p-7 : 0;
}

double largestOf(const RuntimeValue& value)
{
    const Tensor* tensor = value.tensor();
    double largest = 0;
    for (std::int64_t i = 0; tensor && !tensor->isString() && i < tensor->elementCount(); ++i) {
        const double v = std::abs(tensor->asDouble(i));
        largest = std::isfinite(v) ? std::max(largest, v) : largest;
    }
    return largest;
}

// Empty when the outputs agree. Of a model that draws at random only the types can be compared.
Result<Message> compareSet(const Graph& graph, const std::string& set, const RunResult& result,
                           const ConformanceTolerance& tolerance)
{
    const auto nodes = graph.allNodes();
    const bool isRandom = std::ranges::any_of(
        nodes, [&](NodeId id) { return isNonDeterministic(graph, *graph.node(id)); });
    for (std::size_t i = 0; i < result.outputs.size(); ++i) {
        const std::string file = officialFile(set, "output", i);
        std::error_code error;
        if (!fs::exists(file, error))
            return Message("session.no-expected-output", {{"output", result.outputs[i].first}});
        const ValueId id = graph.body(graph.mainBody())->outputs[i];
        FUSESCOPE_ASSIGN(const RuntimeValue expected, readOfficialValue(file, graph.value(id)->type));
        if (isRandom) {
            if (expected.type() == result.outputs[i].second.type())
                continue;
        }
        const double atol = tolerance.atol + tolerance.ofLargest * largestOf(expected);
        const double rtol = std::max(tolerance.rtol, leastTolerance(expected));
        const TensorComparison comparison =
            compareElementwise(expected, result.outputs[i].second, rtol, atol);
        if (!comparison.pass)
            return Message("session.conformance-differs",
                           {{"output", result.outputs[i].first},
                            {"expected", expected.type().text()},
                            {"found", result.outputs[i].second.type().text()},
                            {"error", comparison.maxAbs}});
    }
    return Message();
}

// The first node that no kernel runs, by its operator.
std::string unsupportedOperator(const Graph& graph)
{
    const std::vector<NodeId> nodes = ReferenceExecutor::nodesWithoutKernel(graph);
    if (nodes.empty())
        return {};
    const OpKey& op = graph.node(nodes.front())->op;
    return op.domain.empty() ? op.type : op.domain + "." + op.type;
}

Result<Message> runCase(Graph graph, const fs::path& model, RunExecutor executor,
                        const std::stop_token& stop, const ConformanceTolerance& tolerance)
{
    for (const std::string& set : testDataSets(model.string())) {
        FUSESCOPE_ASSIGN(const RunInputs inputs, readOfficialInputs(graph, set));
        RunOptions options;
        options.stop = stop;
        std::optional<RunResult> result;
        if (executor == RunExecutor::reference) {
            FUSESCOPE_ASSIGN(result, ReferenceExecutor(graph).run(inputs, options));
        } else {
            FUSESCOPE_ASSIGN(FusedExecutor fused,
                             FusedExecutor::plan(graph, inputs, PlanOptions{}, stop));
            FUSESCOPE_ASSIGN(result, fused.run(inputs, options));
        }
        FUSESCOPE_ASSIGN(Message why, compareSet(graph, set, *result, tolerance));
        if (why)
            return why;
    }
    return Message();
}

} // namespace

Result<ConformanceReport> conformance(const std::vector<std::string>& folders, RunExecutor executor,
                                      std::stop_token stop, const Progress& progress,
                                      const ConformanceTolerance& tolerance)
{
    FUSESCOPE_ASSIGN(const std::vector<Case> cases, findCases(folders));
    ConformanceReport report;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (stop.stop_requested())
            return cancelled();
        const std::string folder = cases[i].folder.string();
        progress(static_cast<double>(i) / static_cast<double>(cases.size()),
                 Message("session.conformance-running", {{"folder", folder}}));
        const auto note = [&](Result<Message> why) {
            if (!why)
                report.failed.emplace_back(folder, why.error().message);
            else if (*why)
                report.failed.emplace_back(folder, *why);
            else
                ++report.passed;
        };
        const auto document = Document::open(cases[i].model.string(), {}, stop);
        if (!document) {
            note(tl::unexpected(document.error()));
            continue;
        }
        Graph graph = (*document)->graph();
        const auto inferred = inferGraph(graph, stop);
        if (!inferred && inferred.error().code == ErrorCode::cancelled)
            return cancelled();
        const Result<void> typed = inferred ? graph.apply(inferred->patch)
                                            : Result<void>(tl::unexpected(inferred.error()));
        if (!typed) {
            note(tl::unexpected(typed.error()));
            continue;
        }
        if (std::string name = unsupportedOperator(graph); !name.empty()) {
            report.unsupported.emplace_back(folder, std::move(name));
            continue;
        }
        auto why = runCase(graph, cases[i].model, executor, stop, tolerance);
        if (!why && why.error().code == ErrorCode::cancelled)
            return cancelled();
        note(std::move(why));
    }
    return report;
}

} // namespace fusescope
