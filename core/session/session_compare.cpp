#include "exec/compare.h"
#include "ops/cost.h"
#include "session/cut_nodes.h"
#include "session/cut_operands.h"
#include "session/session_state.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace fusescope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double referenceLimit = 20e9; // FLOP: up to here the reference executor proves

// NaN in the same places passes, and must be told: a difference of 0 says nothing of them.
Message sameNan(const std::vector<TensorComparison>& outputs)
{
    const auto first = std::ranges::find_if(
        outputs, [](const TensorComparison& one) { return one.nanBefore > 0; });
    if (first == outputs.end())
        return {};
    std::int64_t count = 0;
    for (const TensorComparison& one : outputs)
        count += one.nanBefore;
    return Message("session.nan-on-both-sides", {{"count", count}, {"output", first->name}});
}

// By name. Outputs of two files that no name brings together are paired in their order, when on both
// sides as many are left.
std::vector<TensorComparison> compareOutputs(const RunResult& before, const RunResult& after,
                                             const PairRun& pair)
{
    using Output = std::pair<std::string, RuntimeValue>;
    std::vector<const Output*> partners(before.outputs.size());
    std::vector<const Output*> left;
    for (const Output& output : after.outputs)
        left.push_back(&output);
    for (std::size_t i = 0; i < partners.size(); ++i) {
        const auto found = std::ranges::find_if(left, [&](const Output* output) {
            return output->first == before.outputs[i].first;
        });
        if (found != left.end()) {
            partners[i] = *found;
            left.erase(found);
        }
    }
    const auto unpaired = static_cast<std::size_t>(std::ranges::count(partners, nullptr));
    if (pair.byName && unpaired == left.size()) {
        for (const Output*& partner : partners) {
            if (!partner) {
                partner = left.front();
                left.erase(left.begin());
            }
        }
    }
    std::vector<TensorComparison> result;
    for (std::size_t i = 0; i < partners.size(); ++i) {
        TensorComparison one;
        if (partners[i])
            one = compareValues(before.outputs[i].second, partners[i]->second, pair.rtol, pair.atol);
        else
            one.why = Message("session.output-missing");
        one.name = before.outputs[i].first;
        if (partners[i] && partners[i]->first != one.name)
            one.nameAfter = partners[i]->first;
        result.push_back(std::move(one));
    }
    for (const Output* output : left) {
        TensorComparison one;
        one.name = output->first;
        one.why = Message("session.output-extra");
        result.push_back(std::move(one));
    }
    return result;
}

// The values in between that both graphs compute, with their counterparts.
std::map<ValueId, ValueId> intermediatesOf(const PairRun& pair)
{
    std::map<ValueId, ValueId> common;
    if (!pair.intermediates)
        return common;
    if (pair.byName)
        return pair.partners;
    for (const NodeId id : *pair.before.nodes(pair.before.mainBody())) {
        for (const ValueId output : pair.before.node(id)->outputs) {
            if (output && pair.after.producer(output) && !pair.before.constant(output))
                common.emplace(output, output);
        }
    }
    return common;
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
        const auto found = sizes.find(dim);
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
    result.dataSet = inputs.dataSet;
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
    }
    FUSESCOPE_ASSIGN(const Graph runBefore, withoutUnread(pair.before, result.cut));
    const Counterparts counterparts(pair.before, pair.after, pair.byName);
    FUSESCOPE_ASSIGN(const Graph runAfter,
                     withoutUnread(pair.after, pair.byName
                                                   ? ReferenceExecutor::nodesWithoutKernel(pair.after)
                                                   : result.cut));
    const CutOperands cutOperands(pair, result.cut, counterparts);
    const std::map<ValueId, ValueId> common = intermediatesOf(pair);
    options.keep = cutOperands.keptBefore();
    for (const auto& [id, partner] : common)
        options.keep.insert(id);
    progress(0.1, Message("session.running-before"));
    auto start = Clock::now();
    // What stands in for the results of the nodes cut is the same on both sides.
    std::unordered_map<ValueId, RuntimeValue> standing;
    options.standIn = [&](NodeId id, const std::vector<RuntimeValue>& operands)
        -> Result<std::vector<RuntimeValue>> {
        FUSESCOPE_ASSIGN(std::vector<RuntimeValue> results,
                         likeFirstOperand(pair.before, id, operands, seed));
        const std::vector<ValueId>& outputs = pair.before.node(id)->outputs;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (outputs[i])
                standing[outputs[i]] = results[i];
        }
        return results;
    };
    const bool reference = pair.forceReference || !result.cut.empty();
    auto before = runGraph(runBefore, inputs, options, reference, &result.executor);
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
    options.given.merge(standing);
    RunOptions optionsAfter = options;
    optionsAfter.standIn = nullptr;
    optionsAfter.keep = cutOperands.keptAfter();
    for (const auto& [id, partner] : common)
        optionsAfter.keep.insert(partner);
    if (pair.byName) {
        optionsAfter.given.clear();
        for (const auto& [id, value] : options.given)
            optionsAfter.given[counterparts.of(id)] = value;
    }
    progress(0.5, Message("session.running-after"));
    start = Clock::now();
    auto after = runGraph(runAfter, inputs, optionsAfter, result.executor == "reference", nullptr);
    result.afterMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!after) {
        if (after.error().code == ErrorCode::cancelled)
            return tl::unexpected(after.error());
        result.status = VerificationStatus::fail;
        result.why = after.error().message;
        return result;
    }
    result.outputs = compareOutputs(*before, *after, pair);
    for (TensorComparison& one : cutOperands.compare(inputs, *before, *after))
        result.outputs.push_back(std::move(one));
    for (const auto& [id, partner] : common) {
        const auto a = before->kept.find(id);
        const auto b = after->kept.find(partner);
        if (a == before->kept.end() || b == after->kept.end())
            continue;
        TensorComparison one = compareValues(a->second, b->second, pair.rtol, pair.atol);
        one.value = id;
        one.name = pair.before.value(id)->name;
        if (const std::string& name = pair.after.value(partner)->name; name != one.name)
            one.nameAfter = name;
        if (pair.each)
            pair.each(one, a->second, b->second);
        result.intermediates.push_back(std::move(one));
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
    else
        result.why = sameNan(result.outputs);
    return result;
}

} // namespace fusescope
