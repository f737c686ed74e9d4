#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"io.none", CORE_TEXT("Core", "")},
};

} // namespace

std::span<const TextRow> io()
{
    return rows;
}

} // namespace fusescope::texts
