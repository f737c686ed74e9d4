#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"fixes.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> fixes()
{
    return rows;
}

} // namespace fusescope::texts
