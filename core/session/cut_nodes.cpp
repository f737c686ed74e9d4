#include "session/cut_nodes.h"

#include "ops/patch_builder.h"

#include <algorithm>

namespace fusescope {

namespace {

// What is told of each open size of an input, with the input and the axis.
using TakeSize = std::function<void(const Dim&, std::int64_t, const Value&, std::size_t)>;

void walkOpenSizes(const Graph& graph, const MadeInputs& inputs, const TakeSize& take)
{
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& value = *graph.value(id);
        const auto found = inputs.inputs.find(value.name);
        const Tensor* tensor =
            found == inputs.inputs.end() ? nullptr : found->second.tensor();
        if (!tensor || value.type.shape.rank() != tensor->rank())
            continue;
        for (std::size_t axis = 0; axis < tensor->rank(); ++axis) {
            const Dim& dim = value.type.shape.dims()[axis];
            if (dim.isSymbol() || dim.isUnknown())
                take(dim, tensor->shape()[axis], value, axis);
        }
    }
}

} // namespace

std::map<Dim, std::int64_t> symbolSizes(const Graph& graph, const MadeInputs& inputs)
{
    std::map<Dim, std::int64_t> sizes;
    walkOpenSizes(graph, inputs, [&sizes](const Dim& dim, std::int64_t size, const Value&,
                                          std::size_t) { sizes.emplace(dim, size); });
    return sizes;
}

std::vector<std::pair<std::string, std::int64_t>> namedSizes(const Graph& graph,
                                                             const MadeInputs& inputs)
{
    std::vector<std::pair<std::string, std::int64_t>> sizes;
    std::set<Dim> seen;
    walkOpenSizes(graph, inputs, [&](const Dim& dim, std::int64_t size, const Value& input,
                                     std::size_t axis) {
        if (seen.insert(dim).second)
            sizes.emplace_back(dim.isSymbol() ? std::string(dim.symbolName())
                                              : input.name + "[" + std::to_string(axis) + "]",
                               size);
    });
    return sizes;
}

Result<std::unordered_map<ValueId, RuntimeValue>>
standIns(const Graph& graph, const std::vector<NodeId>& cut, const MadeInputs& inputs,
         std::uint64_t seed)
{
    std::unordered_map<ValueId, RuntimeValue> given;
    const auto sizes = symbolSizes(graph, inputs);
    const auto sizeOf = [&sizes](const Dim& dim) -> std::optional<std::int64_t> {
        const auto found = sizes.find(dim);
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
                continue;
            InputRecipe recipe;
            recipe.seed = seed + output.value;
            FUSESCOPE_ASSIGN(given[output], makeValue(*value, std::move(shape), recipe));
        }
    }
    return given;
}

Result<std::vector<RuntimeValue>> likeFirstOperand(const Graph& graph, NodeId id,
                                                   const std::vector<RuntimeValue>& operands,
                                                   std::uint64_t seed)
{
    const auto first = std::ranges::find_if(
        operands, [](const RuntimeValue& operand) { return operand.tensor() != nullptr; });
    if (first == operands.end())
        return fail(ErrorCode::unsupported, Message("session.no-kernel", {{"node", id}}), id);
    std::vector<RuntimeValue> results;
    for (const ValueId output : graph.node(id)->outputs) {
        const Value* value = graph.value(output);
        if (!value) {
            results.emplace_back();
            continue;
        }
        Value made = *value;
        if (!made.type.isTensor() || !isKnown(made.type.dtype))
            made.type = Type::tensor(first->tensor()->dtype(), {});
        InputRecipe recipe;
        recipe.seed = seed + output.value;
        FUSESCOPE_ASSIGN(RuntimeValue result, makeValue(made, first->tensor()->shape(), recipe));
        results.push_back(std::move(result));
    }
    return results;
}

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

Counterparts::Counterparts(const Graph& before, const Graph& after, bool byName)
    : m_before(before), m_byName(byName)
{
    if (!byName)
        return;
    const Body& main = *after.body(after.mainBody());
    std::vector<ValueId> all = main.inputs;
    for (const NodeId id : *after.nodes(after.mainBody())) {
        const Node& node = *after.node(id);
        all.insert(all.end(), node.outputs.begin(), node.outputs.end());
    }
    for (const ValueId id : all) {
        if (const Value* value = after.value(id))
            m_names.emplace(value->name, id);
    }
}

ValueId Counterparts::of(ValueId id) const
{
    const Value* value = m_before.value(id);
    if (!m_byName || !value)
        return id;
    const auto found = m_names.find(value->name);
    return found == m_names.end() ? ValueId{} : found->second;
}

} // namespace fusescope
