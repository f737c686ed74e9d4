#include "report/node_form.h"

namespace fusescope {

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
