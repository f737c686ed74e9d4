#include "support/rewrite_check.h"

#include "exec/compare.h"
#include "exec/inputs.h"
#include "ops/inference.h"
#include "report/node_names.h"
#include "report/render.h"
#include "support/sentences.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>

namespace fusescope::test {

namespace {

std::string textOf(const Error& error, const Graph* graph)
{
    return render(error.message, graph);
}

std::string nameOf(const Graph& graph, const Subject& subject)
{
    return std::visit([&](auto id) { return reachableName(graph, id); }, subject);
}

std::string operatorsIn(const Graph& graph, BodyId body)
{
    std::string text;
    for (const NodeId id : *graph.nodes(body)) {
        const Node& node = *graph.node(id);
        text += text.empty() ? "" : " ";
        if (node.region)
            text += "region(" + operatorsIn(graph, node.bodies.front()) + ")";
        else
            text += node.op.type;
    }
    return text;
}

Result<MadeInputs> madeFor(const Graph& graph, std::uint64_t seed)
{
    InputRecipe recipe;
    recipe.seed = seed;
    recipe.distinctDims = true;
    return makeInputs(graph, recipe);
}

// Takes down what the conditions of a match say.
class Listener final : public ConditionSink
{
public:
    void record(ConditionRecord condition) override
    {
        if (problem.empty())
            problem = sentenceProblem(condition);
    }
    std::string problem;
};

std::string toldProblem(const MatchResult& result, const Listener& heard)
{
    if (!heard.problem.empty())
        return heard.problem;
    if (const auto* miss = std::get_if<MissReason>(&result))
        return sentenceProblem(miss->reasons);
    const auto* match = std::get_if<Match>(&result);
    const std::string title = match ? sentenceProblem(match->title) : std::string();
    return match && title.empty() ? sentenceProblem(match->remarks) : title;
}

// The same inputs with what lies at the ends of types: ±∞ now and then among floats, and integers
// that are mostly any, or the least and the greatest.
RunInputs withEndsOfTypes(const RunInputs& inputs, std::uint64_t seed)
{
    RunInputs result = inputs;
    std::uint64_t bits = seed;
    const auto next = [&bits] {
        bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
        return bits >> 33;
    };
    for (auto& [name, value] : result) {
        const Tensor* tensor = value.tensor();
        if (!tensor || !(isInteger(tensor->dtype()) || isFloatingPoint(tensor->dtype())))
            continue;
        Tensor other = Tensor::allocate(tensor->dtype(), tensor->shape());
        const int width = bitsOf(tensor->dtype());
        for (std::int64_t i = 0; i < other.elementCount(); ++i) {
            const std::uint64_t chosen = next() % 16;
            if (isFloatingPoint(tensor->dtype())) {
                const double infinite = std::numeric_limits<double>::infinity();
                other.store(i, chosen == 0   ? infinite
                               : chosen == 1 ? -infinite
                                             : tensor->asDouble(i));
                continue;
            }
            // The bits of the least, of the greatest, or any, cut to the type.
            const std::uint64_t least = isSigned(tensor->dtype()) ? 1ULL << (width - 1) : 0;
            const std::uint64_t any = (next() << 32) ^ next();
            std::uint64_t element = chosen < 2 ? least : chosen < 4 ? least - 1 : any;
            element = width < 64 ? element & ((1ULL << width) - 1) : element;
            const bool negative = isSigned(tensor->dtype()) && (element & least) != 0;
            const auto cut = static_cast<std::int64_t>(element);
            other.storeInt(i, negative && width < 64 ? cut - (std::int64_t{1} << width) : cut);
        }
        value = std::move(other);
    }
    return result;
}

struct RunDifference
{
    std::string problem;          // the first thing that is wrong
    std::vector<double> byOutput = {}; // the largest difference of each
    std::vector<std::string> problems = {}; // of the outputs; empty ones pass
};

RunDifference compareRuns(const Graph& before, const Graph& after, const RunInputs& inputsBefore,
                          const RunInputs& inputsAfter, double rtol)
{
    const auto first = ReferenceExecutor(before).run(inputsBefore, {});
    if (!first)
        return {"before: " + textOf(first.error(), &before)};
    const auto second = ReferenceExecutor(after).run(inputsAfter, {});
    if (!second)
        return {"after: " + textOf(second.error(), &after)};
    if (first->outputs.size() != second->outputs.size())
        return {"the number of outputs differs"};
    RunDifference found;
    for (std::size_t i = 0; i < first->outputs.size(); ++i) {
        const auto& [name, value] = first->outputs[i];
        if (second->outputs[i].first != name)
            return {"output " + name + " has another name"};
        const TensorComparison result =
            compareValues(value, second->outputs[i].second, rtol, 0.0);
        found.byOutput.push_back(result.maxAbs);
        found.problems.push_back(
            result.pass ? std::string()
                        : fmt::format("output {} differs by {}", name, result.maxAbs));
        if (found.problem.empty())
            found.problem = found.problems.back();
    }
    return found;
}

Tensor inDouble(const Tensor& tensor)
{
    Tensor result = Tensor::allocate(DType::float64, tensor.shape());
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i)
        result.store(i, tensor.asDouble(tensor.isSplat() ? 0 : i));
    return result;
}

// The same graph with double in place of float32.
std::optional<Graph> inDouble(const Graph& graph)
{
    GraphPatch patch;
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const ValuePtr value = graph.valuePtr(ValueId{i});
        if (!value || !value->type.isTensor() || value->type.dtype != DType::float32)
            continue;
        auto wide = std::make_shared<Value>(*value);
        wide->type.dtype = DType::float64;
        if (value->constant)
            wide->constant = std::make_shared<const Tensor>(inDouble(*value->constant));
        patch.values.push_back({ValueId{i}, value, wide});
    }
    for (std::uint32_t i = 1; i < graph.nodeLimit(); ++i) {
        const NodePtr node = graph.nodePtr(NodeId{i});
        const TensorPtr tensor = node ? node->attributes.getTensor("value") : nullptr;
        const bool casts = node && node->is("Cast") && node->attributes.getInt("to", 0) == 1;
        const bool holds = tensor && tensor->dtype() == DType::float32;
        if (!casts && !holds)
            continue;
        auto wide = std::make_shared<Node>(*node);
        if (casts)
            wide->attributes.set({"to", std::int64_t{11}});
        if (holds)
            wide->attributes.set({"value", std::make_shared<const Tensor>(inDouble(*tensor))});
        patch.nodes.push_back({NodeId{i}, node, wide});
    }
    Graph result = graph;
    return result.apply(patch) ? std::optional(result) : std::nullopt;
}

