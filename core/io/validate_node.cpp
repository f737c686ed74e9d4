#include "io/validate_node.h"

#include "report/node_form.h"

#include <algorithm>

namespace fusescope {

namespace {

class NodeValidator
{
public:
    NodeValidator(const Graph& graph, NodeId id, std::vector<Problem>& problems)
        : m_graph(graph), m_node(*graph.node(id)), m_id(id), m_problems(problems)
    {
    }

    void run()
    {
        checkReferences();
        if (m_node.region)
            return;
        if (const BodyId function = m_graph.functionOf(m_node.op)) {
            checkCall(*m_graph.body(function));
            return;
        }
        if (auto unknown = unknownOperator(m_graph, m_node)) {
            add(Severity::error, *std::move(unknown));
            return;
        }
        const OpSchema* schema = m_graph.schema(m_node);
        if (!schema)
            return; // a domain of others
        if (schema->deprecated) {
            add(Severity::warning,
                Message("io.operator-deprecated",
                        {{"op", m_node.op.type}, {"since", std::int64_t{schema->sinceVersion}}}));
            return;
        }
        checkCounts(*schema);
        checkAttributes(*schema);
        checkBatchNormalization(*schema);
    }

private:
    void add(Severity severity, Message message)
    {
        m_problems.push_back({severity, m_id, std::move(message)});
    }

    void checkReferences()
    {
        bool inFunction = false;
        for (BodyId id = m_node.body; const Body* body = m_graph.body(id);) {
            inFunction = inFunction || body->kind == Body::Kind::function;
            const Node* owner = m_graph.node(body->owner);
            if (!owner)
                break;
            id = owner->body;
        }
        for (const Attribute& a : m_node.attributes) {
            if (!a.reference.empty() && !inFunction)
                add(Severity::error, Message("io.reference-outside", {{"name", a.name}}));
        }
    }

    void checkCall(const Body& function)
    {
        const FunctionInfo& info = *function.function;
        if (m_node.inputs.size() > function.inputs.size())
            add(Severity::error, count(TextId("io.too-many-inputs"), m_node.inputs.size(),
                                       function.inputs.size()));
        if (m_node.outputs.size() > function.outputs.size())
            add(Severity::error, count(TextId("io.too-many-outputs"), m_node.outputs.size(),
                                       function.outputs.size()));
        for (const std::string& name : info.attributes) {
            if (!m_node.attributes.has(name))
                add(Severity::warning, Message("io.call-without-attribute", {{"name", name}}));
        }
    }

    Message count(TextId text, std::size_t found, std::size_t limit) const
    {
        return Message(text, {{"op", m_node.op.type},
                              {"found", static_cast<std::int64_t>(found)},
                              {"limit", static_cast<std::int64_t>(limit)}});
    }

    void checkCounts(const OpSchema& schema)
    {
        const auto limit = [](int n) { return static_cast<std::size_t>(std::max(n, 0)); };
        if (m_node.inputs.size() < limit(schema.minInputs))
            add(Severity::error,
                count(TextId("io.too-few-inputs"), m_node.inputs.size(), limit(schema.minInputs)));
        if (m_node.inputs.size() > limit(schema.maxInputs))
            add(Severity::error,
                count(TextId("io.too-many-inputs"), m_node.inputs.size(), limit(schema.maxInputs)));
        if (m_node.outputs.size() < limit(schema.minOutputs))
            add(Severity::error,
                count(TextId("io.too-few-outputs"), m_node.outputs.size(), limit(schema.minOutputs)));
        if (m_node.outputs.size() > limit(schema.maxOutputs))
            add(Severity::error, count(TextId("io.too-many-outputs"), m_node.outputs.size(),
                                       limit(schema.maxOutputs)));
        for (std::size_t i = 0; i < m_node.inputs.size(); ++i) {
            const FormalParameter* parameter = schema.input(i);
            if (parameter && parameter->option == ParamOption::single && !m_node.inputs[i])
                add(Severity::error,
                    Message("io.input-missing", {{"op", m_node.op.type},
                                                 {"name", std::string(parameter->name)}}));
        }
    }

    void checkAttributes(const OpSchema& schema)
    {
        for (const Attribute& a : m_node.attributes) {
            if (!schema.findAttribute(a.name))
                add(Severity::warning, Message("io.unknown-attribute",
                                               {{"op", m_node.op.type}, {"name", a.name}}));
        }
        for (Message& wrong : wrongAttributes(schema, m_node))
            add(Severity::error, std::move(wrong));
    }

    // Since version 14 the outputs past the first exist in training mode alone.
    void checkBatchNormalization(const OpSchema& schema)
    {
        if (!m_node.is("BatchNormalization") || schema.sinceVersion < 14)
            return;
        const bool training = m_node.attributes.getInt("training_mode", 0) != 0;
        if (!training && m_node.outputs.size() > 1)
            add(Severity::error, Message("io.batchnorm-outputs"));
    }

    const Graph& m_graph;
    const Node& m_node;
    NodeId m_id;
    std::vector<Problem>& m_problems;
};

} // namespace

void validateNode(const Graph& graph, NodeId id, std::vector<Problem>& problems)
{
    NodeValidator(graph, id, problems).run();
}

} // namespace fusescope
