#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"exec.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> exec()
{
    return rows;
}

} // namespace fusescope::texts
