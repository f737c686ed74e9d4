#pragma once

#include "layout/layout.h"
#include "session/card.h"
#include "session/timeline.h"

#include <functional>
#include <memory>
#include <set>
#include <unordered_map>

namespace fusescope {

struct CardSize
{
    double width = 0;
    double height = 0;
};
// How large a card is painted; called from the thread that makes the drawing.
using MeasureCard = std::function<CardSize(const CardContent&)>;

enum class BlockMode {
    automatic, // equal blocks are closed where the model is large
    equal,     // equal blocks are closed, but for the opened ones
    none       // every node stands for itself
};

struct DrawingOptions
{
    BodyId root;                  // the body that is drawn; absent: the main one
    std::set<std::string> opened; // keys of folded nodes, blocks and nodes with bodies
    BlockMode blocks = BlockMode::automatic;
    CardOptions cards;
    LayoutOptions layout;
    bool operator==(const DrawingOptions& other) const;
};

// Something with a place of its own in the drawing.
struct DrawItem
{
    enum class Kind {
        node,   // a card; a frame where it is a region with members or its bodies are opened
        block,  // equal blocks, by scope or by repetition
        folded, // what folding and dead code remove, above its reader
        body,   // a frame inside an opened node
        input,  // of the drawn body or of an opened one
        output
    };
    Kind kind = Kind::node;
    NodeId node;       // node; folded: the reader; body: the owner
    BodyId body;       // body, input, output
    ValueId value;     // input, output
    int parent = -1;   // frame that holds it
    LayoutRect rect;
    double strip = 0;  // of a frame: height of its title
    bool frame = false;
    bool region = false;
    bool compact = false; // a card of one line: it will be fused or folded
    bool open = false;    // block, folded, node with bodies
    std::string key;      // for DrawingOptions::opened; empty where nothing opens
    std::string title;    // block, body, input, output; region: the names of all that it replaces
    std::vector<NodeId> nodes; // block, folded: all inside; region: the nodes that it replaces
    std::vector<NodeId> tied;  // region: of these, the ones that stand elsewhere
    std::vector<NodeId> older; // smaller regions that grew into it and have no box of their own
};

// A line from item to item. Several readings share one where blocks are closed.
struct DrawWire
{
    ValueId value;
    int from = -1; // items
    int to = -1;
    int path = -1;
    int bundle = -1;        // the same for those that run together up to the box of a region
    bool captured = false;  // read inside a body of its reader
};

// One reading of a value by what reads it, at some step.
struct DrawUse
{
    ValueId value;
    NodeId from, to; // none: an input, an output
    BodyId body;     // of an output
    std::uint32_t index = 0;
    int wire = -1;
};

// One layout of all that ever stands: before, after and overlay look at the same places.
struct Drawing
{
    std::vector<DrawItem> items;
    std::vector<DrawWire> wires;
    std::vector<DrawUse> uses;
    std::vector<LayoutPath> paths;
    std::unordered_map<NodeId, int> itemOf; // also of nodes inside closed blocks
    double width = 0, height = 0;
    LayoutEngine engine = LayoutEngine::segmentedDot;
    double milliseconds = 0;
    bool deadlineMissed = false;
    bool hasBlocks = false;    // there are equal blocks
    bool blocksClosed = false; // and they are in use
    int generation = 0;
    int steps = 0; // of the timeline when it was made
    BodyId root;
    DrawingOptions options;
    std::unordered_map<BodyId, std::string> scopes; // that all names in an inner graph begin with

    // Whether `inner` is `outer` or stands in it.
    bool holds(int outer, int inner) const
    {
        while (inner > outer)
            inner = items[static_cast<std::size_t>(inner)].parent;
        return inner == outer;
    }
    // The options of a card in this graph.
    CardOptions cardsIn(BodyId body) const
    {
        CardOptions cards = options.cards;
        if (const auto found = scopes.find(body); found != scopes.end() && cards.scope.empty())
            cards.scope = found->second;
        return cards;
    }
    int item(NodeId node) const
    {
        const auto found = itemOf.find(node);
        return found == itemOf.end() ? -1 : found->second;
    }
};
using DrawingPtr = std::shared_ptr<const Drawing>;

// What steps made that came after a drawing, in the places of the nodes that it stands for: a drawing
// itself is never copied for that.
struct LaterNodes
{
    std::unordered_map<NodeId, int> itemOf;
    std::unordered_map<int, std::vector<NodeId>> at; // by item
    int steps = 0;                                   // taken in, with those of the drawing
};
using LaterNodesPtr = std::shared_ptr<const LaterNodes>;

// The item of a node, -1 where there is none; `later` may be null.
int itemIn(const Drawing& drawing, const LaterNodes* later, NodeId node);
// Of an item the nodes beside its own that stand there: smaller regions that grew into it, and later
// ones.
std::vector<NodeId> othersAt(const Drawing& drawing, const LaterNodes* later, int item);

// All steps of a timeline. Takes under half a second for 12,001 nodes and may be called from any
// thread.
Result<DrawingPtr> makeDrawing(const Timeline& timeline, const DrawingOptions& options,
                               const MeasureCard& measure, std::stop_token stop = {},
                               const Progress& progress = {});
// One state alone, without ghosts.
Result<DrawingPtr> makeDrawing(const Graph& graph, const DrawingOptions& options,
                               const MeasureCard& measure, std::stop_token stop = {},
                               const Progress& progress = {});

// `known` with the steps that the timeline has beyond it, for a drawing made before they were there;
// `known` itself, which may be null, where there are none.
LaterNodesPtr laterNodes(const Drawing& drawing, const Timeline& timeline, LaterNodesPtr known);

// The card as it is drawn in one line.
CardContent compactCard(CardContent card);
inline constexpr double blockHeight = 24;

} // namespace fusescope
