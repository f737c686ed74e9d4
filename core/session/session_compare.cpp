#include "exec/compare.h"
#include "ops/cost.h"
#include "ops/patch_builder.h"
#include "session/session_state.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace fusescope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double referenceLimit = 20e9; // FLOP: up to here the reference executor proves

std::map<std::string, std::int64_t> symbolSizes(const Graph& graph, const MadeInputs& inputs)
{
    std::map<std::string, std::int64_t> sizes;
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& value = *graph.value(id);
        const auto found = inputs.inputs.find(value.name);
        const Tensor* tensor =
            found == inputs.inputs.end() ? nullptr : found->second.tensor();
        if (!tensor || value.type.shape.rank() != tensor->rank())
            continue;
        for (std::size_t axis = 0; axis < tensor->rank(); ++axis) {
            const Dim& dim = value.type.shape.dims()[axis];
            if (dim.isSymbol())
                sizes.emplace(std::string(dim.symbolName()), tensor->shape()[axis]);
        }
    }
    return sizes;
}

std::set<ValueId> valuesReadBy(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::set<ValueId> values;
    for (const NodeId id : nodes) {
        for (const ValueId input : graph.node(id)->inputs) {
            const Value* value = graph.value(input);
            if (value && value->body == graph.mainBody() && !value->isInitializer() &&
                !graph.constant(input) && !value->isInput)
                values.insert(input);
        }
    }
    return values;
}

// Values for the outputs of nodes that cannot run; nothing when a type or shape is not known.
Result<std::unordered_map<ValueId, RuntimeValue>>
standIns(const Graph& graph, const std::vector<NodeId>& cut, const MadeInputs& inputs,
         std::uint64_t seed)
{
    std::unordered_map<ValueId, RuntimeValue> given;
    const auto sizes = symbolSizes(graph, inputs);
    const auto sizeOf = [&sizes](const Dim& dim) -> std::optional<std::int64_t> {
        const auto found = sizes.find(std::string(dim.symbolName()));
        return found == sizes.end() ? std::nullopt : std::optional(found->second);
    };
    for (const NodeId id : cut) {
        const Node& node = *graph.node(id);
        if (node.body != graph.mainBody())
            return fail(ErrorCode::unsupported, Message("session.no-kernel", {{"node", id}}), id);
        for (const ValueId output : node.outputs) {
            const Value* value = graph.value(output);
            if (!value || graph.uses(output).empty())
                continue;
            std::vector<std::int64_t> shape;
            bool known = value->type.isTensor() && value->type.shape.hasRank() &&
                         isKnown(value->type.dtype);
            for (const Dim& dim : value->type.shape.dims()) {
                const auto size = dim.evaluate(sizeOf);
                known = known && size.has_value();
                shape.push_back(size.value_or(0));
            }
            if (!known)
                return fail(ErrorCode::unsupported,
                            Message("session.no-kernel", {{"node", id}}), id);
            InputRecipe recipe;
            recipe.seed = seed + output.value;
            FUSESCOPE_ASSIGN(given[output], makeValue(*value, std::move(shape), recipe));
        }
    }
    return given;
}

// A node that cannot run and whose results nobody reads changes no output: both sides do without.
Result<Graph> withoutUnread(const Graph& graph, const std::vector<NodeId>& cut)
{
    std::vector<NodeId> unread;
    for (const NodeId id : cut) {
        const Node* node = graph.node(id);
        if (node && std::ranges::all_of(node->outputs, [&graph](ValueId output) {
                return !output || graph.uses(output).empty();
            }))
            unread.push_back(id);
    }
    if (unread.empty())
        return graph;
    IdPool pool(graph);
    PatchBuilder builder(graph, pool, "cut", unread.front(), [](NodeId) { return true; });
    for (const NodeId id : unread)
        builder.removeNode(id);
    FUSESCOPE_ASSIGN(const GraphPatch patch, builder.finish());
    Graph result = graph;
    FUSESCOPE_TRY(result.apply(patch));
    return result;
}

std::vector<TensorComparison> compareOutputs(const RunResult& before, const RunResult& after,
                                             const PairRun& pair)
{
    std::vector<TensorComparison> result;
    for (std::size_t i = 0; i < before.outputs.size(); ++i) {
        const auto& [name, value] = before.outputs[i];
        TensorComparison one;
        if (i < after.outputs.size())
            one = compareValues(value, after.outputs[i].second, pair.rtol, pair.atol);
        else
            one.why = Message("session.output-missing");
        one.name = name;
        result.push_back(std::move(one));
    }
    return result;
}

