#include "passes/body_outputs.h"
#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/graph_reader.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <unordered_map>

namespace fusescope {

namespace {

// before:  y = f{alpha = 2}(x), f(a) {t = Elu{alpha = @alpha}(a); t}     after:  y = Elu{alpha = 2}(x)
//
// One call of a model-local function becomes a copy of its nodes, with names of its own and the
// call's values for attribute references. Calls inside function bodies are opened once their caller
// is. A function that loses its last call goes with it. Kept: functions that call themselves, and
// operators that mean something else under the opset of the caller.
class InlineFunction final : public Pass
{
public:
    RuleId rule() const override { return "inline-function"; }
    Stage stage() const override { return Stage::inlining; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// All nodes of a body and of the bodies inside it.
void collect(const Graph& graph, BodyId id, std::vector<NodeId>& nodes)
{
    for (const NodeId member : *graph.nodes(id)) {
        nodes.push_back(member);
        for (const BodyId inner : graph.node(member)->bodies)
            collect(graph, inner, nodes);
    }
}

// The first operator of the function that would have another version at the caller.
std::optional<Reason> versionDiffers(const Graph& graph, const Node& call, BodyId function)
{
    std::vector<NodeId> nodes;
    collect(graph, function, nodes);
    for (const NodeId id : nodes) {
        const Node& node = *graph.node(id);
        const std::int64_t inside = graph.opset(function, node.op.domain);
        const std::int64_t outside = graph.opset(call.body, node.op.domain);
        if (inside == outside || outside == 0 || graph.functionOf(node.op))
            continue;
        const auto version = [&node](std::int64_t opset) {
            return opset > 0 ? findSchema(node.op.domain, node.op.type,
                                          static_cast<int>(std::min<std::int64_t>(opset, 9999)))
                             : nullptr;
        };
        const OpSchema* a = version(inside);
        const OpSchema* b = version(outside);
        if (a && a == b)
            continue;
        return makeReason(ReasonCode::operatorVersion, {id},
                          Message("headline.inline-version"),
                          Message("reason.inline-version",
                                  {{"node", id},
                                   {"op", node.op.type},
                                   {"inside", inside},
                                   {"outside", outside}}),
                          Message("unblock.inline-version"));
    }
    return std::nullopt;
}

// Copies a function's nodes to where one call stands.
class Copy
{
public:
    Copy(PatchBuilder& builder, NodeId call, BodyId function)
        : m_builder(builder), m_graph(builder.graph()), m_call(call),
          m_caller(*builder.graph().node(call)), m_function(*builder.graph().body(function)),
          m_id(function)
    {
    }

    // `isLast`: nothing else in the model calls the function.
    void run(bool isLast)
    {
        importDomains();
        for (std::size_t i = 0; i < m_function.inputs.size(); ++i)
            m_values[m_function.inputs[i]] = m_caller.input(i);
        for (const NodeId id : *m_graph.nodes(m_id))
            copyNode(id, m_caller.body, false);
        BodyOutputs outputs(m_builder, m_call);
        for (std::size_t i = 0; i < m_caller.outputs.size(); ++i) {
            const ValueId inner = m_function.outputs[i];
            const bool own = static_cast<bool>(m_graph.producer(inner));
            outputs.connect(m_caller.outputs[i], mapped(inner), own);
        }
        m_builder.removeNode(m_call);
        if (isLast)
            m_builder.removeFunction(m_id);
    }

private:
    ValueId mapped(ValueId id) const
    {
        const auto found = m_values.find(id);
        return found == m_values.end() ? id : found->second;
    }

    std::string nameFor(const std::string& inner) const
    {
        if (inner.empty() || m_caller.name.empty())
            return inner;
        return m_caller.name + "/" + inner;
    }

    ValueId fresh(ValueId inner, BodyId body)
    {
        const Value& value = *m_graph.value(inner);
        const ValueId id = m_builder.addValue(body, nameFor(value.name));
        m_values[inner] = id;
        return id;
    }

    // Domains that only the function imports keep its version.
    void importDomains()
    {
        for (const auto& [domain, version] : m_function.function->opsets) {
            if (m_graph.opset(m_caller.body, domain) > 0)
                continue;
            m_builder.editHeader([&domain = domain, version = version](Header& header) {
                if (opsetIn(header.opsets, domain) == 0)
                    header.opsets.emplace_back(domain, version);
            });
        }
    }

    NodeId copyNode(NodeId from, BodyId body, bool atEnd)
    {
        const Node& written = *m_graph.node(from);
        Node node = bindAttributes(written, m_caller.attributes, *m_function.function);
        node.name = nameFor(node.name);
        node.bodies.clear();
        for (ValueId& input : node.inputs)
            input = mapped(input);
        for (ValueId& output : node.outputs) {
            if (output)
                output = fresh(output, body);
        }
        node.origins = m_caller.origins.empty() ? std::vector<NodeId>{m_call} : m_caller.origins;
        node.origins.push_back(from);
        std::sort(node.origins.begin(), node.origins.end());
        const NodeId id = atEnd ? m_builder.addNodeAtEnd(body, std::move(node))
                                : m_builder.addNodeBefore(m_call, std::move(node));
        for (const BodyId inner : written.bodies)
            copyBody(inner, id);
        return id;
    }

    void copyBody(BodyId from, NodeId owner)
    {
        const Body& written = *m_graph.body(from);
        Body body = written;
        body.owner = owner;
        body.inputs.clear();
        body.outputs.clear();
        body.initializers.clear();
        const BodyId id = m_builder.addBody(std::move(body));
        m_builder.editNode(owner, [from, id](Node& node) {
            node.bodies.push_back(id);
            Attributes attributes;
            for (Attribute attribute : node.attributes) {
                if (auto* one = std::get_if<BodyId>(&attribute.value); one && *one == from)
                    *one = id;
                if (auto* many = std::get_if<std::vector<BodyId>>(&attribute.value))
                    std::replace(many->begin(), many->end(), from, id);
                attributes.set(std::move(attribute));
            }
            node.attributes = std::move(attributes);
        });
        for (const ValueId input : written.inputs) {
            const Value& value = *m_graph.value(input);
            m_values[input] = m_builder.addInput(id, nameFor(value.name), value.type);
        }
        for (const ValueId initializer : written.initializers) {
            const Value value = *m_graph.value(initializer);
            const ValueId copy =
                value.isInput ? mapped(initializer) : fresh(initializer, id);
            m_builder.editValue(copy, [&value](Value& v) {
                v.type = value.type;
                v.constant = value.constant;
                v.sparse = value.sparse;
            });
            m_builder.editBody(id, [copy](Body& b) { b.initializers.push_back(copy); });
        }
        for (const NodeId node : *m_graph.nodes(from))
            copyNode(node, id, true);
        m_builder.editBody(id, [this, &written](Body& b) {
            for (const ValueId output : written.outputs)
                b.outputs.push_back(mapped(output));
        });
    }

    PatchBuilder& m_builder;
    const Graph& m_graph;
    NodeId m_call;
    const Node m_caller;
    const Body m_function;
    BodyId m_id;
    std::unordered_map<ValueId, ValueId> m_values;
};

// Whether the function's nodes have each input that they cannot do without, and the call gives those
// of its own and what the function gives back.
bool givesWhatIsNeeded(const Graph& graph, const Node& call, BodyId function)
{
    const Body& body = *graph.body(function);
    const auto leftOut = [&](ValueId value) {
        const auto at = std::find(body.inputs.begin(), body.inputs.end(), value);
        return at != body.inputs.end() &&
               !call.input(static_cast<std::size_t>(at - body.inputs.begin()));
    };
    if (std::any_of(body.outputs.begin(), body.outputs.end(),
                    [&](ValueId output) { return !output || leftOut(output); }))
        return false;
    for (const NodeId id : *graph.nodes(function)) {
        const Node& node = *graph.node(id);
        const OpSchema* schema = graph.schema(node);
        for (std::size_t i = 0; schema && i < schema->inputs.size(); ++i) {
            const bool given = node.input(i) && !leftOut(node.input(i));
            if (!given && schema->inputs[i].option == ParamOption::single)
                return false;
        }
    }
    return true;
}

PassAnswer InlineFunction::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Graph& graph = view.graph();
    const Node* node = view.node(root);
    if (node->region || graph.header().functions.empty())
        return {};
    const BodyId function = graph.functionOf(node->op);
    const Body* body = graph.body(function);
    if (!body || !body->function || functionAround(graph, node->body))
        return {};
    const bool fits = node->inputs.size() <= body->inputs.size() &&
                      node->outputs.size() <= body->outputs.size() && node->bodies.empty();
    if (!fits || !givesWhatIsNeeded(graph, *node, function))
        return {};
    std::vector<Reason> reasons;
    const std::optional<std::int64_t> count = context.calls.nodesOf(function);
    if (!count)
        reasons.push_back(makeReason(ReasonCode::wouldCreateCycle, {root},
                                     Message("headline.inline-recursion"),
                                     Message("reason.inline-recursion", {{"op", node->op.type}}),
                                     Message("unblock.inline-recursion")));
    else if (*count > context.calls.limit())
        reasons.push_back(makeReason(ReasonCode::growthLimit, {root},
                                     Message("headline.inline-size"),
                                     Message("reason.inline-size",
                                             {{"node", root},
                                              {"found", *count},
                                              {"limit", context.calls.limit()}}),
                                     Message("unblock.inline-size")));
    if (auto differs = versionDiffers(graph, *node, function))
        reasons.push_back(std::move(*differs));
    if (isPinned(context, root) || holdsPinned(graph, context.match.policy, function))
        reasons.push_back(reasons::pinned(root));
    if (!reasons.empty()) {
        MissReason miss = missAt(rule(), root, std::move(reasons.front()));
        miss.reasons.insert(miss.reasons.end(), reasons.begin() + 1, reasons.end());
        return miss;
    }
    Offer offer;
    offer.root = root;
    offer.title = Message("title.inline-function", {{"node", root}, {"op", node->op.type}});
    offer.nodes = {root};
    offer.build = [root, function,
                   isLast = context.callers.of(function) <= 1](PatchBuilder& builder) -> Result<void> {
        Copy(builder, root, function).run(isLast);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> inlineFunctionRule()
{
    return std::make_unique<InlineFunction>();
}

} // namespace fusescope
