#include "model/graph_maker.h"
#include "model/graph_text.h"
#include "model/graph_text_attributes.h"
#include "model/graph_text_literals.h"

#include <fmt/format.h>

namespace fusescope {

namespace {

constexpr int maxNesting = 64;

class GraphParser
{
public:
    explicit GraphParser(std::string_view text) : m_scanner(text) {}

    Result<Graph> parse()
    {
        ModelSource source;
        source.numbersAreNoNames = true;
        source.header.irVersion = 8;
        source.header.opsets = {{"", 17}};
        if (m_scanner.take('<'))
            FUSESCOPE_TRY(readHeader(source.header));
        FUSESCOPE_TRY(readGraph(source.main, Body::Kind::main));
        while (!m_scanner.atEnd()) {
            BodySource function;
            FUSESCOPE_TRY(readFunction(function));
            source.functions.push_back(std::move(function));
        }
        FUSESCOPE_ASSIGN(MadeGraph made, makeGraph(std::move(source)));
        return std::move(made.graph);
    }

private:
    // `[ "k" : v, … ]`
    template <class Read>
    Result<void> readPairs(Read read)
    {
        FUSESCOPE_TRY(m_scanner.expect('['));
        while (!m_scanner.take(']')) {
            FUSESCOPE_ASSIGN(std::string key, m_scanner.quoted());
            FUSESCOPE_TRY(m_scanner.expect(':'));
            FUSESCOPE_TRY(read(std::move(key)));
            if (m_scanner.peek() != ']')
                FUSESCOPE_TRY(m_scanner.expect(','));
        }
        return {};
    }

    Result<void> readOpsets(OpsetImports& opsets)
    {
        opsets.clear();
        return readPairs([&](std::string domain) -> Result<void> {
            FUSESCOPE_ASSIGN(const std::int64_t version, m_scanner.integer());
            opsets.emplace_back(std::move(domain), version);
            return {};
        });
    }

    Result<void> readMetadata(Metadata& metadata)
    {
        return readPairs([&](std::string key) -> Result<void> {
            FUSESCOPE_ASSIGN(std::string value, m_scanner.quoted());
            metadata.emplace_back(std::move(key), std::move(value));
            return {};
        });
    }

    Result<void> readText(std::string& into)
    {
        FUSESCOPE_ASSIGN(into, m_scanner.quoted());
        return {};
    }

    Result<void> readInteger(std::int64_t& into)
    {
        FUSESCOPE_ASSIGN(into, m_scanner.integer());
        return {};
    }

    Result<void> readHeader(Header& header)
    {
        do {
            const std::size_t start = m_scanner.position();
            FUSESCOPE_ASSIGN(const std::string key, m_scanner.identifier());
            FUSESCOPE_TRY(m_scanner.expect(':'));
            if (key == "ir_version")
                FUSESCOPE_TRY(readInteger(header.irVersion));
            else if (key == "opset_import")
                FUSESCOPE_TRY(readOpsets(header.opsets));
            else if (key == "producer_name")
                FUSESCOPE_TRY(readText(header.producerName));
            else if (key == "producer_version")
                FUSESCOPE_TRY(readText(header.producerVersion));
            else if (key == "domain")
                FUSESCOPE_TRY(readText(header.domain));
            else if (key == "model_version")
                FUSESCOPE_TRY(readInteger(header.modelVersion));
            else if (key == "doc_string")
                FUSESCOPE_TRY(readText(header.docString));
            else if (key == "metadata_props")
                FUSESCOPE_TRY(readMetadata(header.metadata));
            else
                return m_scanner.wrong("unknown field `" + key + "`", start);
        } while (m_scanner.take(','));
        return m_scanner.expect('>');
    }

    // name (inputs) => (outputs) <initializers and types> { nodes }
    Result<void> readGraph(BodySource& graph, Body::Kind kind)
    {
        graph.body.kind = kind;
        if (m_scanner.peek() != '(') {
            FUSESCOPE_ASSIGN(graph.body.name, m_scanner.name());
        }
        FUSESCOPE_TRY(m_scanner.expect('('));
        FUSESCOPE_TRY(readValues(graph, ')', &graph.inputs));
        FUSESCOPE_TRY(m_scanner.expect("=>"));
        FUSESCOPE_TRY(m_scanner.expect('('));
        FUSESCOPE_TRY(readValues(graph, ')', &graph.outputs));
        if (m_scanner.take('<'))
            FUSESCOPE_TRY(readValues(graph, '>', nullptr));
        return readNodes(graph);
    }

