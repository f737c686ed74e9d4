#include "passes/optimizer.h"

#include "passes/lowering.h"

#include <algorithm>
#include <unordered_map>

namespace fusescope {

namespace {

using ValueMap = std::unordered_map<ValueId, ValueId>;

// What the values of a region's body are outside of it.
ValueMap outsideOf(const Node& region, const Body& body)
{
    ValueMap map;
    for (std::size_t i = 0; i < body.inputs.size() && i < region.inputs.size(); ++i)
        map[body.inputs[i]] = region.inputs[i];
    for (std::size_t i = 0; i < body.outputs.size() && i < region.outputs.size(); ++i) {
        if (region.outputs[i])
            map[body.outputs[i]] = region.outputs[i];
    }
    return map;
}

void translate(std::vector<ValueId>& ids, const ValueMap& map)
{
    for (ValueId& id : ids) {
        const auto found = map.find(id);
        if (found != map.end())
            id = found->second;
    }
}

bool sameContent(const Node& a, const Node& b)
{
    return a.op == b.op && a.name == b.name && a.attributes == b.attributes && a.body == b.body &&
           a.order == b.order && a.inputs == b.inputs && a.outputs == b.outputs &&
           a.bodies == b.bodies && a.docString == b.docString && a.metadata == b.metadata;
}

bool sameContent(const Value& a, const Value& b)
{
    return a.name == b.name && a.type == b.type && a.body == b.body && a.isInput == b.isInput &&
           a.constant == b.constant && a.sparse == b.sparse && a.docString == b.docString;
}

} // namespace

void lowerToBody(const Graph& graph, NodeId id, const Graph* opened, GraphPatch& patch)
{
    const NodePtr region = graph.nodePtr(id);
    const BodyId bodyId = region->bodies.front();
    const BodyPtr body = graph.bodyPtr(bodyId);
    const ValueMap map = outsideOf(*region, *body);
    patch.nodes.push_back({id, region, nullptr});
    patch.bodies.push_back({bodyId, body, nullptr});
    for (const ValueId input : body->inputs)
        patch.values.push_back({input, graph.valuePtr(input), nullptr});
    for (const NodeId innerId : *graph.nodes(bodyId)) {
        const NodePtr inner = graph.nodePtr(innerId);
        Node outside = *inner;
        outside.body = region->body;
        translate(outside.inputs, map);
        translate(outside.outputs, map);
        const NodePtr before = opened ? opened->nodePtr(innerId) : nullptr;
        patch.nodes.push_back({innerId, inner,
                               before && sameContent(*before, outside)
                                   ? before
                                   : std::make_shared<const Node>(std::move(outside))});
        for (const ValueId output : inner->outputs) {
            const ValuePtr value = graph.valuePtr(output);
            if (!value)
                continue;
            if (map.count(output) > 0) {
                patch.values.push_back({output, value, nullptr});
                continue;
            }
            Value moved = *value;
            moved.body = region->body;
            const ValuePtr old = opened ? opened->valuePtr(output) : nullptr;
            patch.values.push_back({output, value,
                                    old && sameContent(*old, moved)
                                        ? old
                                        : std::make_shared<const Value>(std::move(moved))});
        }
    }
}

void importInto(const Graph& graph, BodyId body, std::string_view domain, GraphPatch& patch)
{
    BodyId function = body;
    while (graph.body(function) && !graph.body(function)->function) {
        const Node* owner = graph.node(graph.body(function)->owner);
        function = owner ? owner->body : BodyId{};
    }
    if (!graph.body(function)) {
        if (!patch.header)
            patch.header = {graph.headerPtr(), graph.headerPtr()};
        if (patch.header->second->opset(domain) > 0)
            return;
        Header header = *patch.header->second;
        header.opsets.emplace_back(std::string(domain), 1);
        patch.header->second = std::make_shared<const Header>(std::move(header));
        return;
    }
    auto slot = std::find_if(patch.bodies.begin(), patch.bodies.end(),
                             [function](const auto& one) { return one.id == function; });
    if (slot == patch.bodies.end()) {
        patch.bodies.push_back({function, graph.bodyPtr(function), graph.bodyPtr(function)});
        slot = patch.bodies.end() - 1;
    }
    if (opsetIn(slot->after->function->opsets, domain) > 0)
        return;
    Body next = *slot->after;
    auto info = std::make_shared<FunctionInfo>(*next.function);
    info->opsets.emplace_back(std::string(domain), 1);
    next.function = std::move(info);
    slot->after = std::make_shared<const Body>(std::move(next));
}

Result<GraphPatch> lower(const Graph& graph, IdPool&, ExportForm form, const Graph* opened)
{
    GraphPatch patch;
    std::vector<NodeId> regions;
    for (const NodeId id : graph.allNodes()) {
        if (graph.node(id)->region)
            regions.push_back(id);
    }
    if (form == ExportForm::functions)
        return lowerToFunctions(graph, regions);
    for (const NodeId id : regions) {
        if (form == ExportForm::contrib) {
            FUSESCOPE_ASSIGN(const bool done, lowerToContrib(graph, id, patch));
            if (done)
                continue;
        }
        lowerToBody(graph, id, opened, patch);
    }
    return patch;
}

} // namespace fusescope
