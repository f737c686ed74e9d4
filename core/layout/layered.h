#pragma once

#include "layout/piece.h"

namespace fusescope::layout {

// The layout of our own, for when Graphviz is missing or too slow: rows by longest path, order in
// the rows by barycentres, x by Brandes and Köpf's four alignments, edges along places that the
// rows keep free for them. Takes time and memory linear in nodes and edges, but for the sorting;
// past the limits it stops improving and finishes.
Drawing drawLayered(const Piece& piece, const Gaps& gaps, const Limits& limits);

} // namespace fusescope::layout
