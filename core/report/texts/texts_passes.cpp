#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"passes.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> passes()
{
    return rows;
}

} // namespace fusescope::texts
