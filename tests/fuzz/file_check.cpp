#include "fuzz/file_check.h"

#include "exec/compare.h"
#include "exec/inputs.h"
#include "io/document.h"
#include "ops/inference.h"
#include "ops/registry.h"
#include "passes/optimizer.h"
#include "report/render.h"

#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace fusescope::test {

namespace {

// Asks to stop after a while, unless it is gone by then.
class Deadline
{
public:
    explicit Deadline(int milliseconds)
        : m_thread([this, milliseconds] {
              std::unique_lock lock(m_mutex);
              if (!m_changed.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                      [this] { return m_done; }))
                  m_source.request_stop();
          })
    {
    }
    ~Deadline()
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_done = true;
        }
        m_changed.notify_all();
        m_thread.join();
    }
    std::stop_token token() const { return m_source.get_token(); }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_done = false;
    std::stop_source m_source;
    std::thread m_thread;
};

using Outputs = std::vector<std::pair<std::string, RuntimeValue>>;

// What ended a run for reasons of its own and says nothing about the model.
bool isOfTheRun(const Error& error)
{
    const std::string_view key = error.message.text.key;
    return error.code == ErrorCode::cancelled || key == "ops.memory-limit" ||
           key == "exec.memory-limit" || key == "ops.too-many-trips";
}

// Numbers so large that sums lose them, or none at all, need not be the same after a rewrite.
bool isComparable(const RuntimeValue& value)
{
    constexpr double large = 1e4;
    const Tensor* tensor = value.tensor();
    if (!tensor || tensor->isString())
        return true;
    if (!tensor->isAvailable())
        return false;
    for (std::int64_t i = 0; i < tensor->elementCount(); ++i) {
        if (!(std::abs(tensor->asDouble(i)) < large))
            return false;
    }
    return true;
}

class Checker
{
public:
    explicit Checker(const FileCheckOptions& options) : m_options(options) {}

    FileCheckResult run(const std::string& bytes)
    {
        try {
            check(bytes);
        } catch (const std::exception& e) {
            find(fmt::format("an exception escapes: {}", e.what()));
        }
        return std::move(m_result);
    }

private:
    void find(std::string text) { m_result.findings.push_back(std::move(text)); }

    std::string words(const Message& message, const Graph* graph, std::string_view where)
    {
        std::string text = render(message, graph);
        if (text.empty() || text == message.text.key)
            find(fmt::format("{}: no text for `{}`", where, message.text.key));
        return text;
    }

    void check(const std::string& bytes)
    {
        auto document = Document::parse(bytes, "damaged.onnx", "/nowhere");
        if (!document) {
            words(document.error().message, nullptr, "open");
            return;
        }
        m_result.opened = true;
        m_document = *document;
        m_opened = m_document->graph();
        for (const Problem& problem : m_document->problems())
            words(problem.message, &m_opened, "problem");
        for (const Problem& problem : validate(m_opened))
            words(problem.message, &m_opened, "validation");
        if (!infer(m_opened, "inference"))
            return;
        if (const auto whole = m_opened.check(); !whole)
            return; // as the file has it; what follows may ask for a whole graph
        optimize();
        for (const NodeId id : m_opened.allNodes()) {
            if (id.value % 7 != 0)
                continue;
            for (const Explanation& explanation : explainNode(m_optimized, {}, id)) {
                for (const ConditionRecord& record : explanation.conditions) {
                    if (record.saw.text)
                        words(record.saw, &m_optimized, "condition");
                }
            }
        }
        exportBack();
        runAll();
    }

    bool infer(Graph& graph, std::string_view where)
    {
        const auto inferred = inferGraph(graph);
        if (!inferred) {
            find(fmt::format("{} fails as a whole: {}", where,
                             render(inferred.error().message, &graph)));
            return false;
        }
        for (const InferenceProblem& problem : inferred->problems)
            words(problem.message, &graph, where);
        if (const auto applied = graph.apply(inferred->patch); !applied) {
            find(fmt::format("{}: types cannot be applied: {}", where,
                             render(applied.error().message, &graph)));
            return false;
        }
        return true;
    }

    void optimize()
    {
        const Deadline deadline(m_options.milliseconds);
        Plan plan;
        plan.maxSteps = m_options.maxSteps;
        plan.policy.maxGrowth = m_options.memoryLimit;
        Optimizer optimizer(m_opened, plan);
        for (;;) {
            auto step = optimizer.next(deadline.token());
            if (!step && step.error().code == ErrorCode::cancelled)
                break;
            if (!step) {
                find("the optimizer fails: " + render(step.error().message, &m_opened));
                break;
            }
            if (!*step)
                break;
            ++m_result.steps;
            const auto whole = optimizer.graph().check();
            if (!whole) {
                find(fmt::format("{} breaks the graph: {}", (*step)->rule,
                                 render(whole.error().message, &optimizer.graph())));
                break;
            }
        }
        m_optimized = optimizer.graph();
        for (const Blocked& blocked : optimizer.blocked()) {
            for (const Reason& reason : blocked.miss.reasons)
                words(reason.message, &m_optimized, "reason");
        }
    }

