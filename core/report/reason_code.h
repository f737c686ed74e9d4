#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace fusescope {

// Why a candidate was not applied, or a node was kept. Ids are public: they stand in JSON, help
// pages and documentation, and never change.
enum class ReasonCode {
#define FUSESCOPE_REASON(name, id, kind) name,
#include "report/reason_codes.inc"
#undef FUSESCOPE_REASON
};

// Legality: the rewrite could change what the model computes. Profit: legal, but not faster or not
// smaller. Policy: legal, but asked not to be done.
enum class ReasonKind { legality, profit, policy };

std::string_view idOf(ReasonCode code); // "multi-consumer"
ReasonKind kindOf(ReasonCode code);
std::optional<ReasonCode> reasonFromId(std::string_view id);
std::span<const ReasonCode> allReasonCodes();
std::string_view idOf(ReasonKind kind); // "legality"

} // namespace fusescope
