#include "model/graph_text.h"
#include "model/graph_text_attributes.h"
#include "model/graph_text_literals.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fusescope {

namespace {

std::string nameText(std::string_view name)
{
    return isPlainIdentifier(name) ? std::string(name) : quotedText(name);
}

std::string pairsText(const OpsetImports& opsets)
{
    std::string text = "[";
    for (const auto& [domain, version] : opsets)
        text += fmt::format("{}{} : {}", text.size() > 1 ? ", " : "", quotedText(domain), version);
    return text + "]";
}

std::string pairsText(const Metadata& metadata)
{
    std::string text = "[";
    for (const auto& [key, value] : metadata)
        text += fmt::format("{}{} : {}", text.size() > 1 ? ", " : "", quotedText(key),
                            quotedText(value));
    return text + "]";
}

class GraphPrinter
{
public:
    GraphPrinter(const Graph& graph, const PrintOptions& options) : m_graph(graph), m_options(options)
    {
    }

    std::string print()
    {
        printHeader();
        if (const Body* main = m_graph.body(m_graph.mainBody())) {
            printSignature(*main);
            printNodes(m_graph.mainBody());
            m_text += '\n';
        }
        for (const BodyId function : m_graph.header().functions)
            printFunction(function);
        return std::move(m_text);
    }

private:
    void indent() { m_text.append(m_depth * 4, ' '); }

    void printHeader()
    {
        const Header& h = m_graph.header();
        m_text += fmt::format("<ir_version: {}, opset_import: {}", h.irVersion, pairsText(h.opsets));
        const auto field = [this](std::string_view key, const std::string& value) {
            if (!value.empty())
                m_text += fmt::format(", {}: {}", key, quotedText(value));
        };
        field("producer_name", h.producerName);
        field("producer_version", h.producerVersion);
        field("domain", h.domain);
        if (h.modelVersion != 0)
            m_text += fmt::format(", model_version: {}", h.modelVersion);
        field("doc_string", h.docString);
        if (!h.metadata.empty())
            m_text += ", metadata_props: " + pairsText(h.metadata);
        m_text += ">\n";
    }

    std::string valueText(ValueId id) const
    {
        if (!id)
            return "\"\"";
        const Value* value = m_graph.value(id);
        if (!value || value->name.empty())
            return fmt::format("%{}", id.value);
        return nameText(value->name);
    }

    std::string typedText(ValueId id) const
    {
        const Value* value = m_graph.value(id);
        const std::string type = value ? typeText(value->type) : std::string();
        return type.empty() ? valueText(id) : type + " " + valueText(id);
    }

    std::string typedList(const std::vector<ValueId>& ids) const
    {
        std::string text = "(";
        for (const ValueId id : ids)
            text += (text.size() > 1 ? ", " : "") + typedText(id);
        return text + ")";
    }

    std::string plainList(const std::vector<ValueId>& ids) const
    {
        std::string text;
        for (std::size_t i = 0; i < ids.size(); ++i)
            text += (i == 0 ? "" : ", ") + valueText(ids[i]);
        return text;
    }

    std::string initializerText(ValueId id) const
    {
        const Value* value = m_graph.value(id);
        if (!value || !value->isInitializer())
            return valueText(id);
        if (!value->constant)
            return fmt::format("{} = {}", typedText(id),
                               sparseText(*value->sparse, m_options.maxElements));
        // The tensor says its own type: the declared one may hold symbols.
        const Tensor& tensor = *value->constant;
        return fmt::format("{} {} = {}",
                           typeText(Type::tensor(tensor.dtype(), Shape::ofSizes(tensor.shape()))),
                           valueText(id), contentsText(tensor, m_options.maxElements));
    }

    void printSignature(const Body& body)
    {
        if (!body.name.empty())
            m_text += nameText(body.name) + " ";
        m_text += typedList(body.inputs) + " => " + typedList(body.outputs);
        printContents(body);
    }

