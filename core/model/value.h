#pragma once

#include "model/dim.h"
#include "model/tensor.h"
#include "model/type.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fusescope {

// The known contents of a small integer tensor of rank 0 or 1 (a shape vector): one term an
// element. Nothing when not known; an element that is not known is an unknown Dim.
using ShapeData = std::optional<std::vector<Dim>>;

struct Value
{
    std::string name; // empty for values that only a rewrite made, until a file needs a name
    Type type;        // declared by the file, sharpened by inference
    ShapeData data;
    BodyId body;
    bool isInput = false;   // listed among its body's inputs
    TensorPtr constant;     // the initializer's contents
    SparseTensorPtr sparse; // a sparse initializer
    std::string docString;

    bool isInitializer() const { return constant != nullptr || sparse != nullptr; }
};
using ValuePtr = std::shared_ptr<const Value>;

} // namespace fusescope
