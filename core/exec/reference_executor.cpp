#include "exec/executor.h"
#include "exec/bind_inputs.h"
#include "exec/gradient.h"
#include "exec/reference_run.h"
#include "ops/call_sizes.h"
#include "ops/registry.h"

namespace fusescope {

ReferenceExecutor::ReferenceExecutor(Graph graph) : m_graph(std::move(graph)) {}

Result<RunResult> ReferenceExecutor::run(const RunInputs& inputs, const RunOptions& options) const
{
    FUSESCOPE_TRY(CallSizes(m_graph).checkRunnable());
    FUSESCOPE_ASSIGN(std::vector<RuntimeValue> arguments, bindInputs(m_graph, inputs, options));
    const Body* main = m_graph.body(m_graph.mainBody());
    RunResult result;
    reference::Run run(m_graph, options, result);
    FUSESCOPE_ASSIGN(const std::vector<RuntimeValue> outputs, run.main(std::move(arguments)));
    for (std::size_t i = 0; i < main->outputs.size(); ++i)
        result.outputs.emplace_back(m_graph.value(main->outputs[i])->name, outputs[i]);
    return result;
}

Result<std::vector<RuntimeValue>> ReferenceExecutor::evaluate(const Graph& graph, NodeId node,
                                                              std::int64_t memoryLimit,
                                                              std::stop_token stop)
{
    RunOptions options;
    options.memoryLimit = memoryLimit;
    options.stop = std::move(stop);
    RunResult unused;
    reference::Run run(graph, options, unused);
    return run.alone(node);
}

std::vector<NodeId> ReferenceExecutor::nodesWithoutKernel(const Graph& graph)
{
    // Whether a node runs, given which functions do; a call of one that does not is the node to cut.
    std::vector<NodeId> result;
    std::set<BodyId> broken;
    const auto runs = [&](const Node& node) {
        if (node.region || reference::isGradient(node))
            return true;
        if (const BodyId function = graph.functionOf(node.op))
            return !broken.contains(function);
        const OpSchema* schema = graph.schema(node);
        const OpEntry* entry =
            schema ? findOp(node.op.domain, node.op.type, schema->sinceVersion) : nullptr;
        return entry && entry->kernel;
    };
    const std::vector<NodeId> all = graph.allNodes();
    if (!graph.header().functions.empty()) {
        // A function is broken by a node that does not run, calls of broken ones included.
        std::map<BodyId, std::vector<BodyId>> callers;
        std::vector<BodyId> open;
        const auto breaks = [&](BodyId function) {
            if (broken.insert(function).second)
                open.push_back(function);
        };
        for (const NodeId id : all) {
            const Node& node = *graph.node(id);
            const BodyId function = functionAround(graph, node.body);
            if (!function)
                continue;
            if (const BodyId called = graph.functionOf(node.op); called && !node.region)
                callers[called].push_back(function);
            else if (!runs(node))
                breaks(function);
        }
        while (!open.empty()) {
            const BodyId function = open.back();
            open.pop_back();
            for (const BodyId caller : callers[function])
                breaks(caller);
        }
    }
    for (const NodeId id : all) {
        const Node& node = *graph.node(id);
        if (!runs(node) && !functionAround(graph, node.body))
            result.push_back(id);
    }
    return result;
}

} // namespace fusescope
