#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"ops.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> ops()
{
    return rows;
}

} // namespace fusescope::texts
