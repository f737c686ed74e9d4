#include "model/graph_text_attributes.h"

#include "model/graph_text_literals.h"
#include "model/schema.h"

#include <charconv>

namespace fusescope {

namespace {

struct TypeName
{
    std::string_view name;
    AttributeType type;
};
constexpr TypeName attributeTypes[] = {
    {"float", AttributeType::floating},
    {"int", AttributeType::integer},
    {"string", AttributeType::string},
    {"tensor", AttributeType::tensor},
    {"graph", AttributeType::graph},
    {"floats", AttributeType::floats},
    {"ints", AttributeType::integers},
    {"strings", AttributeType::strings},
    {"tensors", AttributeType::tensors},
    {"graphs", AttributeType::graphs},
    {"sparse_tensor", AttributeType::sparseTensor},
    {"sparse_tensors", AttributeType::sparseTensors},
    {"type_proto", AttributeType::typeProto},
    {"type_protos", AttributeType::typeProtos},
};

// The one element of a list of one kind, or the whole list.
template <class T, class Convert>
bool setAs(Attribute& attribute, const std::vector<Literal>& list, bool isList,
                  bool wantsList, Literal::Kind kind, Convert convert)
{
    std::vector<T> values;
    for (const Literal& literal : list) {
        std::optional<T> value;
        if (literal.kind == kind)
            value = convert(literal);
        if (!value)
            return false;
        values.push_back(std::move(*value));
    }
    if (isList != wantsList)
        return false;
    if (wantsList)
        attribute.value = std::move(values);
    else
        attribute.value = std::move(values[0]);
    return true;
}

} // namespace

std::optional<AttributeType> attributeTypeNamed(std::string_view name)
{
    for (const TypeName& row : attributeTypes) {
        if (row.name == name)
            return row.type;
    }
    return std::nullopt;
}

std::string_view textNameOf(AttributeType type)
{
    for (const TypeName& row : attributeTypes) {
        if (row.type == type)
            return row.name;
    }
    return "undefined";
}

AttributeType schemaTypeOf(const OpKey& op, std::string_view name)
{
    const OpSchema* schema = findSchema(op.domain, op.type, latestOpset(op.domain));
    const SchemaAttribute* attribute = schema ? schema->findAttribute(name) : nullptr;
    return attribute ? attribute->type : AttributeType::undefined;
}

AttributeType typeOf(const std::vector<Literal>& list, bool isList, AttributeType known)
{
    if (list.empty())
        return known;
    const auto pick = [isList](AttributeType one, AttributeType many) {
        return isList ? many : one;
    };
    switch (list[0].kind) {
    case Literal::Kind::string:
        return pick(AttributeType::string, AttributeType::strings);
    case Literal::Kind::tensor:
        return pick(AttributeType::tensor, AttributeType::tensors);
    case Literal::Kind::sparse:
        return pick(AttributeType::sparseTensor, AttributeType::sparseTensors);
    case Literal::Kind::type:
        return pick(AttributeType::typeProto, AttributeType::typeProtos);
    case Literal::Kind::graph:
        return pick(AttributeType::graph, AttributeType::graphs);
    case Literal::Kind::number:
        break;
    }
    bool isFloat = known == pick(AttributeType::floating, AttributeType::floats);
    for (const Literal& literal : list)
        isFloat = isFloat || isFloatText(literal.text);
    return isFloat ? pick(AttributeType::floating, AttributeType::floats)
                   : pick(AttributeType::integer, AttributeType::integers);
}

bool setValue(Attribute& attribute, const std::vector<Literal>& list, bool isList)
{
    using Kind = Literal::Kind;
    using Some = AttributeType;
    const Some type = attribute.type;
    const auto asFloat = [](const Literal& l) -> std::optional<float> {
        const auto value = numberOf(l.text);
        return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
    };
    const auto asInt = [](const Literal& l) -> std::optional<std::int64_t> {
        std::int64_t value = 0;
        const char* end = l.text.data() + l.text.size();
        const auto [at, error] = std::from_chars(l.text.data(), end, value);
        return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
    };
    const auto is = [type](Some one, Some many) { return type == one || type == many; };
    const auto set = [&]<class T>(T*, Some many, Kind kind, auto convert) {
        return setAs<T>(attribute, list, isList, type == many, kind, convert);
    };
    if (is(Some::floating, Some::floats))
        return set(static_cast<float*>(nullptr), Some::floats, Kind::number, asFloat);
    if (is(Some::integer, Some::integers))
        return set(static_cast<std::int64_t*>(nullptr), Some::integers, Kind::number, asInt);
    if (is(Some::string, Some::strings))
        return set(static_cast<std::string*>(nullptr), Some::strings, Kind::string,
                   [](const Literal& l) { return std::optional(l.text); });
    if (is(Some::tensor, Some::tensors))
        return set(static_cast<TensorPtr*>(nullptr), Some::tensors, Kind::tensor,
                   [](const Literal& l) { return std::optional(l.tensor); });
    if (is(Some::graph, Some::graphs))
        return set(static_cast<BodyId*>(nullptr), Some::graphs, Kind::graph,
                   [](const Literal& l) { return std::optional(l.body); });
    if (is(Some::sparseTensor, Some::sparseTensors))
        return set(static_cast<SparseTensorPtr*>(nullptr), Some::sparseTensors, Kind::sparse,
                   [](const Literal& l) { return std::optional(l.sparse); });
    if (is(Some::typeProto, Some::typeProtos))
        return set(static_cast<Type*>(nullptr), Some::typeProtos, Kind::type,
                   [](const Literal& l) { return std::optional(l.type); });
    return list.empty(); // an empty list of unknown type
}

} // namespace fusescope
