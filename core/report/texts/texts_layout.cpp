#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"layout.arranging", CORE_TEXT("Core", "Arranging {count} node"),
     CORE_TEXT("Core", "Arranging {count} nodes")},
    {"layout.not-a-graph",
     CORE_TEXT("Core", "The graph cannot be drawn: an edge or a frame of it leads nowhere.")},
};

} // namespace

std::span<const TextRow> layout()
{
    return rows;
}

} // namespace fusescope::texts
