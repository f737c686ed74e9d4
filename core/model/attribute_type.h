#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace fusescope {

// The kinds of attribute, with the numbers of AttributeProto.AttributeType.
enum class AttributeType : std::uint8_t {
    undefined = 0,
    floating = 1,
    integer = 2,
    string = 3,
    tensor = 4,
    graph = 5,
    floats = 6,
    integers = 7,
    strings = 8,
    tensors = 9,
    graphs = 10,
    sparseTensor = 11,
    sparseTensors = 12,
    typeProto = 13,
    typeProtos = 14,
};

// The name in the standard, such as "INTS"; "UNDEFINED" for a number that the standard lacks.
constexpr std::string_view attributeTypeName(AttributeType type)
{
    constexpr std::string_view names[] = {
        "UNDEFINED",      "FLOAT",      "INT",        "STRING",  "TENSOR", "GRAPH",
        "FLOATS",         "INTS",       "STRINGS",    "TENSORS", "GRAPHS", "SPARSE_TENSOR",
        "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
    const auto number = static_cast<std::size_t>(type);
    return number < std::size(names) ? names[number] : names[0];
}

} // namespace fusescope
