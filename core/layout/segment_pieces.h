#pragma once

#include "layout/segments.h"

namespace fusescope::layout {

constexpr double laneStep = 6; // between lanes where they run level

// A value that is read beyond the segments that touch at a waist: it leaves the segment of its
// producer (or the next, below the waist) at the bottom and enters each reading segment at the top.
struct Lane
{
    int node = 0;
    int leaves = 0;          // segment
    std::vector<int> enters; // segments, ascending
    bool left = false;       // runs left of the segments
    double x = 0;

    int last() const { return enters.back(); }
};

struct Segment
{
    int begin = 0; // positions in the order
    int end = 0;
    int topWaist = -1;
    int bottomWaist = -1;
    std::vector<int> entering; // lanes
    std::vector<int> leaving;  // lanes
    Piece piece;               // [top waist] nodes in order, entering ports, leaving ports
    std::vector<int> edgeOf;   // the edge of the whole of each edge of the piece, -1 for none
    int firstEntering = 0;     // index of the first port in the piece
    int firstLeaving = 0;
    int firstLeavingEdge = 0;
    int drawing = -1;
    bool mirrored = false;
    double dx = 0;
    double dy = 0;

    int bottomWaistIndex(const Cuts& cuts) const
    {
        return (topWaist >= 0 ? 1 : 0) + cuts.position[bottomWaist] - begin;
    }
};

struct Segmentation
{
    Cuts cuts;
    std::vector<Segment> segments;
    std::vector<int> segmentOf; // each node
    std::vector<Lane> lanes;    // shortest first
};

Segmentation makeSegments(const Piece& whole, const Limits& limits);

} // namespace fusescope::layout
