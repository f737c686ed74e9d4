#include "io/attribute_message.h"

#include "io/tensor_message.h"
#include "io/type_message.h"

#include <bit>

namespace fusescope {

namespace {

template <class T>
void addValue(WireMessage& out, const T& value)
{
    if constexpr (std::is_same_v<T, std::int64_t>)
        out.varint(3, static_cast<std::uint64_t>(value));
    else if constexpr (std::is_same_v<T, float>)
        out.fixed32(2, std::bit_cast<std::uint32_t>(value));
    else if constexpr (std::is_same_v<T, std::string>)
        out.bytes(4, value);
    else if constexpr (std::is_same_v<T, Type>)
        out.message(14, typeMessage(value));
}

void addValue(WireMessage& out, const TensorPtr& value)
{
    if (value)
        out.message(5, tensorMessage(*value, ""));
}

void addValue(WireMessage& out, const SparseTensorPtr& value)
{
    if (value)
        out.message(22, sparseMessage(*value, ""));
}

template <class T>
void addValue(WireMessage& out, const std::vector<T>& values)
{
    for (const T& value : values) {
        if constexpr (std::is_same_v<T, std::int64_t>)
            out.varint(8, static_cast<std::uint64_t>(value));
        else if constexpr (std::is_same_v<T, float>)
            out.fixed32(7, std::bit_cast<std::uint32_t>(value));
        else if constexpr (std::is_same_v<T, std::string>)
            out.bytes(9, value);
        else if constexpr (std::is_same_v<T, TensorPtr>)
            out.message(10, tensorMessage(*value, ""));
        else if constexpr (std::is_same_v<T, SparseTensorPtr>)
            out.message(23, sparseMessage(*value, ""));
        else if constexpr (std::is_same_v<T, Type>)
            out.message(15, typeMessage(value));
    }
}

} // namespace

WireMessage plainAttribute(const Attribute& attribute)
{
    WireMessage out;
    out.bytes(1, attribute.name);
    if (!attribute.docString.empty())
        out.bytes(13, attribute.docString);
    if (attribute.type != AttributeType::undefined)
        out.varint(20, static_cast<std::uint64_t>(attribute.type));
    if (!attribute.reference.empty())
        out.bytes(21, attribute.reference);
    else
        std::visit([&out](const auto& value) { addValue(out, value); }, attribute.value);
    return out;
}

std::string_view attributeName(std::string_view message)
{
    std::string_view name;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(1))
            name = f.bytes;
    }
    return name;
}

WireMessage inlinedAttribute(std::string_view original, const Tensor& tensor)
{
    WireMessage out;
    WireReader reader(original);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(5))
            out.message(5, inlinedMessage(f.bytes, tensor));
        else
            out.kept(f.whole);
    }
    return out;
}

WireMessage entryMessage(std::string_view key, std::string_view value)
{
    WireMessage message;
    message.bytes(1, key);
    message.bytes(2, value);
    return message;
}

WireMessage opsetMessage(const std::pair<std::string, std::int64_t>& opset)
{
    WireMessage message;
    message.bytes(1, opset.first);
    message.varint(2, static_cast<std::uint64_t>(opset.second));
    return message;
}

std::vector<std::uint32_t> changedNodeFields(const Node* before, const Node& node)
{
    std::vector<std::uint32_t> fields;
    const auto changedIf = [&](bool differs, std::uint32_t number) {
        if (!before || differs)
            fields.push_back(number);
    };
    changedIf(before && before->name != node.name, 3);
    changedIf(before && before->op.type != node.op.type, 4);
    changedIf(before && before->docString != node.docString, 6);
    changedIf(before && before->op.domain != node.op.domain, 7);
    changedIf(before && before->op.overload != node.op.overload, 8);
    changedIf(before && before->metadata != node.metadata, 9);
    return fields;
}

void addNodeField(WireMessage& out, std::uint32_t number, const Node& node)
{
    const auto text = [&](const std::string& value) {
        if (!value.empty())
            out.bytes(number, value);
    };
    switch (number) {
    case 3:
        text(node.name);
        break;
    case 4:
        text(node.op.type);
        break;
    case 6:
        text(node.docString);
        break;
    case 7:
        text(node.op.domain);
        break;
    case 8:
        text(node.op.overload);
        break;
    case 9:
        for (const auto& [key, value] : node.metadata)
            out.message(9, entryMessage(key, value));
        break;
    default:
        break;
    }
}

void addHeaderField(WireMessage& out, std::uint32_t number, const Header& header)
{
    switch (number) {
    case 1:
        out.varint(1, static_cast<std::uint64_t>(header.irVersion));
        break;
    case 2:
        out.bytes(2, header.producerName);
        break;
    case 3:
        out.bytes(3, header.producerVersion);
        break;
    case 4:
        out.bytes(4, header.domain);
        break;
    case 5:
        out.varint(5, static_cast<std::uint64_t>(header.modelVersion));
        break;
    case 6:
        out.bytes(6, header.docString);
        break;
    case 8:
        for (const auto& opset : header.opsets)
            out.message(8, opsetMessage(opset));
        break;
    case 14:
        for (const auto& [key, value] : header.metadata)
            out.message(14, entryMessage(key, value));
        break;
    default:
        break;
    }
}

void addFunctionField(WireMessage& out, std::uint32_t number, const FunctionInfo& info)
{
    const auto text = [&out, number](const std::string& value) {
        if (!value.empty())
            out.bytes(number, value);
    };
    switch (number) {
    case 1:
        text(info.key.type);
        break;
    case 6:
        for (const std::string& name : info.attributes)
            out.bytes(6, name);
        break;
    case 8:
        text(info.docString);
        break;
    case 9:
        for (const auto& opset : info.opsets)
            out.message(9, opsetMessage(opset));
        break;
    case 10:
        text(info.key.domain);
        break;
    case 11:
        for (const Attribute& attribute : info.defaults)
            out.message(11, plainAttribute(attribute));
        break;
    case 13:
        text(info.key.overload);
        break;
    case 14:
        for (const auto& [key, value] : info.metadata)
            out.message(14, entryMessage(key, value));
        break;
    default:
        break;
    }
}

} // namespace fusescope