    // A list of typed names; without `values`, of initializers and types of values.
    Result<void> readValues(BodySource& graph, char end, std::vector<ValueSource>* values)
    {
        for (bool first = true; !m_scanner.take(end); first = false) {
            if (!first)
                FUSESCOPE_TRY(m_scanner.expect(','));
            ValueSource value;
            FUSESCOPE_ASSIGN(const auto type, readType(m_scanner));
            if (type)
                value.type = *type;
            FUSESCOPE_ASSIGN(value.name, m_scanner.name());
            const bool initialized = m_scanner.peek() == '=' || m_scanner.peek() == '{';
            if (initialized)
                FUSESCOPE_TRY(readInitializer(graph, value));
            if (values)
                values->push_back(std::move(value));
            else if (!initialized)
                graph.valueInfos.push_back(std::move(value));
        }
        return {};
    }

    Result<void> readInitializer(BodySource& graph, const ValueSource& value)
    {
        InitializerSource initializer;
        initializer.name = value.name;
        const std::size_t start = m_scanner.position();
        m_scanner.take('=');
        if (m_scanner.take("sparse")) {
            FUSESCOPE_ASSIGN(initializer.sparse, readSparse(m_scanner));
        } else {
            m_scanner.seek(start);
            FUSESCOPE_ASSIGN(initializer.tensor, readContents(m_scanner, value.type));
        }
        graph.initializers.push_back(std::move(initializer));
        return {};
    }

    Result<void> readNodes(BodySource& graph)
    {
        if (++m_nesting > maxNesting)
            return m_scanner.wrong("too many graphs within graphs", m_scanner.position());
        FUSESCOPE_TRY(m_scanner.expect('{'));
        while (!m_scanner.take('}')) {
            NodeSource node;
            FUSESCOPE_TRY(readNode(node));
            graph.nodes.push_back(std::move(node));
        }
        --m_nesting;
        return {};
    }

    // Names between commas; a missing one or "" is absent.
    Result<std::vector<std::string>> readNames()
    {
        std::vector<std::string> names;
        do {
            names.emplace_back();
            if (m_scanner.isNameNext()) {
                FUSESCOPE_ASSIGN(names.back(), m_scanner.name());
            }
        } while (m_scanner.take(','));
        return names;
    }

    Result<void> readNode(NodeSource& node)
    {
        if (m_scanner.take('[')) {
            FUSESCOPE_ASSIGN(node.node.name, m_scanner.name());
            FUSESCOPE_TRY(m_scanner.expect(']'));
        }
        const std::size_t start = m_scanner.position();
        if (auto outputs = readNames(); outputs && m_scanner.take('='))
            node.outputs = std::move(*outputs);
        else
            m_scanner.seek(start); // a node without outputs
        FUSESCOPE_TRY(readOperator(node.node.op));
        bool attributes = m_scanner.peek() == '<';
        if (attributes)
            FUSESCOPE_TRY(readAttributes(node));
        FUSESCOPE_TRY(m_scanner.expect('('));
        FUSESCOPE_ASSIGN(node.inputs, readNames());
        if (node.inputs.size() == 1 && node.inputs[0].empty())
            node.inputs.clear();
        FUSESCOPE_TRY(m_scanner.expect(')'));
        if (!attributes && m_scanner.peek() == '<')
            FUSESCOPE_TRY(readAttributes(node));
        if (node.node.op.domain == regionDomain)
            FUSESCOPE_TRY(makeRegion(node));
        return {};
    }

