#include "report/reason_code.h"

#include <array>

namespace fusescope {

namespace {

struct Row
{
    ReasonCode code;
    std::string_view id;
    ReasonKind kind;
};

constexpr std::array rows = {
#define FUSESCOPE_REASON(name, id, kind) Row{ReasonCode::name, id, ReasonKind::kind},
#include "report/reason_codes.inc"
#undef FUSESCOPE_REASON
};

constexpr auto codes = [] {
    std::array<ReasonCode, rows.size()> list{};
    for (std::size_t i = 0; i < rows.size(); ++i)
        list[i] = rows[i].code;
    return list;
}();

} // namespace

std::string_view idOf(ReasonCode code)
{
    return rows[static_cast<std::size_t>(code)].id;
}

ReasonKind kindOf(ReasonCode code)
{
    return rows[static_cast<std::size_t>(code)].kind;
}

std::optional<ReasonCode> reasonFromId(std::string_view id)
{
    for (const Row& row : rows) {
        if (row.id == id)
            return row.code;
    }
    return std::nullopt;
}

std::span<const ReasonCode> allReasonCodes()
{
    return codes;
}

std::string_view idOf(ReasonKind kind)
{
    switch (kind) {
    case ReasonKind::legality:
        return "legality";
    case ReasonKind::profit:
        return "profit";
    case ReasonKind::policy:
        break;
    }
    return "policy";
}

} // namespace fusescope
