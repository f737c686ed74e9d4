#include "session/card.h"

#include "model/element_text.h"
#include "report/node_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace fusescope {

namespace {

std::string joined(const std::vector<std::int64_t>& numbers, std::string_view separator)
{
    std::string text;
    for (const std::int64_t number : numbers) {
        if (!text.empty())
            text += separator;
        // The largest number stands for "to the end".
        constexpr std::int64_t huge = std::int64_t{1} << 62;
        text += number >= huge  ? std::string("max")
                : number <= -huge ? std::string("min")
                : number < 0      ? fmt::format("\u2212{}", -number)
                                  : fmt::format("{}", number);
        if (text.size() > 60)
            return text + separator.data() + "…";
    }
    return text;
}

std::string number(double value)
{
    std::string text = fmt::format("{:.4g}", value);
    if (!text.empty() && text.front() == '-')
        text = "\u2212" + text.substr(1);
    return text;
}

bool allEqual(const std::vector<std::int64_t>& numbers)
{
    return std::ranges::all_of(numbers, [&](auto n) { return n == numbers.front(); });
}

std::vector<std::int64_t> constantInts(const Graph& graph, ValueId id)
{
    const TensorPtr tensor = id ? graph.constant(id) : nullptr;
    if (!tensor || !isInteger(tensor->dtype()) || tensor->elementCount() > 16
        || !tensor->isAvailable())
        return {};
    return tensor->asInts();
}

std::string scalarText(const Tensor& tensor)
{
    if (!tensor.isAvailable())
        return "?";
    if (tensor.isString())
        return '"' + tensor.loadString(0).substr(0, 24) + '"';
    if (tensor.dtype() == DType::boolean)
        return tensor.asInt(0) ? "true" : "false";
    if (isInteger(tensor.dtype()))
        return tensor.dtype() == DType::uint64 ? integerText(tensor, 0) : joined({tensor.asInt(0)}, "");
    return number(tensor.asDouble(0));
}

// The strides, dilations and groups of a window, after its size.
std::string windowKey(const Graph& graph, const Node& node)
{
    std::vector<std::int64_t> kernel = node.attributes.getInts("kernel_shape").value_or(
        std::vector<std::int64_t>{});
    const bool weighted = node.op.type.find("Conv") != std::string::npos;
    if (kernel.empty() && weighted) {
        const Value* weight = graph.value(node.input(node.is("QLinearConv") ? 3 : 1));
        if (weight && weight->type.isTensor()) {
            const auto dims = weight->type.shape.staticDims();
            if (dims && dims->size() > 2)
                kernel.assign(dims->begin() + 2, dims->end());
        }
    }
    std::string text = joined(kernel, "×");
    const auto add = [&](const char* attribute, const char* sign) {
        const auto list = node.attributes.getInts(attribute);
        if (!list || list->empty() || (allEqual(*list) && list->front() == 1))
            return;
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", sign,
                            allEqual(*list) ? joined({list->front()}, "") : joined(*list, "×"));
    };
    add("strides", "/");
    add("dilations", "d");
    if (const std::int64_t group = node.attributes.getInt("group", 1); group != 1)
        text += fmt::format(" g{}", group);
    return text;
}

std::string_view signOf(std::string_view type)
{
    if (type == "Add")
        return "+";
    if (type == "Sub")
        return "\u2212";
    if (type == "Mul")
        return "×";
    if (type == "Div")
        return "÷";
    return type == "Pow" ? "^" : "";
}

struct Key
{
    std::string text;
    std::set<std::string_view> attributes; // that it shows
    int input = -1;                        // that it shows
};

Key keyOf(const Graph& graph, const Node& node)
{
    const std::string& type = node.op.type;
    if (!node.op.isStandard())
        return {};
    if (type.find("Conv") != std::string::npos || (type.find("Pool") != std::string::npos
                                                   && !type.starts_with("Global")))
        return {windowKey(graph, node), {"kernel_shape", "strides", "dilations", "group"}, -1};
    if (type == "Transpose") {
        if (const auto perm = node.attributes.getInts("perm"))
            return {joined(*perm, " "), {"perm"}, -1};
        return {};
    }
    if (type == "Reshape" || type == "Expand") {
        const auto target = constantInts(graph, node.input(1));
        return {target.empty() ? "" : "[" + joined(target, ", ") + "]", {}, target.empty() ? -1 : 1};
    }
    if (type == "Cast")
        return {std::string(nameOf(static_cast<DType>(node.attributes.getInt("to", 0)))), {"to"}, -1};
    if (const std::string_view sign = signOf(type); !sign.empty()) {
        for (int i = 1; i >= 0; --i) {
            const TensorPtr tensor = node.input(static_cast<std::size_t>(i))
                                         ? graph.constant(node.input(static_cast<std::size_t>(i)))
                                         : nullptr;
            if (!tensor || tensor->elementCount() != 1)
                continue;
            const std::string operand = scalarText(*tensor);
            return {i == 1 ? fmt::format("{} {}", sign, operand)
                           : fmt::format("{} {}", operand, sign), {}, i};
        }
        return {};
    }
    if (type == "Squeeze" || type == "Unsqueeze" || type.starts_with("Reduce")) {
        auto axes = node.attributes.getInts("axes").value_or(std::vector<std::int64_t>{});
        const bool given = !axes.empty();
        if (!given)
            axes = constantInts(graph, node.input(1));
        return {axes.empty() ? "" : "axes " + joined(axes, " "), {"axes"},
                given || axes.empty() ? -1 : 1};
    }
    if (node.attributes.has("axis"))
        return {"axis " + joined({node.attributes.getInt("axis", 0)}, ""), {"axis"}, -1};
    return {};
}