    // domain.parts.Type:overload
    Result<void> readOperator(OpKey& op)
    {
        FUSESCOPE_ASSIGN(op.type, m_scanner.identifier());
        while (m_scanner.take('.')) {
            op.domain += (op.domain.empty() ? "" : ".") + op.type;
            FUSESCOPE_ASSIGN(op.type, m_scanner.identifier());
        }
        if (op.domain == "ai.onnx")
            op.domain.clear();
        if (m_scanner.take(':')) {
            FUSESCOPE_ASSIGN(op.overload, m_scanner.identifier());
        }
        return {};
    }

    Result<void> readAttributes(NodeSource& node)
    {
        FUSESCOPE_TRY(m_scanner.expect('<'));
        for (bool first = true; !m_scanner.take('>'); first = false) {
            if (!first)
                FUSESCOPE_TRY(m_scanner.expect(','));
            FUSESCOPE_ASSIGN(Attribute attribute, readAttribute(&node, node.node.op));
            node.node.attributes.set(std::move(attribute));
        }
        return {};
    }

    Result<AttributeType> readAttributeType()
    {
        const std::size_t start = m_scanner.position();
        FUSESCOPE_ASSIGN(const std::string name, m_scanner.identifier());
        if (const auto type = attributeTypeNamed(name))
            return *type;
        return m_scanner.wrong("`" + name + "` is no type of an attribute", start);
    }

    // name: type = value; `node` takes the graphs.
    Result<Attribute> readAttribute(NodeSource* node, const OpKey& op)
    {
        Attribute attribute;
        FUSESCOPE_ASSIGN(attribute.name, m_scanner.identifier());
        if (m_scanner.take(':')) {
            FUSESCOPE_ASSIGN(attribute.type, readAttributeType());
        }
        FUSESCOPE_TRY(m_scanner.expect('='));
        const AttributeType known = schemaTypeOf(op, attribute.name);
        if (m_scanner.take('@')) {
            FUSESCOPE_ASSIGN(attribute.reference, m_scanner.identifier());
            if (attribute.type == AttributeType::undefined)
                attribute.type = known;
            return attribute;
        }
        const std::size_t start = m_scanner.position();
        std::vector<Literal> list;
        const bool isList = m_scanner.take('[');
        while (!isList || !m_scanner.take(']')) {
            if (!list.empty())
                FUSESCOPE_TRY(m_scanner.expect(','));
            FUSESCOPE_ASSIGN(Literal literal, readLiteral(node, attribute.name));
            list.push_back(std::move(literal));
            if (!isList)
                break;
        }
        if (attribute.type == AttributeType::undefined)
            attribute.type = typeOf(list, isList, known);
        if (!setValue(attribute, list, isList))
            return m_scanner.wrong(fmt::format("the value of `{}` does not fit its type",
                                               attribute.name),
                                   start);
        return attribute;
    }

    Result<Literal> readLiteral(NodeSource* node, const std::string& attributeName)
    {
        Literal literal;
        const char next = m_scanner.peek();
        if (next == '"') {
            literal.kind = Literal::Kind::string;
            FUSESCOPE_ASSIGN(literal.text, m_scanner.quoted());
            return literal;
        }
        if (m_scanner.take("sparse")) {
            literal.kind = Literal::Kind::sparse;
            FUSESCOPE_ASSIGN(literal.sparse, readSparse(m_scanner));
            return literal;
        }
        const std::size_t start = m_scanner.position();
        const bool isType = m_scanner.take("type_proto");
        FUSESCOPE_ASSIGN(const auto type, readType(m_scanner));
        if (type && (m_scanner.peek() == '{' || m_scanner.peek() == '=') && !isType) {
            literal.kind = Literal::Kind::tensor;
            FUSESCOPE_ASSIGN(literal.tensor, readContents(m_scanner, *type));
            return literal;
        }
        if (type) {
            literal.kind = Literal::Kind::type;
            literal.type = *type;
            return literal;
        }
        m_scanner.seek(start);
        if (next == '-' || next == '+' || next == '.' || (next >= '0' && next <= '9') ||
            m_scanner.take("inf") || m_scanner.take("nan") || m_scanner.take("true") ||
            m_scanner.take("false")) {
            m_scanner.seek(start);
            FUSESCOPE_ASSIGN(literal.text, m_scanner.number());
            return literal;
        }
        if (!node)
            return m_scanner.expected("a value");
        literal.kind = Literal::Kind::graph;
        BodySource inner;
        FUSESCOPE_TRY(readGraph(inner, Body::Kind::inner));
        inner.body.attributeName = attributeName;
        node->bodies.push_back(std::move(inner));
        literal.body = BodyId{static_cast<std::uint32_t>(node->bodies.size())};
        return literal;
    }

