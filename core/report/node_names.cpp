#include "report/node_names.h"

#include "report/render.h"

#include <fmt/format.h>

namespace fusescope {

namespace {

std::string capitalized(std::string_view kind)
{
    std::string text;
    bool upper = true;
    for (const char c : kind) {
        if (c == '-') {
            upper = true;
            continue;
        }
        text += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        upper = false;
    }
    return text;
}

} // namespace

std::string operatorTitle(const Graph& graph, const Node& node)
{
    if (node.region) {
        const auto members = graph.nodes(node.bodies.empty() ? BodyId{} : node.bodies.front());
        if (members->empty() || members->size() > 4)
            return capitalized(node.region->kind);
        std::string text;
        for (const NodeId id : *members) {
            const std::string& type = graph.node(id)->op.type;
            text += type == "BatchNormalization" ? "BN" : type;
        }
        return text;
    }
    return node.op.isStandard() ? node.op.type : node.op.domain + "." + node.op.type;
}

std::string namelessTitle(const Graph& graph, const Node& node, NodeId id)
{
    return fmt::format("{} #{}", node.region ? operatorTitle(graph, node) : node.op.type, id.value);
}

std::string operatorAndName(const Graph& graph, NodeId id)
{
    const Node* node = graph.node(id);
    if (!node)
        return displayName(&graph, id);
    const std::string title = operatorTitle(graph, *node);
    return node->name.empty() ? fmt::format("{} #{}", title, id.value) : title + " " + node->name;
}

std::string reachableName(const Graph& graph, NodeId id)
{
    const Node* node = graph.node(id);
    if (node && !node->name.empty())
        return node->name;
    for (const ValueId output : node ? node->outputs : std::vector<ValueId>()) {
        const Value* value = graph.value(output);
        if (value && !value->name.empty())
            return value->name;
    }
    return fmt::format("#{}", id.value);
}

std::string reachableName(const Graph& graph, ValueId id)
{
    const Value* value = graph.value(id);
    const NodeId producer = value && value->name.empty() ? graph.producer(id) : NodeId{};
    return producer ? reachableName(graph, producer) : displayName(&graph, id);
}

} // namespace fusescope
