#include "passes/lowering.h"

#include "ops/activation/clip_bounds.h"
#include "ops/graph_reader.h"

#include "patterns/graph_view.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

struct Parts
{
    const Node* conv = nullptr;
    const Node* add = nullptr;
    const Node* activation = nullptr;
};

// The activation of com.microsoft.FusedConv that says the same, with its parameters.
struct FusedActivation
{
    std::string name;
    std::vector<float> parameters;
};

std::optional<float> bound(const Graph& graph, const Body& body, const Node& region, const Node& clip,
                           std::size_t index, float fallback)
{
    const ValueId id = clip.input(index);
    if (!id)
        return fallback;
    // Bounds are inputs of the region: the constant stands outside.
    const auto at = std::find(body.inputs.begin(), body.inputs.end(), id);
    const TensorPtr tensor =
        at == body.inputs.end()
            ? graph.constant(id)
            : graph.constant(region.input(static_cast<std::size_t>(at - body.inputs.begin())));
    if (!tensor || tensor->elementCount() != 1)
        return std::nullopt;
    return static_cast<float>(tensor->asDouble(0));
}

std::optional<FusedActivation> activationOf(const Graph& graph, const Body& body,
                                            const Node& region, const Node& node)
{
    if (hasReferences(node))
        return std::nullopt; // its numbers stand at the calls of the function around it
    if (node.is("Relu") || node.is("Sigmoid") || node.is("Tanh"))
        return FusedActivation{node.op.type, {}};
    if (node.is("LeakyRelu"))
        return FusedActivation{node.op.type, {node.attributes.getFloat("alpha", 0.01F)}};
    if (node.is("HardSigmoid"))
        return FusedActivation{node.op.type, {node.attributes.getFloat("alpha", 0.2F),
                                              node.attributes.getFloat("beta", 0.5F)}};
    if (node.is("Clip")) {
        const GraphView view(graph);
        const ClipBounds own =
            clipBounds(node.attributes, view.sinceVersion(node), view.dtype(node.input(0)));
        const auto low = bound(graph, body, region, node, 1, static_cast<float>(own.low));
        const auto high = bound(graph, body, region, node, 2, static_cast<float>(own.high));
        if (low && high)
            return FusedActivation{"Clip", {*low, *high}};
    }
    return std::nullopt;
}

// Conv, then at most one Add of another value, then at most one activation, and nothing else.
std::optional<Parts> partsOf(const Graph& graph, BodyId body)
{
    Parts parts;
    ValueId last;
    for (const NodeId id : *graph.nodes(body)) {
        const Node& node = *graph.node(id);
        if (!parts.conv && node.is("Conv")) {
            parts.conv = &node;
        } else if (parts.conv && !parts.add && !parts.activation && node.is("Add") &&
                   (node.input(0) == last) != (node.input(1) == last)) {
            parts.add = &node;
        } else if (parts.conv && !parts.activation && node.input(0) == last) {
            parts.activation = &node;
        } else {
            return std::nullopt;
        }
        last = node.output(0);
    }
    return parts.conv ? std::optional(parts) : std::nullopt;
}

} // namespace

Result<bool> lowerToContrib(const Graph& graph, NodeId id, GraphPatch& patch)
{
    const NodePtr region = graph.nodePtr(id);
    const BodyId bodyId = region->bodies.front();
    const Body& body = *graph.body(bodyId);
    const auto parts = partsOf(graph, bodyId);
    const Value* output = graph.value(region->output(0));
    // The CPU kernel of FusedConv takes float32 and two spatial dimensions.
    if (!parts || !output || output->type.dtype != DType::float32 ||
        !output->type.shape.hasRank() || output->type.shape.rank() != 4)
        return false;
    const auto outside = [&](ValueId inner) -> ValueId {
        const auto at = std::find(body.inputs.begin(), body.inputs.end(), inner);
        return at == body.inputs.end()
                   ? ValueId{}
                   : region->input(static_cast<std::size_t>(at - body.inputs.begin()));
    };
    Node fused;
    fused.op = {std::string(contribDomain), "FusedConv", ""};
    fused.name = region->name.empty() ? parts->conv->name : region->name;
    fused.body = region->body;
    fused.order = region->order;
    fused.origins = region->origins;
    fused.outputs = region->outputs;
    fused.attributes = parts->conv->attributes;
    fused.docString = parts->conv->docString;
    fused.metadata = parts->conv->metadata;
    for (std::size_t i = 0; i < 3; ++i)
        fused.inputs.push_back(parts->conv->input(i) ? outside(parts->conv->input(i)) : ValueId{});
    if (!fused.inputs[0] || !fused.inputs[1])
        return false;
    if (parts->add) {
        const ValueId conv = parts->conv->output(0);
        const ValueId other = parts->add->input(0) == conv ? parts->add->input(1)
                                                           : parts->add->input(0);
        const ValueId addend = outside(other);
        const Value* value = graph.value(addend);
        if (!value || !provablyEqual(value->type.shape, output->type.shape))
            return false;
        fused.inputs.push_back(addend);
    }
    while (!fused.inputs.back())
        fused.inputs.pop_back();
    if (parts->activation) {
        const auto activation = activationOf(graph, body, *region, *parts->activation);
        if (!activation)
            return false;
        fused.attributes.set({"activation", activation->name});
        if (!activation->parameters.empty())
            fused.attributes.set({"activation_params", activation->parameters});
    }
    patch.nodes.push_back({id, region, std::make_shared<const Node>(std::move(fused))});
    patch.bodies.push_back({bodyId, graph.bodyPtr(bodyId), nullptr});
    for (const ValueId input : body.inputs)
        patch.values.push_back({input, graph.valuePtr(input), nullptr});
    for (const NodeId inner : *graph.nodes(bodyId)) {
        patch.nodes.push_back({inner, graph.nodePtr(inner), nullptr});
        for (const ValueId value : graph.node(inner)->outputs) {
            if (value)
                patch.values.push_back({value, graph.valuePtr(value), nullptr});
        }
    }
    importInto(graph, region->body, contribDomain, patch);
    return true;
}

} // namespace fusescope
