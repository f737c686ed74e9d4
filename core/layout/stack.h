#pragma once

#include "layout/segment_pieces.h"

namespace fusescope::layout {

// Puts drawn segments below each other and joins what runs from one to another. `drawings` are
// those of the different pieces; segments name theirs.
Drawing stackSegments(const Piece& whole, Segmentation& segmentation,
                      const std::vector<Drawing>& drawings, const Gaps& gaps);

} // namespace fusescope::layout
