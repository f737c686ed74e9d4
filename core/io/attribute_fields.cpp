#include "io/attribute_fields.h"

#include "io/type_message.h"

#include <bit>
#include <cstring>

namespace fusescope {

namespace {

void appendFloats(std::string_view bytes, std::vector<float>& floats)
{
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
        float value;
        std::memcpy(&value, bytes.data() + at, 4);
        floats.push_back(value);
    }
}

template <class T>
void setLast(Attribute& attribute, std::vector<T>& values)
{
    if (!values.empty())
        attribute.value = std::move(values.back());
}

} // namespace

void AttributeFields::see(AttributeType type)
{
    if (seen == AttributeType::undefined)
        seen = type;
}

bool AttributeFields::read(const WireField& field, const TensorContext& context, int maxDepth)
{
    switch (field.number) {
    case 2:
        see(AttributeType::floating);
        f = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        return true;
    case 3:
        see(AttributeType::integer);
        i = static_cast<std::int64_t>(field.value);
        return true;
    case 4:
        see(AttributeType::string);
        s = field.bytes;
        return true;
    case 5:
    case 10: {
        see(field.number == 5 ? AttributeType::tensor : AttributeType::tensors);
        auto tensor = readTensorMessage(field.bytes, context);
        if (!tensor)
            return false;
        hasExternal = hasExternal || tensor->isExternal;
        tensors.push_back(std::move(tensor->tensor));
        return true;
    }
    case 7:
        see(AttributeType::floats);
        appendFloats(fixedBytes(field), floats);
        return true;
    case 8:
        see(AttributeType::integers);
        return appendVarints(field, ints);
    case 9:
        see(AttributeType::strings);
        strings.emplace_back(field.bytes);
        return true;
    case 14:
    case 15: {
        see(field.number == 14 ? AttributeType::typeProto : AttributeType::typeProtos);
        auto type = readTypeMessage(field.bytes, maxDepth);
        if (!type)
            return false;
        types.push_back(*std::move(type));
        return true;
    }
    case 22:
    case 23: {
        see(field.number == 22 ? AttributeType::sparseTensor : AttributeType::sparseTensors);
        auto tensor = readSparseMessage(field.bytes, context);
        if (!tensor)
            return false;
        sparse.push_back(std::move(tensor->tensor));
        return true;
    }
    default:
        return true;
    }
}

void AttributeFields::giveTo(Attribute& attribute) &&
{
    switch (attribute.type) {
    case AttributeType::undefined:
        break;
    case AttributeType::floating:
        attribute.value = f;
        break;
    case AttributeType::integer:
        attribute.value = i;
        break;
    case AttributeType::string:
        attribute.value = std::move(s);
        break;
    case AttributeType::tensor:
        setLast(attribute, tensors);
        break;
    case AttributeType::graph:
        setLast(attribute, graphs);
        break;
    case AttributeType::floats:
        attribute.value = std::move(floats);
        break;
    case AttributeType::integers:
        attribute.value = std::vector<std::int64_t>(ints.begin(), ints.end());
        break;
    case AttributeType::strings:
        attribute.value = std::move(strings);
        break;
    case AttributeType::tensors:
        attribute.value = std::move(tensors);
        break;
    case AttributeType::graphs:
        attribute.value = std::move(graphs);
        break;
    case AttributeType::sparseTensor:
        setLast(attribute, sparse);
        break;
    case AttributeType::sparseTensors:
        attribute.value = std::move(sparse);
        break;
    case AttributeType::typeProto:
        setLast(attribute, types);
        break;
    case AttributeType::typeProtos:
        attribute.value = std::move(types);
        break;
    }
}

} // namespace fusescope
