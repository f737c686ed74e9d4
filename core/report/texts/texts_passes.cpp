#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"explain.legal", CORE_TEXT("Explain", "{a} and {b} can be fused: {rule} applies.")},
    {"explain.fused-at", CORE_TEXT("Explain", "{a} and {b} were fused at step {step}.")},
    {"explain.disabled", CORE_TEXT("Explain", "{rule} would fuse {a} and {b}, and is off.")},
    {"explain.blocked", CORE_TEXT("Explain", "{rule} would fuse {a} and {b}, and is blocked.")},
    {"explain.no-pattern", CORE_TEXT("Explain", "No pattern covers {a} and {b}.")},
    {"explain.nearest", CORE_TEXT("Explain", "No pattern covers {a} and {b}; the nearest is {rule}.")},
};

} // namespace

std::span<const TextRow> passes()
{
    return rows;
}

} // namespace fusescope::texts
