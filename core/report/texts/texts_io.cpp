#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"io.none", CORE_TEXT("Core", "")},
    {"io.archive-too-large",
     CORE_TEXT("Core", "`{file}` would be larger than the 4 GB that an .npz file holds.")},
};

} // namespace

std::span<const TextRow> io()
{
    return rows;
}

} // namespace fusescope::texts