    // Initializers, and the types of what stands between inputs and outputs.
    void printContents(const Body& body)
    {
        std::vector<std::string> items;
        for (const ValueId id : body.initializers)
            items.push_back(initializerText(id));
        const BodyId id = m_current;
        const auto nodes = m_graph.nodes(id);
        for (const NodeId nodeId : *nodes) {
            for (const ValueId output : m_graph.node(nodeId)->outputs) {
                const bool listed = std::find(body.outputs.begin(), body.outputs.end(), output) !=
                                    body.outputs.end();
                if (m_options.types && output && !listed && m_graph.value(output) &&
                    !typeText(m_graph.value(output)->type).empty())
                    items.push_back(typedText(output));
            }
        }
        if (items.empty())
            return;
        m_text += '\n';
        indent();
        m_text += '<';
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0) {
                m_text += ",\n";
                indent();
                m_text += ' ';
            }
            m_text += items[i];
        }
        m_text += '>';
    }

    void printNodes(BodyId id)
    {
        m_text += '\n';
        indent();
        m_text += "{\n";
        ++m_depth;
        const auto nodes = m_graph.nodes(id);
        for (const NodeId node : *nodes)
            printNode(*m_graph.node(node));
        --m_depth;
        indent();
        m_text += '}';
    }

    void printNode(const Node& node)
    {
        indent();
        if (!node.name.empty())
            m_text += "[" + nameText(node.name) + "] ";
        if (!node.outputs.empty())
            m_text += plainList(node.outputs) + " = ";
        std::string_view domain = node.op.domain;
        while (!domain.empty()) {
            const auto dot = domain.find('.');
            m_text += nameText(domain.substr(0, dot)) + ".";
            domain = dot == std::string_view::npos ? std::string_view() : domain.substr(dot + 1);
        }
        m_text += nameText(node.op.type);
        if (!node.op.overload.empty())
            m_text += ":" + nameText(node.op.overload);
        printAttributes(node);
        m_text += " (" + plainList(node.inputs) + ")\n";
    }

    void printAttributes(const Node& node)
    {
        if (node.attributes.empty() && !node.region)
            return;
        m_text += " <";
        bool first = true;
        const auto separate = [&] {
            m_text += first ? "" : ", ";
            first = false;
        };
        if (node.region) {
            separate();
            printRegion(node);
        }
        for (const Attribute& attribute : node.attributes) {
            separate();
            printAttribute(attribute, &node.op);
        }
        m_text += '>';
    }

    void printRegion(const Node& node)
    {
        m_text += "kind = " + quotedText(node.region->kind);
        const BodyId body = node.bodies.empty() ? BodyId{} : node.bodies[0];
        if (!node.region->roles.empty()) {
            m_text += ", roles = [";
            const auto nodes = m_graph.nodes(body);
            for (std::size_t i = 0; i < nodes->size(); ++i) {
                Role role = Role::part;
                for (const auto& [id, r] : node.region->roles)
                    role = id == (*nodes)[i] ? r : role;
                m_text += (i == 0 ? "" : ", ") + quotedText(nameOf(role));
            }
            m_text += ']';
        }
        m_text += ", body = ";
        printInner(body);
    }

    void printInner(BodyId id)
    {
        const Body* body = m_graph.body(id);
        if (!body)
            return;
        const BodyId outer = std::exchange(m_current, id);
        ++m_depth;
        printSignature(*body);
        printNodes(id);
        --m_depth;
        m_current = outer;
    }

    // Whether the value alone does not tell the type when it is read again.
    static bool needsType(const Attribute& attribute, const OpKey* op)
    {
        const AttributeType type = attribute.type;
        if (type == AttributeType::undefined)
            return false;
        const bool empty = std::visit(
            [](const auto& value) {
                if constexpr (requires { value.empty(); value.front(); value.capacity(); })
                    return value.empty();
                return false;
            },
            attribute.value);
        if (!attribute.reference.empty() || (empty && type != AttributeType::string))
            return true;
        const bool whole = type == AttributeType::integer || type == AttributeType::integers;
        const AttributeType known =
            whole && op ? schemaTypeOf(*op, attribute.name) : AttributeType::undefined;
        return known != AttributeType::undefined && known != type;
    }

    void printAttribute(const Attribute& attribute, const OpKey* op)
    {
        m_text += nameText(attribute.name);
        if (needsType(attribute, op))
            m_text += fmt::format(": {}", textNameOf(attribute.type));
        m_text += " = ";
        if (!attribute.reference.empty()) {
            m_text += "@" + nameText(attribute.reference);
            return;
        }
        std::visit([this](const auto& value) { printValue(value); }, attribute.value);
    }

    void printValue(std::monostate) { m_text += "[]"; }
    void printValue(std::int64_t value) { m_text += fmt::format("{}", value); }
    void printValue(float value) { m_text += floatText(value); }
    void printValue(const std::string& value) { m_text += quotedText(value); }
    void printValue(const TensorPtr& value)
    {
        m_text += value ? tensorText(*value, m_options.maxElements) : "float[0] {}";
    }
    void printValue(BodyId value) { printInner(value); }
    void printValue(const SparseTensorPtr& value)
    {
        m_text += value ? sparseText(*value, m_options.maxElements) : "sparse([])";
    }
    void printValue(const Type& value) { m_text += "type_proto " + typeText(value); }
    template <class T>
    void printValue(const std::vector<T>& values)
    {
        m_text += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0)
                m_text += ", ";
            printValue(values[i]);
        }
        m_text += ']';
    }

    void printFunction(BodyId id)
    {
        const Body& body = *m_graph.body(id);
        const FunctionInfo& info = *body.function;
        m_text += fmt::format("<domain: {}", quotedText(info.key.domain));
        if (!info.key.overload.empty())
            m_text += ", overload: " + quotedText(info.key.overload);
        m_text += ", opset_import: " + pairsText(info.opsets);
        if (!info.docString.empty())
            m_text += ", doc_string: " + quotedText(info.docString);
        if (!info.metadata.empty())
            m_text += ", metadata_props: " + pairsText(info.metadata);
        m_text += ">\n" + nameText(info.key.type);
        if (!info.attributes.empty() || !info.defaults.empty()) {
            m_text += " <";
            bool first = true;
            for (const std::string& name : info.attributes) {
                m_text += (first ? "" : ", ") + nameText(name);
                first = false;
            }
            for (const Attribute& attribute : info.defaults) {
                m_text += first ? "" : ", ";
                printAttribute(attribute, nullptr);
                first = false;
            }
            m_text += '>';
        }
        m_current = id;
        m_text += " " + typedList(body.inputs) + " => " + typedList(body.outputs);
        printContents(body);
        printNodes(id);
        m_text += '\n';
    }

    const Graph& m_graph;
    const PrintOptions& m_options;
    std::string m_text;
    std::size_t m_depth = 0;
    BodyId m_current = m_graph.mainBody();
};

} // namespace

std::string printGraph(const Graph& graph, const PrintOptions& options)
{
    return GraphPrinter(graph, options).print();
}

} // namespace fusescope
