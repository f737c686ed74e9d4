#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"base.cancelled", CORE_TEXT("Core", "Cancelled.")},
};

} // namespace

std::span<const TextRow> base()
{
    return rows;
}

} // namespace fusescope::texts