// Whether one result of floats is as near to the same in double as another. What both agree in, Inf
// and NaN too, is not asked; beyond that all three are finite.
bool isAsNear(const RuntimeValue& found, const RuntimeValue& own, const RuntimeValue& truth)
{
    const Tensor* after = found.tensor();
    const Tensor* before = own.tensor();
    const Tensor* wanted = truth.tensor();
    if (!after || !before || !wanted || after->shape() != wanted->shape() ||
        before->shape() != wanted->shape() || after->dtype() != DType::float32 ||
        before->dtype() != DType::float32 || wanted->dtype() != DType::float64)
        return false;
    double errorBefore = 0, errorAfter = 0;
    for (std::int64_t i = 0; i < wanted->elementCount(); ++i) {
        const double a = after->asDouble(i), b = before->asDouble(i), t = wanted->asDouble(i);
        if (a == b || (std::isnan(a) && std::isnan(b)))
            continue;
        if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(t))
            return false;
        errorBefore = std::max(errorBefore, std::abs(b - t));
        errorAfter = std::max(errorAfter, std::abs(a - t));
    }
    return errorAfter <= 8 * errorBefore;
}

// Whether output `index` of `after` is as near to the run of `before` in double as that of `before`.
bool isAsNearToDouble(const Graph& before, const Graph& after, const RunInputs& inputs,
                      std::size_t index)
{
    const auto wide = inDouble(before);
    RunInputs wideInputs = inputs;
    for (auto& [name, value] : wideInputs) {
        if (value.tensor() && value.tensor()->dtype() == DType::float32)
            value = inDouble(*value.tensor());
    }
    const auto truth = wide ? ReferenceExecutor(*wide).run(wideInputs, {})
                            : ReferenceExecutor(before).run(inputs, {});
    const auto first = ReferenceExecutor(before).run(inputs, {});
    const auto second = ReferenceExecutor(after).run(inputs, {});
    if (!wide || !truth || !first || !second || index >= truth->outputs.size())
        return false;
    return isAsNear(second->outputs[index].second, first->outputs[index].second,
                    truth->outputs[index].second);
}

} // namespace

Graph graphOf(std::string_view text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph) {
        std::cerr << "graphOf: " << textOf(graph.error(), nullptr) << "\n" << text << "\n";
        std::abort();
    }
    const auto inferred = inferGraph(*graph);
    if (!inferred || !graph->apply(inferred->patch)) {
        std::cerr << "graphOf: inference failed\n" << text << "\n";
        std::abort();
    }
    return *graph;
}

NodeId nodeNamed(const Graph& graph, std::string_view name)
{
    for (const NodeId id : graph.allNodes()) {
        if (graph.node(id)->name == name)
            return id;
    }
    for (const NodeId id : graph.allNodes()) {
        for (const ValueId output : graph.node(id)->outputs) {
            const Value* value = graph.value(output);
            if (value && value->name == name)
                return id;
        }
    }
    return {};
}

MatchResult matchAt(const Graph& graph, RuleId rule, std::string_view root, const Policy& policy)
{
    const FusionPattern* pattern = findPattern(rule);
    const NodeId id = nodeNamed(graph, root);
    if (!pattern || !id) {
        std::cerr << "matchAt: no rule " << rule << " or no node " << root << "\n";
        std::abort();
    }
    Listener heard;
    MatchResult result = pattern->match(MatchContext{GraphView(graph), policy, &heard}, id);
    if (const std::string problem = toldProblem(result, heard); !problem.empty()) {
        std::cerr << "matchAt: " << rule << ": " << problem << "\n";
        std::abort();
    }
    return result;
}

