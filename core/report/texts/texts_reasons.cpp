#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"reasons.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> reasons()
{
    return rows;
}

} // namespace fusescope::texts
