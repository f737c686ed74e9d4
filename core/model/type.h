#pragma once

#include "model/dtype.h"
#include "model/shape.h"

#include <memory>
#include <string>

namespace fusescope {

// The type of a value. `undefined` while nothing is known.
struct Type
{
    enum class Kind { undefined, tensor, sparseTensor, sequence, optional, map, opaque };

    Kind kind = Kind::undefined;
    DType dtype = DType::undefined;      // tensor, sparseTensor: the element; map: the key
    Shape shape;                         // tensor, sparseTensor; unranked while not known
    std::shared_ptr<const Type> element; // sequence, optional, map (the value)

    static Type tensor(DType dtype, Shape shape = Shape::unranked());
    static Type sequence(Type element);
    static Type optional(Type element);
    static Type map(DType key, Type value);

    bool isKnown() const { return kind != Kind::undefined; }
    bool isTensor() const { return kind == Kind::tensor; }

    // "float[N, 3, 224, 224]", "seq(float[?])", "optional(…)", "map(int64, float[])"; "?" if unknown.
    std::string text() const;

    bool operator==(const Type& other) const;
};

} // namespace fusescope
