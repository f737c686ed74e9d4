#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"session.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> session()
{
    return rows;
}

} // namespace fusescope::texts
