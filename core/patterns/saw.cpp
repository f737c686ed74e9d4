#include "patterns/saw.h"

#include <algorithm>

namespace fusescope::saw {

Saw version(const MatchContext& context, NodeId id)
{
    return [&context, id]() -> Message {
        const Node* node = context.view.node(id);
        if (!node)
            return {};
        return Message("saw.version",
                       {{"node", id},
                        {"op", node->op.type},
                        {"version", static_cast<std::int64_t>(context.view.sinceVersion(*node))}});
    };
}

Saw attributes(const MatchContext& context, NodeId id)
{
    return [&context, id]() -> Message {
        const Node* node = context.view.node(id);
        if (!node)
            return {};
        std::string names;
        for (const Attribute& attribute : node->attributes)
            names += (names.empty() ? "" : " ") + attribute.name;
        if (names.empty())
            return Message("saw.no-attributes", {{"node", id}});
        return Message("saw.attributes", {{"node", id}, {"names", names}});
    };
}

Saw outputs(NodeId id, const Node& node)
{
    return [id, &node] {
        return Message("saw.outputs",
                       {{"node", id},
                        {"count", static_cast<std::int64_t>(std::count_if(
                                      node.outputs.begin(), node.outputs.end(),
                                      [](ValueId output) { return static_cast<bool>(output); }))}});
    };
}

Saw type(const MatchContext& context, ValueId value)
{
    return [&context, value] {
        return Message("saw.type", {{"value", value},
                                    {"type", std::string(nameOf(context.view.dtype(value)))}});
    };
}

} // namespace fusescope::saw