struct AttributeText
{
    std::string operator()(std::int64_t v) const { return joined({v}, ""); }
    std::string operator()(float v) const { return number(static_cast<double>(v)); }
    std::string operator()(const std::string& v) const { return v.substr(0, 40); }
    std::string operator()(const std::vector<std::int64_t>& v) const { return joined(v, " "); }
    std::string operator()(const std::vector<float>& v) const
    {
        std::string text;
        for (std::size_t i = 0; i < v.size() && i < 6; ++i)
            text += (i == 0 ? "" : " ") + number(static_cast<double>(v[i]));
        return v.size() > 6 ? text + " …" : text;
    }
    std::string operator()(const std::vector<std::string>& v) const
    {
        return v.size() == 1 ? v.front().substr(0, 40) : fmt::format("{} strings", v.size());
    }
    std::string operator()(const TensorPtr& v) const
    {
        return v ? shapeLabel(Shape::ofSizes(v->shape())) : "?";
    }
    std::string operator()(const Type& v) const { return v.text(); }
    std::string operator()(const auto&) const { return "…"; }
};

std::string attributeText(const Attribute& attribute)
{
    if (!attribute.reference.empty())
        return "@" + attribute.reference;
    return std::visit(AttributeText{}, attribute.value);
}

bool isDefault(const Attribute& attribute, const OpSchema* schema)
{
    const SchemaAttribute* known = schema ? schema->findAttribute(attribute.name) : nullptr;
    if (!known || !known->hasDefault())
        return false;
    if (const auto* whole = std::get_if<std::int64_t>(&known->defaultValue))
        return std::get_if<std::int64_t>(&attribute.value)
               && std::get<std::int64_t>(attribute.value) == *whole;
    if (const auto* real = std::get_if<float>(&known->defaultValue)) {
        const float* value = std::get_if<float>(&attribute.value);
        return value && !(*value < *real) && !(*real < *value);
    }
    if (const auto* string = std::get_if<std::string_view>(&known->defaultValue)) {
        const std::string* value = std::get_if<std::string>(&attribute.value);
        return value && *value == *string;
    }
    return false;
}

// All ones or zeros, as exporters write out strides, dilations and pads that say nothing.
bool saysNothing(const Attribute& attribute)
{
    const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute.value);
    if (!list || list->empty() || !allEqual(*list))
        return false;
    return (attribute.name == "pads" && list->front() == 0)
           || ((attribute.name == "strides" || attribute.name == "dilations")
               && list->front() == 1);
}

std::string inputLabel(const OpSchema* schema, std::size_t index)
{
    const FormalParameter* parameter = schema ? schema->input(index) : nullptr;
    if (parameter && parameter->option != ParamOption::variadic)
        return std::string(parameter->name);
    return fmt::format("{}", index);
}

// What an initializer holds, also where a caller may replace it.
TensorPtr weightOf(const Graph& graph, ValueId id)
{
    if (!id)
        return nullptr;
    const TensorPtr constant = graph.constant(id);
    const Value* value = graph.value(id);
    return constant || !value ? constant : value->constant;
}

void addWeights(CardContent& card, const Graph& graph, const Node& node, int shownInKey)
{
    const OpSchema* schema = graph.schema(node);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId id = node.inputs[i];
        const TensorPtr tensor = static_cast<int>(i) != shownInKey ? weightOf(graph, id) : nullptr;
        if (!tensor)
            continue;
        std::string text = tensor->elementCount() == 1 ? scalarText(*tensor)
                                                       : shapeLabel(Shape::ofSizes(tensor->shape()));
        if (tensor->elementCount() > 1 && tensor->shape().size() == 1
            && tensor->elementCount() <= 8 && isInteger(tensor->dtype()))
            text = "[" + joined(constantInts(graph, id), ", ") + "]";
        card.rows.push_back({inputLabel(schema, i), std::move(text), id});
    }
}

