#pragma once

#include "layout/piece.h"

#include <map>

namespace fusescope::layout {

constexpr double pillGap = 4; // between the stubs of one reader

// A part of an edge inside one frame.
struct Hop
{
    int frame = 0;
    int from = 0; // nodes of the frame's piece
    int to = 0;
    int edge = -1;         // of the frame's piece
    bool reversed = false; // drawn from `to` to `from`, since it closes a cycle
};

struct PillGroup
{
    int node = 0;           // of the frame's piece
    std::vector<int> edges; // of the graph, from left to right and down
    int perColumn = 1;
    double width = 0; // of one pill, in the direction of flow
    double height = 0;
};

// What is laid out at once: the boxes that one frame, or none, holds, as a piece, with a small port
// at its top or bottom for each value that enters or leaves.
struct Frame
{
    int box = -1;              // -1 for the whole drawing
    std::vector<int> children; // boxes; they are the first nodes of the piece
    Piece piece;
    std::vector<PillGroup> pills;
    Drawing drawing;
    LayoutRect content; // bounds of the drawing
    LayoutPoint origin; // where the drawing's 0,0 comes to lie in the result
};

// Boxes, frames and edges as the engines want them. All lengths have the direction of flow as y.
struct FrameTree
{
    std::vector<Frame> frames; // the whole first, a frame before those in it
    std::vector<int> frameOf;  // of each box that is a frame, else -1
    std::vector<int> holder;   // index of the frame that holds each box
    std::vector<int> index;    // of each box among its holder's nodes
    std::vector<std::vector<Hop>>
        hops;               // of each edge, empty for loops; a stub has one from its pill
    std::vector<char> stub; // each edge
};

// Fails if parents or edges are out of range, or frames hold each other.
Result<FrameTree> makeFrames(const LayoutGraph& graph, const LayoutOptions& options);

// Says for each edge how far it reaches in rows. For each edge are given: the boxes between which
// it goes in the frame that holds both ends, or (-1, -1), and whether many edges carry its value.
std::vector<int> reachOf(const LayoutGraph& graph, const std::vector<std::pair<int, int>>& hops,
                         const std::vector<char>& shared);

// Turns edges that close a cycle. `turned` says for each which were.
void makeAcyclic(int nodes, EdgeList& edges, std::vector<char>& turned);

double sane(double size);

} // namespace fusescope::layout
