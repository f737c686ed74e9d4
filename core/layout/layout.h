#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

// Lengths are in pixels at scale 1; y grows downwards.
struct LayoutPoint
{
    double x = 0;
    double y = 0;

    bool operator==(const LayoutPoint&) const = default;
};

struct LayoutRect
{
    double x = 0; // top left corner
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    LayoutPoint centre() const { return {x + width / 2, y + height / 2}; }
    bool operator==(const LayoutRect&) const = default;
};

// A box that is the parent of others is a frame: an If with its bodies, an opened block or region.
// Its width is then the least width, its height that of the title strip above what it holds, and
// the result tells how large it became. Frames nest to any depth.
struct LayoutBox
{
    double width = 0;
    double height = 0;
    int parent = -1; // index of the frame that holds it, -1 for none
    int order = -1;  // topological index, -1 for the index of the box; breaks ties
};

enum class LayoutEdgeKind {
    normal, // a line, or a stub where the library finds it long and much shared
    stub    // always a stub
};

// Edges may be equal, go into frames and out of them, form cycles and loops.
struct LayoutEdge
{
    int from = 0;
    int to = 0;
    int fromPort = -1; // index of the output: edges of one box and port carry one value
    int toPort = -1;   // index of the input
    LayoutEdgeKind kind = LayoutEdgeKind::normal;
    double stubWidth = 0; // of the pill if this becomes a stub; 0 for the option's
};

struct LayoutGraph
{
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
};

enum class LayoutDirection { topToBottom, leftToRight };

struct LayoutOptions
{
    std::chrono::milliseconds deadline{10000};
    LayoutDirection direction = LayoutDirection::topToBottom;
    double boxGap = 20;  // between boxes side by side
    double rankGap = 24; // between one row of boxes and the next
    double framePadding = 16;

    // A value that at least stubFanOut edges carry is drawn as a stub where an edge of it spans
    // more than stubReach rows. 0 turns stubs off, but for the edges that ask for one.
    int stubFanOut = 6;
    int stubReach = 24;
    double stubWidth = 72;
    double stubHeight = 18;

    // The program that runs Graphviz. Empty: $FUSESCOPE_LAYOUT_WORKER, else fusescope-layout beside
    // the running program.
    std::string workerPath;
    bool useGraphviz = true;
    bool useCache = true; // of drawn pieces; changes the time, never the drawing
};

enum class LayoutEngine { segmentedDot, dot, fallback };

// "segmented-dot", "dot", "fallback".
std::string_view layoutEngineName(LayoutEngine engine);

// From the border of one box to that of the other. The points are those of cubic curves, 3k+1 of
// them, or, with `cubic` false, corners of a line. A stub starts at the lower
// border of the pills of its reader; an edge from a frame to what it holds starts below the title.
struct LayoutPath
{
    std::vector<LayoutPoint> points;
    bool cubic = true;
    bool stub = false;
    LayoutRect pill; // of a stub, beside its reader; empty for others

    bool operator==(const LayoutPath&) const = default;
};

struct LayoutResult
{
    std::vector<LayoutRect> boxes; // one for each box of the graph
    std::vector<LayoutPath> edges; // one for each edge of the graph
    double width = 0;              // all of it lies in 0..width, 0..height
    double height = 0;
    LayoutEngine engine = LayoutEngine::segmentedDot;
    double milliseconds = 0;
    bool deadlineMissed = false; // a simpler drawing stands in for the best one
};

// Draws any graph; a missing, crashing or slow Graphviz leaves the layout of our own. Equal input
// gives an equal drawing as long as the deadline holds. Fails only when cancelled (within 2 s) or
// when the graph is not one: an edge or parent out of range, frames that hold each other.
// May be called from several threads; they share two worker processes.
Result<LayoutResult> layoutGraph(const LayoutGraph& graph, const LayoutOptions& options,
                                 std::stop_token stop, const Progress& progress);

} // namespace fusescope
