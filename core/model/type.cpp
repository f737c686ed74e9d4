#include "model/type.h"

namespace fusescope {

Type Type::tensor(DType dtype, Shape shape)
{
    Type t;
    t.kind = Kind::tensor;
    t.dtype = dtype;
    t.shape = std::move(shape);
    return t;
}

Type Type::sequence(Type element)
{
    Type t;
    t.kind = Kind::sequence;
    t.element = std::make_shared<const Type>(std::move(element));
    return t;
}

Type Type::optional(Type element)
{
    Type t;
    t.kind = Kind::optional;
    t.element = std::make_shared<const Type>(std::move(element));
    return t;
}

Type Type::map(DType key, Type value)
{
    Type t;
    t.kind = Kind::map;
    t.dtype = key;
    t.element = std::make_shared<const Type>(std::move(value));
    return t;
}

std::string Type::text() const
{
    const std::string inner = element ? element->text() : "?";
    switch (kind) {
    case Kind::tensor:
        return std::string(nameOf(dtype)) + (shape.hasRank() ? shape.text() : "[...]");
    case Kind::sparseTensor:
        return "sparse(" + std::string(nameOf(dtype)) + shape.text() + ")";
    case Kind::sequence:
        return "seq(" + inner + ")";
    case Kind::optional:
        return "optional(" + inner + ")";
    case Kind::map:
        return "map(" + std::string(nameOf(dtype)) + ", " + inner + ")";
    case Kind::opaque:
        return "opaque";
    case Kind::undefined:
        break;
    }
    return "?";
}

bool Type::operator==(const Type& other) const
{
    if (kind != other.kind || dtype != other.dtype || !(shape == other.shape))
        return false;
    if (!element || !other.element)
        return !element && !other.element;
    return *element == *other.element;
}

} // namespace fusescope