std::string runProblem(const Graph& before, const Graph& after, double rtol, std::uint64_t seed)
{
    const auto made = madeFor(before, seed);
    if (!made)
        return "inputs: " + textOf(made.error(), &before);
    const std::string problem =
        compareRuns(before, after, made->inputs, made->inputs, rtol).problem;
    if (!problem.empty())
        return problem;
    // Indices and sizes may not be anything: what does not run as written proves nothing.
    const RunInputs ends = withEndsOfTypes(made->inputs, seed);
    if (!ReferenceExecutor(before).run(ends, {}))
        return {};
    const std::string atEnds = compareRuns(before, after, ends, ends, rtol).problem;
    return atEnds.empty() ? std::string() : "at the ends of types: " + atEnds;
}

std::string conditionedProblem(const Graph& before, const Graph& after, double rtol,
                               std::uint64_t seed)
{
    const auto made = madeFor(before, seed);
    if (!made)
        return "inputs: " + textOf(made.error(), &before);
    const RunDifference found = compareRuns(before, after, made->inputs, made->inputs, rtol);
    if (found.problem.empty() || found.byOutput.empty())
        return found.problem;
    // Outputs that this moves as far hold no more digits.
    RunInputs moved = made->inputs;
    std::uint64_t bits = seed;
    for (auto& [name, value] : moved) {
        const Tensor* tensor = value.tensor();
        if (!tensor || tensor->dtype() != DType::float32)
            continue;
        Tensor other = Tensor::allocate(DType::float32, tensor->shape());
        for (std::int64_t i = 0; i < other.elementCount(); ++i) {
            bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
            other.store(i, tensor->asDouble(i) * ((bits >> 63) != 0 ? 1 + 0x1p-21 : 1 - 0x1p-21));
        }
        value = std::move(other);
    }
    const RunDifference own = compareRuns(before, before, made->inputs, moved, 0);
    for (std::size_t i = 0; i < found.problems.size(); ++i) {
        const bool moves = i < own.byOutput.size() && found.byOutput[i] > 0 &&
                           found.byOutput[i] <= 8 * own.byOutput[i];
        if (!found.problems[i].empty() && !moves &&
            !isAsNearToDouble(before, after, made->inputs, i))
            return found.problems[i];
    }
    return {};
}

std::string rewriteProblem(Graph& graph, RuleId rule, std::string_view root,
                           const RewriteCheck& how)
{
    const MatchResult result = matchAt(graph, rule, root, how.policy);
    const auto* match = std::get_if<Match>(&result);
    if (!match)
        return "no match: " + refusalOf(graph, rule, root, how.policy);
    const Graph before = graph;
    IdPool pool(graph);
    PatchBuilder builder(graph, pool, rule, match->root);
    if (const auto built = findPattern(rule)->rewrite(*match, builder); !built)
        return "rewrite: " + textOf(built.error(), &graph);
    const auto patch = builder.finish();
    if (!patch)
        return "finish: " + textOf(patch.error(), &graph);
    if (const auto applied = graph.apply(*patch); !applied)
        return "apply: " + textOf(applied.error(), &graph);
    if (const auto checked = graph.check(); !checked)
        return "check: " + textOf(checked.error(), &graph);
    Graph undone = graph;
    if (!undone.apply(patch->inverse()) || printGraph(undone) != printGraph(before))
        return "the inverse does not give back the graph";
    return how.run ? runProblem(before, graph, how.rtol, how.seed) : std::string();
}

std::string refusalOf(const Graph& graph, RuleId rule, std::string_view root, const Policy& policy)
{
    const MatchResult result = matchAt(graph, rule, root, policy);
    if (std::holds_alternative<NotCandidate>(result))
        return "no candidate";
    if (std::holds_alternative<Match>(result))
        return "match";
    std::string lines;
    for (const Reason& reason : std::get<MissReason>(result).reasons) {
        lines += fmt::format("{}{} [{}] {} | {} | {}", lines.empty() ? "" : "\n",
                             idOf(reason.code),
                             reason.culprits.empty() ? "" : nameOf(graph, reason.culprits.front()),
                             render(reason.headline, &graph), render(reason.message, &graph),
                             render(reason.unblock, &graph));
        if (reason.fix)
            lines += fmt::format(" | {}", idOf(reason.fix->kind));
    }
    return lines;
}

std::string codesOf(const Graph& graph, RuleId rule, std::string_view root, const Policy& policy)
{
    const MatchResult result = matchAt(graph, rule, root, policy);
    if (std::holds_alternative<NotCandidate>(result))
        return "no candidate";
    if (std::holds_alternative<Match>(result))
        return "match";
    std::string codes;
    for (const Reason& reason : std::get<MissReason>(result).reasons)
        codes += (codes.empty() ? "" : " ") + std::string(idOf(reason.code));
    return codes;
}

std::string operatorsOf(const Graph& graph)
{
    return operatorsIn(graph, graph.mainBody());
}

} // namespace fusescope::test
