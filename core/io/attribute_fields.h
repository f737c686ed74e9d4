#pragma once

#include "io/tensor_message.h"

namespace fusescope {

// What the fields of an AttributeProto hold; its type says which of them counts.
struct AttributeFields
{
    float f = 0;
    std::int64_t i = 0;
    std::string s;
    std::vector<TensorPtr> tensors; // t and tensors
    std::vector<BodyId> graphs;     // g and graphs, filled by the caller
    std::vector<Type> types;
    std::vector<SparseTensorPtr> sparse;
    std::vector<float> floats;
    std::vector<std::uint64_t> ints;
    std::vector<std::string> strings;
    AttributeType seen = AttributeType::undefined; // of the first field that holds a value
    bool hasExternal = false;                      // a tensor lies in another file

    void see(AttributeType type);
    // Takes any field but graphs; false where it is malformed.
    bool read(const WireField& field, const TensorContext& context, int maxDepth);
    // Sets the value that goes with the attribute's type.
    void giveTo(Attribute& attribute) &&;
};

} // namespace fusescope
