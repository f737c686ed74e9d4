#include "passes/edit.h"

#include "ops/patch_builder.h"
#include "ops/registry.h"
#include "passes/rule_support.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace fusescope {

namespace {

tl::unexpected<Error> wrong(const Edit& edit, Message message)
{
    return fail(ErrorCode::invalidArgument, std::move(message), edit.node);
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t[");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t]") - first + 1);
}

template <class Number>
std::optional<Number> numberOf(std::string_view text)
{
    text = trimmed(text);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return number;
}

template <class Number>
std::optional<std::vector<Number>> numbersOf(std::string_view text)
{
    std::vector<Number> numbers;
    text = trimmed(text);
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const auto number = numberOf<Number>(text.substr(0, comma));
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return numbers;
}

std::optional<Attribute> attributeFrom(const std::string& name, AttributeType type,
                                       const std::string& text)
{
    const auto made = [&name](const auto& value) {
        return value ? std::optional(Attribute(name, *value)) : std::nullopt;
    };
    switch (type) {
    case AttributeType::integer:
        return made(numberOf<std::int64_t>(text));
    case AttributeType::floating:
        return made(numberOf<float>(text));
    case AttributeType::integers:
        return made(numbersOf<std::int64_t>(text));
    case AttributeType::floats:
        return made(numbersOf<float>(text));
    case AttributeType::string:
        return Attribute(name, text);
    default:
        return std::nullopt;
    }
}

AttributeType typeOf(const Graph& graph, const Node& node, const std::string& name)
{
    const OpSchema* schema = graph.schema(node);
    const SchemaAttribute* known = schema ? schema->findAttribute(name) : nullptr;
    const Attribute* own = node.attributes.find(name);
    return known ? known->type : own ? own->type : AttributeType::undefined;
}

// All nodes that need an output of `node`, itself first.
std::vector<NodeId> dependents(const Graph& graph, NodeId node)
{
    std::vector<NodeId> found{node};
    std::set<NodeId> seen{node};
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const ValueId output : graph.node(found[i])->outputs) {
            if (!output)
                continue;
            for (const Use& use : graph.uses(output)) {
                if (use.node && seen.insert(use.node).second)
                    found.push_back(use.node);
            }
        }
    }
    return found;
}

// What was known of values holds for the node as it was.
void forgetTypes(const Graph& graph, PatchBuilder& builder, NodeId node)
{
    const Body& main = *graph.body(graph.mainBody());
    for (const NodeId id : dependents(graph, node)) {
        for (const ValueId output : graph.node(id)->outputs) {
            const bool isPublic =
                std::find(main.outputs.begin(), main.outputs.end(), output) != main.outputs.end();
            if (!output || isPublic || !graph.value(output)->type.isTensor())
                continue;
            builder.editValue(output, [](Value& value) {
                value.type = Type::tensor(value.type.dtype);
                value.data.reset();
            });
        }
    }
}

Result<void> setAttribute(const Graph& graph, PatchBuilder& builder, const Edit& edit)
{
    const Node& node = *graph.node(edit.node);
    const Message problem("edit.wrong-attribute", {{"text", edit.text}, {"name", edit.name}});
    std::optional<Attribute> attribute;
    if (!edit.text.empty()) {
        attribute = attributeFrom(edit.name, typeOf(graph, node, edit.name), edit.text);
        if (!attribute)
            return wrong(edit, problem);
    } else if (const OpSchema* schema = graph.schema(node)) {
        const SchemaAttribute* known = schema->findAttribute(edit.name);
        if (known && known->required)
            return wrong(edit, problem);
    }
    forgetTypes(graph, builder, edit.node);
    builder.editNode(edit.node, [&](Node& n) {
        if (attribute)
            n.attributes.set(*attribute);
        else
            n.attributes.remove(edit.name);
    });
    return {};
}

Result<void> setInput(const Graph& graph, PatchBuilder& builder, const Edit& edit)
{
    const Node& node = *graph.node(edit.node);
    const Value* value = graph.value(edit.value);
    const NodeId producer = edit.value ? graph.producer(edit.value) : NodeId{};
    const Node* maker = producer ? graph.node(producer) : nullptr;
    const bool stands =
        !edit.value || (value && value->body == node.body && (!maker || maker->order < node.order));
    if (edit.index >= node.inputs.size() || !stands)
        return wrong(edit, Message("edit.wrong-input",
                                   {{"node", edit.node}, {"index", std::int64_t{edit.index}}}));
    forgetTypes(graph, builder, edit.node);
    builder.editNode(edit.node, [&](Node& n) {
        n.inputs[edit.index] = edit.value;
        while (!n.inputs.empty() && !n.inputs.back())
            n.inputs.pop_back();
    });
    return {};
}

Result<void> dropReader(const Graph& graph, PatchBuilder& builder, const Edit& edit)
{
    const std::vector<NodeId> gone = dependents(graph, edit.node);
    std::set<ValueId> values;
    for (const NodeId id : gone) {
        const Node& node = *graph.node(id);
        if (node.body != graph.mainBody() || mayHaveSideEffects(graph, node))
            return wrong(edit, Message("edit.wrong-reader", {{"node", edit.node}}));
        values.insert(node.outputs.begin(), node.outputs.end());
    }
    std::vector<ValueId> outputs = graph.body(graph.mainBody())->outputs;
    const std::size_t before = outputs.size();
    std::erase_if(outputs, [&values](ValueId output) { return values.contains(output); });
    if (outputs.empty())
        return wrong(edit, Message("edit.wrong-reader", {{"node", edit.node}}));
    if (outputs.size() < before)
        builder.editBody(graph.mainBody(), [&outputs](Body& body) { body.outputs = outputs; });
    for (auto id = gone.rbegin(); id != gone.rend(); ++id)
        builder.removeNode(*id);
    return {};
}

} // namespace

std::string_view idOf(EditKind kind)
{
    switch (kind) {
    case EditKind::attribute:
        return "edit-attribute";
    case EditKind::input:
        return "edit-input";
    case EditKind::reader:
        break;
    }
    return "drop-reader";
}

Result<GraphPatch> editPatch(const Graph& graph, IdPool& pool, const Edit& edit,
                             const Policy& policy)
{
    if (!graph.node(edit.node))
        return wrong(edit, Message("edit.no-node", {{"node", edit.node}}));
    PatchBuilder builder(graph, pool, idOf(edit.kind), edit.node, keptByPins(graph, policy));
    FUSESCOPE_TRY(edit.kind == EditKind::attribute ? setAttribute(graph, builder, edit)
                  : edit.kind == EditKind::input   ? setInput(graph, builder, edit)
                                                   : dropReader(graph, builder, edit));
    return builder.finish();
}

Message editTitle(const Edit& edit)
{
    const auto index = static_cast<std::int64_t>(edit.index);
    switch (edit.kind) {
    case EditKind::attribute:
        if (edit.text.empty())
            return Message("edit.attribute-default", {{"node", edit.node}, {"name", edit.name}});
        return Message("edit.attribute",
                       {{"node", edit.node}, {"name", edit.name}, {"text", edit.text}});
    case EditKind::input:
        if (!edit.value)
            return Message("edit.input-none", {{"node", edit.node}, {"index", index}});
        return Message("edit.input",
                       {{"node", edit.node}, {"index", index}, {"value", edit.value}});
    case EditKind::reader:
        break;
    }
    return Message("edit.reader", {{"node", edit.node}});
}

} // namespace fusescope
