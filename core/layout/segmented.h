#pragma once

#include "layout/piece_engine.h"

namespace fusescope::layout {

// Draws a connected, acyclic graph of any size: cuts it at narrow places, draws each different
// segment once, and stacks them so that the nodes they share coincide. Values that pass whole
// segments run in lanes beside them. A small graph is also drawn whole, and the better one wins.
Drawing drawConnected(const Piece& whole, PieceEngine& engine);

// Draws each connected part by itself and packs the parts side by side. With rows of its own at the
// top or bottom, the parts stand in one row.
Drawing drawParts(const Piece& whole, PieceEngine& engine);

} // namespace fusescope::layout
