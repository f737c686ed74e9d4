#pragma once

#include "model/attribute.h"
#include "model/tensor.h"
#include "model/type.h"

#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace fusescope {

struct RuntimeValue;

// The elements of a sequence; elements are shared, appending copies pointers.
struct SequenceValue
{
    Type elementType;
    std::vector<std::shared_ptr<const RuntimeValue>> elements;
};

// An optional: empty or holding one value.
struct OptionalValue
{
    Type elementType;
    std::shared_ptr<const RuntimeValue> held;
};

// ai.onnx.ml maps, from an integer or a string.
struct MapValue
{
    std::variant<std::map<std::int64_t, RuntimeValue>, std::map<std::string, RuntimeValue>> entries;
    DType key = DType::int64;
};

// What flows along an edge while a graph runs. monostate is an absent optional input or output.
struct RuntimeValue
{
    std::variant<std::monostate, TensorPtr, SparseTensorPtr, std::shared_ptr<const SequenceValue>,
                 std::shared_ptr<const OptionalValue>, std::shared_ptr<const MapValue>>
        value;

    RuntimeValue() = default;
    RuntimeValue(TensorPtr t) : value(std::move(t)) {}
    RuntimeValue(Tensor t) : value(std::make_shared<const Tensor>(std::move(t))) {}
    RuntimeValue(SparseTensorPtr t) : value(std::move(t)) {}
    RuntimeValue(SequenceValue s) : value(std::make_shared<const SequenceValue>(std::move(s))) {}
    RuntimeValue(OptionalValue o) : value(std::make_shared<const OptionalValue>(std::move(o))) {}
    RuntimeValue(MapValue m) : value(std::make_shared<const MapValue>(std::move(m))) {}

    bool isPresent() const { return value.index() != 0; }
    // Null when it is something else.
    const Tensor* tensor() const;
    TensorPtr tensorPtr() const;
    const SequenceValue* sequence() const;
    const OptionalValue* optional() const;
    const MapValue* map() const;
    const SparseTensor* sparse() const;

    // The type as it is now: all dimensions are numbers.
    Type type() const;
};

} // namespace fusescope
