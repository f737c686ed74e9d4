#include "support/rewrite_check.h"

#include "exec/compare.h"
#include "exec/inputs.h"
#include "ops/inference.h"
#include "report/node_names.h"
#include "report/render.h"
#include "support/sentences.h"

#include <fmt/format.h>

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
        if (!found.problems[i].empty() && !moves)
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
