#pragma once

#include "session/drawing.h"

#include <memory>
#include <string>
#include <vector>

namespace fusescope {

enum class SceneMode { before, after, overlay };

enum class SceneState : std::uint8_t { hidden, same, added, removed, changed };

// What a blocked candidate marks in the graph.
struct BlockedMark
{
    int row = -1;  // in the timeline's blocked list
    int wire = -1; // the very edge, or
    int item = -1; // the root's card
    Message headline;
};

struct SceneCounts
{
    int added = 0;
    int removed = 0;
    int changed = 0;
    int blocked = 0;
    bool operator==(const SceneCounts&) const = default;
};

// A drawing seen between two states of the model: a value, made off the window's thread in time that
// grows with the drawing alone, and painted by views.
struct GraphScene
{
    DrawingPtr drawing;
    LaterNodesPtr later; // null: none
    std::shared_ptr<const Graph> a, b;
    int stepA = 0, stepB = 0;
    SceneMode mode = SceneMode::after;
    bool marks = true; // changes are outlined; off for a model alone
    bool hidesFates = false; // Predict: blocks do not tell what will become of their nodes

    std::vector<SceneState> items; // of the drawing's items, in this mode
    std::vector<SceneState> wires;
    // Of a wire that has gone: the one that stands for it outside the box of a region; else -1.
    std::vector<int> coveredBy;
    std::vector<SceneCounts> inside; // of the drawing's items: what a closed one holds
    std::vector<int> blockedItems;   // items with an octagon, sorted
    std::vector<BlockedMark> blocked;
    std::vector<NodeId> changes; // all that are marked, in the order of the drawing
    SceneCounts counts;

    bool isVisible(int item) const { return items[static_cast<std::size_t>(item)] != SceneState::hidden; }
    // The graph in which an item is read: before for what has gone, else after.
    const Graph& graphOf(int item) const;
    // The node that a card shows: of a grown region the one that stands.
    NodeId nodeOf(int item) const;
    int itemOf(NodeId node) const { return itemIn(*drawing, later.get(), node); }
    // What the card of a node shows; the closed item around it, -1 if it is not drawn.
    int visibleItem(NodeId node) const;
    bool isGhost(int item) const;
    // A region shows what it replaces while it is new, and its body where it was opened.
    bool isFrame(int item) const;
};

struct SceneRequest
{
    DrawingPtr drawing;
    LaterNodesPtr later;
    std::shared_ptr<const Graph> a, b;
    int stepA = 0, stepB = 0;
    SceneMode mode = SceneMode::after;
    bool marks = true;
    bool hidesFates = false;
    // Those that may be shown, in the timeline that owns them; null: none.
    std::shared_ptr<const std::vector<Blocked>> blocked;
};
GraphScene makeScene(const SceneRequest& request);
// The blocked rows of a timeline, kept by it.
inline std::shared_ptr<const std::vector<Blocked>> blockedOf(const TimelinePtr& timeline)
{
    return {timeline, &timeline->blocked};
}

// What a card shows, with what happened to its rows between the two states.
struct CardFace
{
    CardContent content;
    std::vector<SceneState> rows; // one for each row: same, added, removed or changed
    std::string body;             // of a region: "Conv · Add · Relu"
    // Of a region: its operators one by one, where its box has room for them.
    struct Member
    {
        OperatorCategory category;
        std::string type, name;
    };
    std::vector<Member> members;
};
CardFace faceOf(const GraphScene& scene, int item);

// "N×64", or "?×64 → 1×64" where it changed.
std::string wireLabel(const GraphScene& scene, int wire);

bool standsIn(const Graph& graph, NodeId node);

} // namespace fusescope
