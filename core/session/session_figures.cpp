#include "ops/cost.h"
#include "passes/explain.h"
#include "session/cut_nodes.h"
#include "session/session_state.h"

#include <fmt/format.h>

namespace fusescope {

namespace {

std::string operatorName(const Node& node)
{
    if (node.region)
        return node.region->kind;
    return node.op.domain.empty() ? node.op.type : node.op.domain + "." + node.op.type;
}

} // namespace

ModelFigures Session::figures(const Timeline& timeline, int step) const
{
    const Graph graph = timeline.at(step);
    ModelFigures figures;
    figures.nodes = graph.nodeCount();
    std::map<Dim, std::int64_t> sizes;
    if (auto inputs = loadInputs(graph, path(), {}, false, 0, true)) {
        figures.approximate = !inputs->assumed.empty();
        sizes = symbolSizes(graph, *inputs);
    }
    const auto sizeOf = [&sizes](const Dim& dim) -> std::optional<std::int64_t> {
        const auto found = sizes.find(dim);
        return found == sizes.end() ? std::nullopt : std::optional(found->second);
    };
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const ValueId id{i};
        const Value* value = graph.value(id);
        if (!value)
            continue;
        figures.initializers += value->isInitializer() ? 1 : 0;
        const std::int64_t stored = storedBytesOf(graph, id);
        figures.bytes += stored;
        const TensorPtr constant = value->constant ? value->constant
                                   : stored > 0    ? graph.constant(id)
                                                   : nullptr;
        if (constant && isFloatingPoint(constant->dtype()))
            figures.parameters += constant->elementCount();
    }
    double activationBytes = 0;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = *graph.node(id);
        const Body* body = graph.body(node.body);
        if (!body || body->kind == Body::Kind::region)
            continue;
        ++figures.operators[operatorName(node)];
        if (body->kind == Body::Kind::function)
            continue;
        if (node.bodies.empty() || node.region)
            figures.flops += flopsOf(graph, id, sizeOf).value_or(0);
        if (node.is("Constant"))
            continue;
        for (const ValueId output : node.outputs) {
            if (const Value* value = graph.value(output))
                activationBytes += static_cast<double>(bytesOf(*value, sizeOf).value_or(0));
        }
    }
    figures.activationBytes = countedSum(activationBytes);
    return figures;
}

GraphDiff Session::diff(const Timeline& timeline, int a, int b) const
{
    GraphPatch patch;
    for (int k = a; k < b; ++k)
        patch = patch.then(timeline.steps[static_cast<std::size_t>(k)]->patch);
    GraphDiff diff = diffOfPatch(timeline.at(a), timeline.at(b), patch);
    for (const Lifespan& life : timeline.unionGraph.lifespans())
        diff.cameAndWent += life.first > a && life.last >= 0 && life.last < b ? 1 : 0;
    return diff;
}

std::vector<Explanation> Session::explain(const Timeline& timeline, int step, NodeId node) const
{
    return explainNode(timeline.at(step), timeline.plan, node, timeline.at(0));
}

PairExplanation Session::explainPair(const Timeline& timeline, int step, NodeId a, NodeId b) const
{
    return fusescope::explainPair(timeline.at(step), timeline.plan, a, b, timeline.at(0));
}

std::vector<NodeId> Session::findNodes(const Graph& graph, const std::string& name) const
{
    if (name.size() > 1 && name[0] == '#' &&
        name.find_first_not_of("0123456789", 1) == std::string::npos && name.size() < 11) {
        const NodeId id{static_cast<std::uint32_t>(std::stoul(name.substr(1)))};
        return graph.node(id) ? std::vector<NodeId>{id} : std::vector<NodeId>{};
    }
    std::vector<NodeId> byNode, byOutput;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = *graph.node(id);
        if (!name.empty() && node.name == name)
            byNode.push_back(id);
        for (const ValueId output : node.outputs) {
            const Value* value = graph.value(output);
            if (!name.empty() && value && value->name == name)
                byOutput.push_back(id);
        }
    }
    for (const NodeId id : byOutput) {
        if (std::find(byNode.begin(), byNode.end(), id) == byNode.end())
            byNode.push_back(id);
    }
    return byNode;
}

} // namespace fusescope
