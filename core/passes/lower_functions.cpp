#include "passes/lowering.h"

#include <algorithm>
#include <map>

namespace fusescope {

namespace {

constexpr std::int64_t firstIrWithFunctions = 8;

// "conv-add-activation" → "ConvAddActivation".
std::string functionName(std::string_view kind)
{
    std::string name;
    bool upper = true;
    for (const char c : kind) {
        if (c == '-') {
            upper = true;
            continue;
        }
        name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        upper = false;
    }
    return name.empty() ? "Fused" : name;
}

// Whether two bodies compute the same, value by value in the same order.
bool sameBody(const Graph& graph, BodyId a, BodyId b)
{
    const Body& x = *graph.body(a);
    const Body& y = *graph.body(b);
    const auto left = graph.nodes(a);
    const auto right = graph.nodes(b);
    if (x.inputs.size() != y.inputs.size() || x.outputs.size() != y.outputs.size() ||
        left->size() != right->size())
        return false;
    std::map<ValueId, ValueId> same;
    for (std::size_t i = 0; i < x.inputs.size(); ++i)
        same[x.inputs[i]] = y.inputs[i];
    const auto equal = [&same](const std::vector<ValueId>& p, const std::vector<ValueId>& q) {
        if (p.size() != q.size())
            return false;
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (!p[i] || !q[i]) {
                if (p[i] || q[i])
                    return false;
            } else if (same[p[i]] != q[i]) {
                return false;
            }
        }
        return true;
    };
    for (std::size_t i = 0; i < left->size(); ++i) {
        const Node& m = *graph.node((*left)[i]);
        const Node& n = *graph.node((*right)[i]);
        if (m.op != n.op || !(m.attributes == n.attributes) || !m.bodies.empty() ||
            !n.bodies.empty() || m.outputs.size() != n.outputs.size() || !equal(m.inputs, n.inputs))
            return false;
        for (std::size_t k = 0; k < m.outputs.size(); ++k) {
            if (!m.outputs[k] != !n.outputs[k])
                return false;
            same[m.outputs[k]] = n.outputs[k];
        }
    }
    return equal(x.outputs, y.outputs);
}

void removeBody(const Graph& graph, BodyId id, GraphPatch& patch)
{
    const BodyPtr body = graph.bodyPtr(id);
    patch.bodies.push_back({id, body, nullptr});
    for (const ValueId input : body->inputs)
        patch.values.push_back({input, graph.valuePtr(input), nullptr});
    for (const NodeId inner : *graph.nodes(id)) {
        patch.nodes.push_back({inner, graph.nodePtr(inner), nullptr});
        for (const ValueId output : graph.node(inner)->outputs) {
            if (output)
                patch.values.push_back({output, graph.valuePtr(output), nullptr});
        }
    }
}

// The imports that hold where a body is: those of the function around it, else of the model.
const OpsetImports& opsetsAround(const Graph& graph, BodyId id)
{
    while (const Body* body = graph.body(id)) {
        if (body->function)
            return body->function->opsets;
        const Node* owner = graph.node(body->owner);
        if (!owner)
            break;
        id = owner->body;
    }
    return graph.header().opsets;
}

// The attributes of the function around a body that its nodes refer to, as the call of a function
// made of the body hands them on.
Attributes referencesOf(const Graph& graph, BodyId body)
{
    Attributes result;
    for (const NodeId id : *graph.nodes(body)) {
        for (const Attribute& attribute : graph.node(id)->attributes) {
            if (attribute.reference.empty() || result.has(attribute.reference))
                continue;
            Attribute handed;
            handed.name = attribute.reference;
            handed.type = attribute.type;
            handed.reference = attribute.reference;
            result.set(std::move(handed));
        }
    }
    return result;
}

struct Made
{
    BodyId body;
    OpKey key;
    const OpsetImports* opsets;
};

} // namespace

Result<GraphPatch> lowerToFunctions(const Graph& graph, const std::vector<NodeId>& regions)
{
    GraphPatch patch;
    if (regions.empty())
        return patch;
    if (graph.header().irVersion < 4)
        return fail(ErrorCode::unsupported,
                    Message("lower.ir-too-old", {{"ir", graph.header().irVersion}}));
    std::vector<Made> made;
    std::map<std::string, int> used;
    std::vector<BodyId> functions;
    for (const NodeId id : regions) {
        const NodePtr region = graph.nodePtr(id);
        const BodyId bodyId = region->bodies.front();
        const OpsetImports& opsets = opsetsAround(graph, region->body);
        const auto found = std::find_if(made.begin(), made.end(), [&](const Made& one) {
            return *one.opsets == opsets && sameBody(graph, one.body, bodyId);
        });
        const Attributes references = referencesOf(graph, bodyId);
        OpKey key;
        if (found != made.end()) {
            key = found->key;
            removeBody(graph, bodyId, patch);
        } else {
            const std::string base = functionName(region->region->kind);
            do {
                const int count = ++used[base];
                key = {std::string(regionDomain), count == 1 ? base : base + std::to_string(count),
                       ""};
            } while (graph.functionOf(key));
            made.push_back({bodyId, key, &opsets});
            Body function = *graph.body(bodyId);
            FunctionInfo info;
            info.key = key;
            info.opsets = opsets;
            for (const Attribute& attribute : references)
                info.attributes.push_back(attribute.name);
            function.kind = Body::Kind::function;
            function.owner = {};
            function.name = key.type;
            function.function = std::make_shared<const FunctionInfo>(std::move(info));
            patch.bodies.push_back(
                {bodyId, graph.bodyPtr(bodyId), std::make_shared<const Body>(std::move(function))});
            functions.push_back(bodyId);
        }
        Node call = *region;
        call.op = key;
        call.bodies.clear();
        call.region.reset();
        call.attributes = references;
        importInto(graph, region->body, regionDomain, patch);
        patch.nodes.push_back({id, region, std::make_shared<const Node>(std::move(call))});
    }
    // A model names its functions by domains that it imports itself.
    importInto(graph, graph.mainBody(), regionDomain, patch);
    Header header = *patch.header->second;
    header.irVersion = std::max(header.irVersion, firstIrWithFunctions);
    header.functions.insert(header.functions.end(), functions.begin(), functions.end());
    patch.header->second = std::make_shared<const Header>(std::move(header));
    return patch;
}

} // namespace fusescope
