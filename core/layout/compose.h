#pragma once

#include "layout/frames.h"

namespace fusescope::layout {

// Margins of a frame around what it holds, in the direction of flow.
struct Margins
{
    double before = 0; // the title strip and padding, at the side where it is
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
};

Margins marginsOf(const LayoutBox& box, const LayoutOptions& options);

// Puts the drawn frames into each other and joins the hops of each edge to one path.
void compose(const LayoutGraph& graph, const LayoutOptions& options, FrameTree& tree,
             LayoutResult& result);

} // namespace fusescope::layout
