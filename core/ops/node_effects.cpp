#include "ops/registry.h"

#include <algorithm>
#include <set>

namespace fusescope {

namespace {

constexpr int depthLimit = 64;

// Functions that were looked into already, in vain: each is looked into once.
using Seen = std::set<BodyId>;

// Whether `test` holds for a node of a body or of what it holds.
template <class Test>
bool anyInside(const Graph& graph, const Node& node, int depth, Seen& seen, const Test& test)
{
    const auto any = [&](BodyId body) {
        return graph.body(body) &&
               std::ranges::any_of(*graph.nodes(body), [&](NodeId inner) {
                   return test(*graph.node(inner), depth + 1);
               });
    };
    if (std::ranges::any_of(node.bodies, any))
        return true;
    const BodyId function = graph.functionOf(node.op);
    return function && seen.insert(function).second && any(function);
}

// Dropout drops in training: with is_test=0 up to 6, with a training_mode that is not known to be
// false from 12 on.
bool dropsAtRandom(const Graph& graph, const Node& node, int since)
{
    if (since < 7)
        return node.attributes.getInt("is_test", 0) == 0;
    if (since < 12 || !node.input(2))
        return false;
    const TensorPtr mode = graph.constant(node.input(2));
    return !mode || !mode->isAvailable() || mode->elementCount() != 1 || mode->asInt(0) != 0;
}

bool nonDeterministic(const Graph& graph, const Node& node, int depth, Seen& seen)
{
    if (depth > depthLimit)
        return true;
    if (!node.bodies.empty() || graph.functionOf(node.op))
        return anyInside(graph, node, depth, seen, [&](const Node& inner, int deeper) {
            return nonDeterministic(graph, inner, deeper, seen);
        });
    const OpSchema* schema = graph.schema(node);
    if (!schema)
        return false;
    if (node.is("Dropout"))
        return dropsAtRandom(graph, node, schema->sinceVersion);
    constexpr std::string_view random[] = {"Bernoulli",        "Multinomial",   "RandomNormal",
                                           "RandomNormalLike", "RandomUniform", "RandomUniformLike"};
    return node.op.isStandard() && std::ranges::find(random, node.op.type) != std::end(random);
}

bool sideEffects(const Graph& graph, const Node& node, std::span<const std::string> pure, int depth,
                 Seen& seen)
{
    if (depth > depthLimit)
        return true;
    if (std::ranges::find(pure, node.op.domain + ":" + node.op.type) != pure.end())
        return false;
    if (std::ranges::none_of(node.outputs, [](ValueId id) { return static_cast<bool>(id); }))
        return true;
    if (node.region)
        return false;
    if (graph.functionOf(node.op) || !node.bodies.empty()) {
        if (anyInside(graph, node, depth, seen, [&](const Node& inner, int deeper) {
                return sideEffects(graph, inner, pure, deeper, seen);
            }))
            return true;
        if (graph.functionOf(node.op))
            return false;
    }
    const OpSchema* schema = graph.schema(node);
    return !schema && (node.op.isStandard() || !findOp(node.op.domain, node.op.type, 9999));
}

} // namespace

bool isNonDeterministic(const Graph& graph, const Node& node)
{
    Seen seen;
    return nonDeterministic(graph, node, 0, seen);
}

bool mayHaveSideEffects(const Graph& graph, const Node& node, std::span<const std::string> pure)
{
    Seen seen;
    return sideEffects(graph, node, pure, 0, seen);
}

} // namespace fusescope