    void exportBack()
    {
        m_written = m_optimized;
        IdPool pool(m_optimized);
        const auto patch = lower(m_optimized, pool, ExportForm::standard, &m_opened);
        if (!patch || !m_written.apply(*patch)) {
            find("lowering fails");
            return;
        }
        if (const auto whole = m_written.check(); !whole) {
            find("lowering breaks the graph: " + render(whole.error().message, &m_written));
            return;
        }
        const auto bytes = m_document->serialize(m_written);
        if (!bytes) {
            words(bytes.error().message, &m_written, "writing");
            return;
        }
        const auto again = Document::parse(*bytes, "written.onnx", "/nowhere");
        if (!again) {
            find("what is written cannot be read: " + render(again.error().message, nullptr));
            return;
        }
        Graph read = (*again)->graph();
        if (!infer(read, "inference of what is written"))
            return;
        if (const auto valid = validateForSaving(read, &m_opened); !valid)
            find("what is written is not valid: " + render(valid.error().message, &read));
        m_written = std::move(read);
    }

    RunOptions runOptions(const Deadline& deadline) const
    {
        RunOptions options;
        options.memoryLimit = m_options.memoryLimit;
        options.maxTrips = m_options.maxTrips;
        options.seed = 5;
        options.stop = deadline.token();
        return options;
    }

    Result<RunResult> plain(const Graph& graph, const RunInputs& inputs)
    {
        const Deadline deadline(m_options.milliseconds);
        return ReferenceExecutor(graph).run(inputs, runOptions(deadline));
    }

    // Whether results can be compared at all: random numbers are drawn by ids, which a file does not
    // keep, and with huge weights sums in between lose everything.
    bool hasComparableResults() const
    {
        for (const NodeId id : m_opened.allNodes()) {
            if (isNonDeterministic(m_opened, *m_opened.node(id)))
                return false;
        }
        for (std::uint32_t i = 1; i < m_opened.valueLimit(); ++i) {
            const Value* value = m_opened.value(ValueId{i});
            if (value && value->constant && isFloatingPoint(value->constant->dtype()) &&
                !isComparable(RuntimeValue(value->constant)))
                return false;
        }
        return true;
    }

    // Whether the inputs that the file declares are of sizes for a quick run.
    bool isSmall() const
    {
        constexpr std::int64_t most = 2'000'000; // elements
        std::int64_t all = 0;
        for (const ValueId id : m_opened.body(m_opened.mainBody())->inputs) {
            std::int64_t elements = 1;
            for (const Dim& dim : m_opened.value(id)->type.shape.dims()) {
                const std::int64_t size = std::max<std::int64_t>(1, dim.constant().value_or(224));
                if (size > most / elements)
                    return false;
                elements *= size;
            }
            all += elements;
        }
        return all <= most;
    }

    void runAll()
    {
        if (!isSmall())
            return;
        InputRecipe recipe;
        recipe.seed = 3;
        for (const auto& [name, size] : {std::pair("batch", 1), std::pair("N", 1)})
            recipe.dims[name] = size;
        const auto made = makeInputs(m_opened, recipe);
        if (!made) {
            words(made.error().message, &m_opened, "inputs");
            return;
        }
        m_compares = hasComparableResults();
        const auto before = plain(m_opened, made->inputs);
        if (!before)
            words(before.error().message, &m_opened, "run");
        m_result.ran = before.has_value();
        const auto after = plain(m_written, made->inputs);
        if (before && !after && !isOfTheRun(after.error()))
            find("what is written does not run: " + render(after.error().message, &m_written));
        if (before && after)
            compare(before->outputs, after->outputs, "written");
        runFast(made->inputs);
    }

    void runFast(const RunInputs& inputs)
    {
        const auto reference = plain(m_optimized, inputs);
        if (!reference && isOfTheRun(reference.error()))
            return;
        const Deadline deadline(m_options.milliseconds);
        PlanOptions options;
        options.memoryLimit = m_options.memoryLimit;
        auto plan = FusedExecutor::plan(m_optimized, inputs, options, deadline.token());
        auto result = plan ? plan->run(inputs, runOptions(deadline))
                           : Result<RunResult>(tl::unexpected(plan.error()));
        if (!result) {
            words(result.error().message, &m_optimized, "fast run");
            if (reference && !isOfTheRun(result.error()))
                find("the fast plan does not run: " +
                     render(result.error().message, &m_optimized));
        } else if (!reference) {
            find("the fast plan runs, and the reference says: " +
                 render(reference.error().message, &m_optimized));
        } else {
            compare(reference->outputs, result->outputs, "fast");
        }
    }

    void compare(const Outputs& before, const Outputs& after, std::string_view what)
    {
        constexpr double rtol = 5e-3, narrowTolerance = 0.1, atol = 1e-3;
        if (before.size() != after.size()) {
            find(fmt::format("{}: other outputs", what));
            return;
        }
        for (std::size_t i = 0; m_compares && i < before.size(); ++i) {
            if (!isComparable(before[i].second))
                return;
            const Tensor* tensor = before[i].second.tensor();
            const bool narrow = tensor && bitsOf(tensor->dtype()) <= 16;
            const TensorComparison comparison =
                compareValues(before[i].second, after[i].second, narrow ? narrowTolerance : rtol,
                              narrow ? narrowTolerance : atol);
            if (!comparison.pass)
                find(fmt::format("{}: `{}` differs: {} (max |d| {})", what, before[i].first,
                                 render(comparison.why, nullptr), comparison.maxAbs));
        }
    }

    const FileCheckOptions& m_options;
    FileCheckResult m_result;
    std::shared_ptr<const Document> m_document;
    Graph m_opened, m_optimized, m_written;
    bool m_compares = true;
};

} // namespace

FileCheckResult checkFile(const std::string& bytes, const FileCheckOptions& options)
{
    return Checker(options).run(bytes);
}

} // namespace fusescope::test
