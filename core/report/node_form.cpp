#include "report/node_form.h"

namespace fusescope {

std::optional<Message> unknownOperator(const Graph& graph, const Node& node)
{
    const std::string& domain = node.op.domain;
    const std::int64_t version = graph.opset(node.body, domain);
    if (version <= 0)
        return Message("model.domain-not-imported",
                       {{"domain", domain.empty() ? std::string("ai.onnx") : domain}});
    if (latestOpset(domain) == 0 || graph.schema(node))
        return std::nullopt;
    const auto versions = schemaVersions(domain, node.op.type);
    if (versions.empty())
        return Message("io.unknown-operator", {{"op", node.op.type}});
    return Message("io.operator-later", {{"op", node.op.type},
                                         {"version", version},
                                         {"since", std::int64_t{versions.front().sinceVersion}}});
}

std::vector<Message> wrongAttributes(const OpSchema& schema, const Node& node)
{
    std::vector<Message> wrong;
    for (const Attribute& a : node.attributes) {
        const SchemaAttribute* known = schema.findAttribute(a.name);
        if (known && a.type != known->type && a.type != AttributeType::undefined)
            wrong.push_back(Message("io.attribute-type",
                                    {{"op", node.op.type},
                                     {"name", a.name},
                                     {"expected", std::string(attributeTypeName(known->type))},
                                     {"found", std::string(attributeTypeName(a.type))}}));
    }
    for (const SchemaAttribute& known : schema.attributes) {
        if (known.required && !node.attributes.has(known.name))
            wrong.push_back(Message("io.attribute-missing",
                                    {{"op", node.op.type}, {"name", std::string(known.name)}}));
    }
    return wrong;
}

} // namespace fusescope
