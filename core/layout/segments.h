#pragma once

#include "layout/piece.h"

namespace fusescope::layout {

// A graph cut into segments that can be drawn by themselves and stacked. The nodes of segment s are
// order[boundary[s]] .. order[boundary[s + 1] - 1].
struct Cuts
{
    std::vector<int> order;    // every edge goes from earlier to later
    std::vector<int> position; // of each node in the order
    std::vector<int> boundary; // first 0, last the number of nodes
    std::vector<int> waist;    // for each boundary the node that both sides share, -1 for none
};

// Cuts where few values pass: by dynamic programming over all positions where cutting does not make
// the drawing taller. A segment costs the square of its size, a cut costs by the values that pass
// it: those that live long are cheap, since they run beside the segments anyway, and one, the
// waist, is free. Equal stretches of the graph are ordered and cut alike.
Cuts cutGraph(const Piece& whole, const Limits& limits);

} // namespace fusescope::layout
