#pragma once

#include "model/attribute.h"
#include "model/node.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fusescope {

// Attributes of the text form: what their literals mean.

// One value of an attribute as it stands in the text.
struct Literal
{
    enum class Kind { number, string, tensor, sparse, type, graph } kind = Kind::number;
    std::string text;
    TensorPtr tensor;
    SparseTensorPtr sparse;
    Type type;
    BodyId body;
};

std::optional<AttributeType> attributeTypeNamed(std::string_view name);
// "ints"
std::string_view textNameOf(AttributeType type);
// What the newest schema of a standard operator says; undefined where there is none.
AttributeType schemaTypeOf(const OpKey& op, std::string_view attribute);
// The type of literals without a type written before them; `known` is that of the schema.
AttributeType typeOf(const std::vector<Literal>& list, bool isList, AttributeType known);
// Sets the value that goes with the attribute's type; false where the literals do not fit.
bool setValue(Attribute& attribute, const std::vector<Literal>& list, bool isList);

} // namespace fusescope