bool worse(const TensorComparison& a, const TensorComparison& b)
{
    return std::make_tuple(a.pass, -a.maxAbs) < std::make_tuple(b.pass, -b.maxAbs);
}

} // namespace

double flopsAt(const Graph& graph, const MadeInputs& inputs)
{
    const auto sizes = symbolSizes(graph, inputs);
    const auto sizeOf = [&sizes](const Dim& dim) -> std::optional<std::int64_t> {
        const auto found = sizes.find(std::string(dim.symbolName()));
        return found == sizes.end() ? std::nullopt : std::optional(found->second);
    };
    double total = 0;
    for (const NodeId id : *graph.nodes(graph.mainBody()))
        total += flopsOf(graph, id, sizeOf).value_or(0);
    return total;
}

Result<RunResult> runGraph(const Graph& graph, const MadeInputs& inputs, const RunOptions& options,
                           bool forceReference, std::string* executor)
{
    const bool reference = forceReference || flopsAt(graph, inputs) <= referenceLimit;
    if (executor)
        *executor = reference ? "reference" : "unfused";
    if (reference)
        return ReferenceExecutor(graph).run(inputs.inputs, options);
    PlanOptions plan;
    plan.fused = false;
    plan.threads = 0;
    FUSESCOPE_ASSIGN(FusedExecutor fast,
                     FusedExecutor::plan(graph, inputs.inputs, plan, options.stop));
    return fast.run(inputs.inputs, options);
}

Result<Comparison> comparePair(const PairRun& pair, const MadeInputs& inputs, std::uint64_t seed,
                               std::stop_token stop, const Progress& progress)
{
    Comparison result;
    result.seed = seed;
    result.assumedDims = inputs.assumed;
    RunOptions options;
    options.seed = seed;
    options.stop = stop;
    result.cut = ReferenceExecutor::nodesWithoutKernel(pair.before);
    if (!result.cut.empty()) {
        auto given = standIns(pair.before, result.cut, inputs, seed);
        if (!given) {
            result.why = given.error().message;
            return result;
        }
        options.given = std::move(*given);
        options.keep = valuesReadBy(pair.before, result.cut);
    }
    FUSESCOPE_ASSIGN(const Graph runBefore, withoutUnread(pair.before, result.cut));
    FUSESCOPE_ASSIGN(const Graph runAfter, withoutUnread(pair.after, result.cut));
    const std::set<ValueId> compared = options.keep;
    if (pair.intermediates) {
        for (const NodeId id : *pair.before.nodes(pair.before.mainBody())) {
            for (const ValueId output : pair.before.node(id)->outputs) {
                if (output && pair.after.producer(output) && !pair.before.constant(output))
                    options.keep.insert(output);
            }
        }
    }
    progress(0.1, Message("session.running-before"));
    auto start = Clock::now();
    auto before = runGraph(runBefore, inputs, options, pair.forceReference, &result.executor);
    result.beforeMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!before) {
        if (before.error().code == ErrorCode::cancelled)
            return tl::unexpected(before.error());
        result.why = before.error().message;
        result.cut = {before.error().node};
        if (!before.error().node)
            result.cut.clear();
        return result;
    }
    progress(0.5, Message("session.running-after"));
    start = Clock::now();
    auto after = runGraph(runAfter, inputs, options, result.executor == "reference", nullptr);
    result.afterMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!after) {
        if (after.error().code == ErrorCode::cancelled)
            return tl::unexpected(after.error());
        result.status = VerificationStatus::fail;
        result.why = after.error().message;
        return result;
    }
    result.outputs = compareOutputs(*before, *after, pair);
    for (const ValueId id : options.keep) {
        const auto a = before->kept.find(id);
        const auto b = after->kept.find(id);
        if (a == before->kept.end() || b == after->kept.end())
            continue;
        TensorComparison one = compareValues(a->second, b->second, pair.rtol, pair.atol);
        one.value = id;
        one.name = pair.before.value(id)->name;
        (compared.count(id) > 0 ? result.outputs : result.intermediates).push_back(std::move(one));
    }
    std::stable_sort(result.intermediates.begin(), result.intermediates.end(), worse);
    const bool pass = std::all_of(result.outputs.begin(), result.outputs.end(),
                                  [](const TensorComparison& one) { return one.pass; });
    result.status = !pass                ? VerificationStatus::fail
                    : result.cut.empty() ? VerificationStatus::pass
                                         : VerificationStatus::partial;
    if (!pass)
        result.why = Message("session.outputs-differ");
    else if (!result.cut.empty())
        result.why = Message("session.partial",
                             {{"count", static_cast<std::int64_t>(result.cut.size())}});
    return result;
}

} // namespace fusescope
