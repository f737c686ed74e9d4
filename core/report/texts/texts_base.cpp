#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"base.out-of-memory", CORE_TEXT("Core", "There is not enough memory for this.")},
    {"base.cancelled", CORE_TEXT("Core", "Cancelled.")},
};

} // namespace

std::span<const TextRow> base()
{
    return rows;
}

} // namespace fusescope::texts
