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

} // namespace fusescope
