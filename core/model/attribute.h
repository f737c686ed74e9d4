#pragma once

#include "model/attribute_type.h"
#include "model/tensor.h"
#include "model/type.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fusescope {

// Values and coordinates as the ONNX SparseTensorProto holds them.
struct SparseTensor
{
    TensorPtr values;  // [nnz]
    TensorPtr indices; // int64 [nnz] or [nnz, rank]
    std::vector<std::int64_t> shape;
};
using SparseTensorPtr = std::shared_ptr<const SparseTensor>;

struct Attribute
{
    using Value =
        std::variant<std::monostate, std::int64_t, float, std::string, TensorPtr, BodyId,
                     std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>,
                     std::vector<TensorPtr>, std::vector<BodyId>, SparseTensorPtr,
                     std::vector<SparseTensorPtr>, Type, std::vector<Type>>;

    std::string name;
    AttributeType type = AttributeType::undefined;
    Value value;
    std::string reference; // in a function's body: the attribute of the call that gives the value
    std::string docString;

    Attribute() = default;
    Attribute(std::string n, std::int64_t v);
    Attribute(std::string n, float v);
    Attribute(std::string n, std::string v);
    Attribute(std::string n, TensorPtr v);
    Attribute(std::string n, BodyId v);
    Attribute(std::string n, std::vector<std::int64_t> v);
    Attribute(std::string n, std::vector<float> v);
    Attribute(std::string n, std::vector<std::string> v);

    // Tensors and sparse tensors by their bits, floats by their bits (−0 differs from 0).
    bool operator==(const Attribute& other) const;
};

// The attributes of a node in file order. Getters of another type than the attribute has give the
// fallback: a wrong type is a problem that validation names.
class Attributes
{
public:
    Attributes() = default;
    Attributes(std::initializer_list<Attribute> list) : m_list(list) {}

    const Attribute* find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::int64_t getInt(std::string_view name, std::int64_t fallback) const;
    float getFloat(std::string_view name, float fallback) const;
    std::string getString(std::string_view name, std::string_view fallback) const;
    std::optional<std::vector<std::int64_t>> getInts(std::string_view name) const;
    std::optional<std::vector<float>> getFloats(std::string_view name) const;
    std::optional<std::vector<std::string>> getStrings(std::string_view name) const;
    TensorPtr getTensor(std::string_view name) const;
    BodyId getBody(std::string_view name) const;

    // Replaces in place, or appends.
    void set(Attribute attribute);
    void remove(std::string_view name);

    auto begin() const { return m_list.begin(); }
    auto end() const { return m_list.end(); }
    std::size_t size() const { return m_list.size(); }
    bool empty() const { return m_list.empty(); }
    bool operator==(const Attributes&) const = default;

private:
    std::vector<Attribute> m_list;
};

} // namespace fusescope
