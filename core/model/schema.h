#pragma once

#include "model/attribute_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace fusescope {

// What the ONNX standard says of its operators, at every version at which one changed. The tables
// are constant data: nothing here allocates, and all of it may be called from any thread. The
// domain of the standard's main operators is written ""; "ai.onnx" is taken for the same.

enum class ParamOption : std::uint8_t {
    single,
    optional,
    variadic, // only ever the last one of a list
};

struct FormalParameter
{
    std::string_view name;
    std::string_view typeName; // a type constraint such as "T", or a type such as "tensor(float)"
    ParamOption option = ParamOption::single;
    bool homogeneous = true;                 // of a variadic one: all values have the same type
    int minArity = 1;                        // of a variadic one: the least number of values
    std::span<const std::string_view> types; // what typeName allows
};

using AttributeDefault = std::variant<std::monostate, std::int64_t, float, std::string_view,
                                      std::span<const std::int64_t>, std::span<const float>,
                                      std::span<const std::string_view>>;

struct SchemaAttribute
{
    std::string_view name;
    AttributeType type = AttributeType::undefined;
    bool required = false;
    AttributeDefault defaultValue; // monostate where there is none

    bool hasDefault() const { return defaultValue.index() != 0; }
};

struct TypeConstraint
{
    std::string_view name;
    std::span<const std::string_view> types;
};

struct OpSchema
{
    std::string_view domain; // "" for ai.onnx
    std::string_view name;
    std::string_view description; // one English sentence, the same at all versions
    int sinceVersion = 0;
    bool deprecated = false;      // from this version on the operator may no longer be used
    bool hasFunctionBody = false; // the standard also defines it by other operators
    bool deterministic = true;    // false where the standard says that it may not be; so of If,
                                  // Loop, Scan and SequenceMap, as their bodies may not be
    int minInputs = 0;
    int maxInputs = 0; // INT_MAX with a variadic parameter
    int minOutputs = 0;
    int maxOutputs = 0;
    std::span<const FormalParameter> inputs;
    std::span<const FormalParameter> outputs;
    std::span<const SchemaAttribute> attributes; // by name
    std::span<const TypeConstraint> typeConstraints;

    // Null where this version has no such attribute.
    const SchemaAttribute* findAttribute(std::string_view attribute) const;

    // The types that a type constraint of this schema allows, or the one type that a parameter
    // names directly; empty for any other name.
    std::span<const std::string_view> allowedTypes(std::string_view typeName) const;

    // The parameter that the input or output at an index belongs to: all from the variadic one on
    // belong to it. Null past the end.
    const FormalParameter* input(std::size_t index) const;
    const FormalParameter* output(std::size_t index) const;
};

// What holds for an operator at an opset: the newest version that is not newer than the opset. An
// opset beyond the last known one gets the newest version. Null where the domain or the operator
// is unknown, or the operator came later.
const OpSchema* findSchema(std::string_view domain, std::string_view name, int opset);

// All versions, sorted by domain, name and version.
std::span<const OpSchema> allSchemas();

// The versions of one operator, oldest first; empty for an unknown one.
std::span<const OpSchema> schemaVersions(std::string_view domain, std::string_view name);

// The newest opset of a domain that the tables know; 0 for an unknown domain.
int latestOpset(std::string_view domain);

} // namespace fusescope
