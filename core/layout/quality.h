#pragma once

#include "layout/piece.h"

#include <cstdint>

namespace fusescope::layout {

// How good a drawing is.
struct Quality
{
    double length = 0; // of all edges
    double ink = 0;    // the same, but where edges of one tail run together only once
    std::int64_t crossings =
        0;                     // places where edges of different tails cross, away from their boxes
    std::int64_t hits = 0;     // edges through a box that is not theirs
    std::int64_t overlaps = 0; // pairs of boxes
    double width = 0;
    double height = 0;

    double score() const { return ink + 150.0 * static_cast<double>(crossings); }
};

// `from` and `to` are indices of boxes; the points are corners of a line.
struct Wire
{
    int from = 0;
    int to = 0;
    std::vector<LayoutPoint> points;
};

std::vector<LayoutPoint> flattened(const Curve& curve);

Quality measure(const std::vector<LayoutRect>& boxes, const std::vector<Wire>& wires);
Quality measure(const Piece& piece, const Drawing& drawing);

} // namespace fusescope::layout
