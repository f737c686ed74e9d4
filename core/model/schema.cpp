#include "model/schema.h"

#include "model/schemas/schema_table.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace fusescope {
namespace {

using OperatorName = std::pair<std::string_view, std::string_view>; // domain, name

struct NameHash
{
    std::size_t operator()(const OperatorName& key) const
    {
        const std::hash<std::string_view> hash;
        return hash(key.first) * 31 + hash(key.second);
    }
};

const std::unordered_map<OperatorName, std::span<const OpSchema>, NameHash>& operatorTable()
{
    static const auto table = [] {
        std::unordered_map<OperatorName, std::span<const OpSchema>, NameHash> rows;
        for (const auto& row : schemas::table.operators)
            rows.try_emplace({row.domain, row.name}, row.versions);
        return rows;
    }();
    return table;
}

std::string_view canonicalDomain(std::string_view domain)
{
    return domain == "ai.onnx" ? std::string_view() : domain;
}

const FormalParameter* parameterAt(std::span<const FormalParameter> parameters, std::size_t index)
{
    if (index < parameters.size())
        return &parameters[index];
    if (!parameters.empty() && parameters.back().option == ParamOption::variadic)
        return &parameters.back();
    return nullptr;
}

} // namespace

const SchemaAttribute* OpSchema::findAttribute(std::string_view attribute) const
{
    const auto found = std::ranges::lower_bound(attributes, attribute, {}, &SchemaAttribute::name);
    return found != attributes.end() && found->name == attribute ? &*found : nullptr;
}

std::span<const std::string_view> OpSchema::allowedTypes(std::string_view typeName) const
{
    for (const TypeConstraint& constraint : typeConstraints)
        if (constraint.name == typeName)
            return constraint.types;
    for (const auto& parameters : {inputs, outputs})
        for (const FormalParameter& parameter : parameters)
            if (parameter.typeName == typeName)
                return parameter.types;
    return {};
}

const FormalParameter* OpSchema::input(std::size_t index) const
{
    return parameterAt(inputs, index);
}

const FormalParameter* OpSchema::output(std::size_t index) const
{
    return parameterAt(outputs, index);
}

std::span<const OpSchema> schemaVersions(std::string_view domain, std::string_view name)
{
    const auto& table = operatorTable();
    const auto found = table.find({canonicalDomain(domain), name});
    return found == table.end() ? std::span<const OpSchema>() : found->second;
}

const OpSchema* findSchema(std::string_view domain, std::string_view name, int opset)
{
    const auto versions = schemaVersions(domain, name);
    const auto newer = std::ranges::upper_bound(versions, opset, {}, &OpSchema::sinceVersion);
    return newer == versions.begin() ? nullptr : &*(newer - 1);
}

std::span<const OpSchema> allSchemas()
{
    return schemas::table.schemas;
}

int latestOpset(std::string_view domain)
{
    domain = canonicalDomain(domain);
    for (const auto& row : schemas::table.domains)
        if (row.domain == domain)
            return row.latestOpset;
    return 0;
}

} // namespace fusescope