void describeRegion(CardContent& card, const Graph& graph, const Node& node,
                    const CardOptions& options)
{
    card.fused = true;
    std::vector<std::string> names;
    const auto members = graph.nodes(node.bodies.empty() ? BodyId{} : node.bodies.front());
    for (const NodeId id : *members) {
        const Node& member = *graph.node(id);
        const std::string name = nameInScope(member.name, options.scope, member.op.type);
        names.push_back(name.empty() ? member.op.type : name);
    }
    if (options.names)
        card.name = jointName(names);
    if (const NodeId main = node.region->nodeOf(Role::main); graph.node(main)) {
        const Key key = keyOf(graph, *graph.node(main));
        if (options.attributes)
            card.key = key.text;
        // The body reads constants through the region's inputs.
        const Node& inner = *graph.node(main);
        const Body* body = graph.body(node.bodies.front());
        const OpSchema* schema = graph.schema(inner);
        for (std::size_t i = 0; options.weights && i < inner.inputs.size(); ++i) {
            const auto port = std::ranges::find(body->inputs, inner.inputs[i]);
            const ValueId outer =
                port == body->inputs.end()
                    ? inner.inputs[i]
                    : node.input(static_cast<std::size_t>(port - body->inputs.begin()));
            const TensorPtr tensor = weightOf(graph, outer);
            if (tensor)
                card.rows.push_back({inputLabel(schema, i),
                                     tensor->elementCount() == 1
                                         ? scalarText(*tensor)
                                         : shapeLabel(Shape::ofSizes(tensor->shape())),
                                     outer});
        }
    }
}

} // namespace

std::string shapeLabel(const Shape& shape)
{
    if (!shape.hasRank())
        return "?";
    if (shape.rank() == 0)
        return "scalar";
    std::string text;
    for (const Dim& dim : shape.dims()) {
        if (!text.empty())
            text += "×";
        text += dim.text();
        if (text.size() > 120)
            return text + "…";
    }
    return text;
}

std::string typeLabel(const Type& type)
{
    if (type.kind != Type::Kind::tensor)
        return type.isKnown() ? type.text() : std::string();
    const std::string shape = shapeLabel(type.shape);
    if (type.dtype == DType::float32 || type.dtype == DType::undefined)
        return shape;
    return std::string(nameOf(type.dtype)) + " " + shape;
}

std::vector<std::string> scopeParts(std::string_view name, std::string_view op)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('/', at), name.size());
        if (end > at)
            parts.emplace_back(name.substr(at, end - at));
        at = end + 1;
    }
    const auto repeats = [&](std::string_view part) {
        return part == op || (part.starts_with(op) && part.size() > op.size()
                              && part[op.size()] == '_'
                              && part.find_first_not_of("0123456789", op.size() + 1) == part.npos);
    };
    if (parts.size() > 1 && repeats(parts.back()))
        parts.pop_back();
    return parts;
}

std::string nameInScope(std::string_view name, std::string_view scope, std::string_view op)
{
    std::vector<std::string> parts = scopeParts(name, op);
    const std::vector<std::string> outer = scopeParts(scope, "");
    std::size_t same = 0;
    while (same + 1 < parts.size() && same < outer.size() && parts[same] == outer[same])
        ++same;
    std::string text;
    for (std::size_t i = same; i < parts.size(); ++i) {
        // A part that the next one begins with says nothing: layer2/layer2.0.
        if (i + 1 < parts.size() && parts[i + 1].starts_with(parts[i] + "."))
            continue;
        text += (text.empty() ? "" : "/") + parts[i];
    }
    return text;
}

std::string jointName(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 4;
    if (names.empty())
        return {};
    const std::string scope = names.front().substr(0, names.front().rfind('/') + 1);
    std::string joint = names.front();
    for (std::size_t i = 1; i < names.size() && i < most; ++i)
        joint += " + " + (!scope.empty() && names[i].size() > scope.size() && names[i].starts_with(scope)
                              ? names[i].substr(scope.size())
                              : names[i]);
    return names.size() > most ? joint + " + …" : joint;
}

CardContent cardContent(const Graph& graph, NodeId id, const CardOptions& options)
{
    const Node* node = graph.node(id);
    return node ? cardContent(graph, id, *node, options) : CardContent{};
}

CardContent cardContent(const Graph& graph, NodeId id, const Node& node, const CardOptions& options)
{
    CardContent card;
    card.title = operatorTitle(graph, node);
    card.wholeName = node.name;
    card.category = categoryOf(graph, node);
    card.opens = !node.region
                 && (!node.bodies.empty() || static_cast<bool>(graph.functionOf(node.op)));
    if (node.region) {
        describeRegion(card, graph, node, options);
    } else {
        if (options.names) {
            card.name = nameInScope(node.name, options.scope, node.op.type);
            if (card.name.empty()) {
                card.nameless = true;
                card.name = namelessTitle(graph, node, id);
            }
        }
        const Key key = keyOf(graph, node);
        if (options.attributes)
            card.key = key.text;
        if (options.weights)
            addWeights(card, graph, node, options.attributes ? key.input : -1);
        if (options.attributes) {
            const OpSchema* schema = graph.schema(node);
            for (const Attribute& attribute : node.attributes) {
                const bool body = attribute.type == AttributeType::graph
                                  || attribute.type == AttributeType::graphs;
                if (body || key.attributes.contains(attribute.name)
                    || isDefault(attribute, schema) || saysNothing(attribute))
                    continue;
                card.rows.push_back({attribute.name, attributeText(attribute), {}});
            }
        }
    }
    if (static_cast<int>(card.rows.size()) > maxCardRows) {
        card.moreRows = static_cast<int>(card.rows.size()) - maxCardRows;
        card.rows.resize(maxCardRows);
    }
    return card;
}

} // namespace fusescope
