// Times plans of a model against each other, interleaved: fused and unfused, one and two threads.
// usage: executor_bench MODEL [--repeat N] [--threads N] [--steps] [--compare] [--plain] [--direct]
#include "exec/compare.h"
#include "exec/executor.h"
#include "exec/inputs.h"
#include "io/document.h"
#include "ops/inference.h"
#include "passes/optimizer.h"
#include "report/render.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <map>

using namespace fusescope;

namespace {

[[noreturn]] void die(const Error& error, const Graph* graph)
{
    fmt::print(stderr, "{}\n", render(error.message, graph));
    std::exit(1);
}

template <class T>
T must(Result<T> result, const Graph* graph = nullptr)
{
    if (!result)
        die(result.error(), graph);
    return *std::move(result);
}

Graph optimized(Graph graph)
{
    if (auto applied = graph.apply(must(inferGraph(graph)).patch); !applied)
        die(applied.error(), &graph);
    Optimizer optimizer(std::move(graph), {});
    while (must(optimizer.next())) {
    }
    return optimizer.graph();
}

void printSteps(const Graph& graph, const PlanProfile& profile)
{
    std::map<std::string, std::pair<double, int>> byKernel;
    for (const NodeProfile& n : profile.nodes) {
        byKernel[n.kernel + " " + n.layout].first += n.medianMs;
        ++byKernel[n.kernel + " " + n.layout].second;
    }
    for (const auto& [kernel, sum] : byKernel)
        fmt::print("  {:36} {:4} steps {:8.3f} ms\n", kernel, sum.second, sum.first);
    std::vector<NodeProfile> nodes = profile.nodes;
    std::ranges::stable_sort(nodes,
                             [](const auto& a, const auto& b) { return a.medianMs > b.medianMs; });
    for (std::size_t i = 0; i < std::min<std::size_t>(nodes.size(), 40); ++i) {
        const NodeProfile& n = nodes[i];
        const Node* node = graph.node(n.node);
        fmt::print("  {:8.3f} ms {:6.1f} GFLOP/s {:6.1f} GB/s  {:28} {:9} {} {} | {}\n", n.medianMs,
                   n.medianMs > 0 ? n.flops / n.medianMs / 1e6 : 0.0,
                   n.medianMs > 0 ? n.bytes / n.medianMs / 1e6 : 0.0, n.kernel, n.layout,
                   node ? node->op.type : "", node && node->region ? node->region->kind : "",
                   render(n.whyNotFaster, &graph));
    }
}

double largest(const RuntimeValue& value)
{
    double found = 0;
    for (std::int64_t i = 0; value.tensor() && i < value.tensor()->elementCount(); ++i)
        found = std::max(found, std::abs(value.tensor()->asDouble(i)));
    return found;
}

// The main graph's values that differ most between the reference and a plan, in order.
void printDifferences(const Graph& graph, const RunInputs& inputs, FusedExecutor& executor)
{
    RunOptions options;
    for (const NodeId id : *graph.nodes(graph.mainBody())) {
        for (const ValueId output : graph.node(id)->outputs)
            options.keep.insert(output);
    }
    const RunResult expected = must(ReferenceExecutor(graph).run(inputs, options), &graph);
    const RunResult found = must(executor.run(inputs, options), &graph);
    for (const NodeId id : *graph.nodes(graph.mainBody())) {
        const Node& node = *graph.node(id);
        for (const ValueId output : node.outputs) {
            const auto a = expected.kept.find(output);
            const auto b = found.kept.find(output);
            if (a == expected.kept.end() || b == found.kept.end())
                continue;
            const auto compared = compareValues(a->second, b->second, 2e-6);
            if (!compared.pass)
                fmt::print("  {} {} {}: max abs {} of {} cosine {} NaN {} {} {}\n", node.op.type,
                           node.name, graph.value(output)->name, compared.maxAbs,
                           largest(a->second), compared.cosine, compared.nanBefore,
                           compared.nanAfter, render(compared.why, &graph));
        }
    }
}

} // namespace

int main(int count, char** arguments)
{
    if (count < 2)
        return 2;
    int repeat = 20;
    int threads = 0;
    bool steps = false;
    bool compare = false;
    PlanOptions options;
    options.profile = true;
    for (int i = 2; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "--repeat" && i + 1 < count)
            repeat = std::atoi(arguments[++i]);
        else if (word == "--threads" && i + 1 < count)
            threads = std::atoi(arguments[++i]);
        else if (word == "--steps")
            steps = true;
        else if (word == "--compare")
            compare = true;
        else if (word == "--plain")
            options.blockedLayout = false;
        else if (word == "--direct")
            options.winograd = false;
        else
            return 2;
    }
    const auto document = must(Document::open(arguments[1]));
    const Graph opened = document->graph();
    const Graph graph = optimized(opened);
    const RunInputs inputs = must(makeInputs(opened, {}), &opened).inputs;
    for (const int t : {1, 2}) {
        if (threads != 0 && t != threads)
            continue;
        options.threads = t;
        const auto begin = std::chrono::steady_clock::now();
        options.fused = true;
        FusedExecutor fused = must(FusedExecutor::plan(graph, inputs, options), &graph);
        const double planned =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count();
        options.fused = false;
        FusedExecutor unfused = must(FusedExecutor::plan(opened, inputs, options), &opened);
        if (compare) {
            fmt::print("as opened, unfused:\n");
            printDifferences(opened, inputs, unfused);
            fmt::print("optimized, fused:\n");
            printDifferences(graph, inputs, fused);
        }
        const auto profiles =
            must(benchInterleaved({{"fused", &fused}, {"unfused", &unfused}}, inputs, repeat));
        for (const PlanProfile& p : profiles)
            fmt::print(
                "{} thread(s) {:8} min {:8.3f} median {:8.3f} p90 {:8.3f} ms, arena {:.1f} MB, "
                "weights {:.1f} MB, {} steps\n",
                t, p.name, p.minMs, p.medianMs, p.p90Ms, static_cast<double>(p.arenaBytes) / 1e6,
                static_cast<double>(p.weightBytes) / 1e6, p.nodes.size());
        fmt::print("{} thread(s) unfused / fused {:.2f}, planned in {:.0f} ms\n", t,
                   profiles[1].minMs / profiles[0].minMs, planned);
        if (steps) {
            printSteps(graph, profiles[0]);
        }
    }
    return 0;
}
