#pragma once

#include "model/schema.h"

namespace fusescope::schemas {

struct OperatorRow
{
    std::string_view domain;
    std::string_view name;
    std::span<const OpSchema> versions;
};

struct DomainRow
{
    std::string_view domain;
    int latestOpset;
};

struct Table
{
    std::span<const OpSchema> schemas;
    std::span<const OperatorRow> operators; // sorted by domain, then name, bytewise
    std::span<const DomainRow> domains;
};

// Defined by what generate_table.py writes; constant-initialized.
extern const Table table;

} // namespace fusescope::schemas
