#pragma once

#include "layout/layout.h"

#include <QString>

namespace fusescope::checks {

// What is wrong with a drawing: boxes or stubs that overlap, boxes outside their frames, edges that
// do not go from box to box, things outside the whole. Empty if nothing is.
QString problemsOf(const LayoutGraph& graph, const LayoutResult& result, LayoutDirection direction);

// The drawing of a graph that must have one, with the default options and the built worker.
LayoutResult draw(const LayoutGraph& graph, const LayoutOptions& options = {});

LayoutGraph graphOf(int boxes, std::initializer_list<std::pair<int, int>> edges);

} // namespace fusescope::checks