    // A region's kind, roles and body are written as attributes.
    Result<void> makeRegion(NodeSource& source)
    {
        Node& node = source.node;
        Region region;
        region.kind = node.attributes.getString("kind", "");
        const auto roles = node.attributes.getStrings("roles");
        if (source.bodies.size() != 1)
            return m_scanner.wrong("a region has one body", m_scanner.position());
        source.bodies[0].body.kind = Body::Kind::region;
        source.bodies[0].body.attributeName.clear();
        for (const std::string& name : roles.value_or(std::vector<std::string>())) {
            const auto role = roleFromName(name);
            if (!role)
                return m_scanner.wrong("`" + name + "` is no role", m_scanner.position());
            source.regionRoles.push_back(*role);
        }
        node.region = std::move(region);
        for (const char* name : {"kind", "roles", "body"})
            node.attributes.remove(name);
        return {};
    }

    // <domain: "f", opset_import: […]> name <attributes> (inputs) => (outputs) <types> { nodes }
    Result<void> readFunction(BodySource& source)
    {
        auto function = std::make_shared<FunctionInfo>();
        FUSESCOPE_TRY(m_scanner.expect('<'));
        do {
            const std::size_t start = m_scanner.position();
            FUSESCOPE_ASSIGN(const std::string key, m_scanner.identifier());
            FUSESCOPE_TRY(m_scanner.expect(':'));
            if (key == "domain")
                FUSESCOPE_TRY(readText(function->key.domain));
            else if (key == "overload")
                FUSESCOPE_TRY(readText(function->key.overload));
            else if (key == "opset_import")
                FUSESCOPE_TRY(readOpsets(function->opsets));
            else if (key == "doc_string")
                FUSESCOPE_TRY(readText(function->docString));
            else if (key == "metadata_props")
                FUSESCOPE_TRY(readMetadata(function->metadata));
            else
                return m_scanner.wrong("unknown field `" + key + "`", start);
        } while (m_scanner.take(','));
        FUSESCOPE_TRY(m_scanner.expect('>'));
        FUSESCOPE_ASSIGN(function->key.type, m_scanner.identifier());
        if (m_scanner.take('<'))
            FUSESCOPE_TRY(readFunctionAttributes(*function));
        source.body.kind = Body::Kind::function;
        source.body.name = function->key.type;
        source.body.function = std::move(function);
        FUSESCOPE_TRY(m_scanner.expect('('));
        FUSESCOPE_TRY(readValues(source, ')', &source.inputs));
        FUSESCOPE_TRY(m_scanner.expect("=>"));
        FUSESCOPE_TRY(m_scanner.expect('('));
        FUSESCOPE_TRY(readValues(source, ')', &source.outputs));
        if (m_scanner.take('<'))
            FUSESCOPE_TRY(readValues(source, '>', nullptr));
        return readNodes(source);
    }

    Result<void> readFunctionAttributes(FunctionInfo& function)
    {
        for (bool first = true; !m_scanner.take('>'); first = false) {
            if (!first)
                FUSESCOPE_TRY(m_scanner.expect(','));
            const std::size_t start = m_scanner.position();
            FUSESCOPE_ASSIGN(std::string name, m_scanner.identifier());
            if (m_scanner.peek() == ',' || m_scanner.peek() == '>') {
                function.attributes.push_back(std::move(name));
                continue;
            }
            m_scanner.seek(start);
            FUSESCOPE_ASSIGN(Attribute attribute, readAttribute(nullptr, OpKey{"", "", ""}));
            function.defaults.set(std::move(attribute));
        }
        return {};
    }

    TextScanner m_scanner;
    int m_nesting = 0;
};

} // namespace

Result<Graph> parseGraph(std::string_view text)
{
    return GraphParser(text).parse();
}

} // namespace fusescope
