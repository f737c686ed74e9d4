#pragma once

#include "session/drawing_union.h"

#include <map>
#include <unordered_set>

namespace fusescope::drawing {

// The stack of cards inside a region; a smaller region that grew into it stands around its own.
inline constexpr double memberInset = 22; // at both sides
inline constexpr double memberHeight = 24;
inline constexpr double memberGap = 10;
inline constexpr double memberTop = 8;
inline constexpr double memberBottom = 12;
inline constexpr double grownInset = 10;
inline constexpr double grownTop = 6;
inline constexpr double grownBottom = 6;

// Turns the union of all steps into items and wires, and those into a layout.
class Builder
{
public:
    Builder(const Union& all, const Graph& first, const Graph& last, const DrawingOptions& options,
            const MeasureCard& measure);
    Result<DrawingPtr> run(std::stop_token stop, const Progress& progress);

private:
    void findScopes();
    void findRegions();
    void findFolded();
    void makeItems();
    void makeBlocks(const std::vector<NodeId>& top);
    void makeBody(BodyId body, int parent);
    void addNode(NodeId id, int parent);
    std::string jointNameOf(const std::vector<NodeId>& nodes) const;
    std::vector<NodeId> partsOf(NodeId region, NodeId around) const;
    NodeId regionThatTook(NodeId node) const;
    void addParts(int region, int parent, double inset, double& y, int& row);
    void addInputs(BodyId body, int parent);
    void addOutputs(BodyId body, int parent);
    CardSize portSize(ValueId value, const std::string& name) const;
    int addItem(DrawItem item, CardSize size);
    bool isHiddenConstant(const Record& record) const;
    bool isOpened(const std::string& key) const { return m_options.opened.contains(key); }
    CardContent contentOf(const Record& record) const;
    CardSize sizeOf(const Record& record, bool compact) const;
    std::vector<NodeId> nodesOf(BodyId body) const; // in order, that are not held by others

    void makeWires();
    int endOf(NodeId node) const;
    int regionAround(int item) const;
    bool isAncestor(int outer, int item) const;
    int pathBetween(int from, int to, ValueId value, std::uint32_t port);
    LayoutGraph layoutInput();
    bool isMember(int item) const { return regionAround(item) != item; }
    void placeMembers();
    LayoutPath outerPath(const DrawWire& wire, LayoutPath path) const;
    LayoutPath innerPath(const DrawWire& wire);

    const Union& m_all;
    const Graph& m_first;
    const Graph& m_last;
    const DrawingOptions& m_options;
    const MeasureCard& m_measure;
    std::shared_ptr<Drawing> m_drawing;
    std::vector<CardSize> m_sizes;
    std::unordered_map<NodeId, std::vector<NodeId>> m_members;  // of a final region
    std::unordered_map<NodeId, NodeId> m_regionOf;              // of members inside its frame
    std::unordered_map<NodeId, NodeId> m_alias;                 // of an older region: the last one
    std::unordered_map<NodeId, std::vector<NodeId>> m_foldedBy; // of a reader
    std::unordered_map<NodeId, NodeId> m_readerOf;              // of a folded node
    std::unordered_map<BodyId, std::vector<NodeId>> m_nodesIn;
    std::unordered_map<ValueId, int> m_inputItem;
    std::unordered_set<ValueId> m_readInputs;                   // by anything, at any step
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> m_outputItem; // body, index
    std::vector<LayoutEdge> m_edges;
    std::map<std::tuple<int, int, std::uint32_t, std::uint32_t>, int> m_pathAt;
    std::map<std::pair<int, std::uint32_t>, int> m_portOf; // item and value: number of the port
    std::vector<int> m_portCount;
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> m_regionPort; // region and value
    std::vector<std::uint32_t> m_regionPorts;
    std::vector<int> m_boxOf;     // of each item in the layout; that of the region for its members
    struct Place // of a member in the region's stack
    {
        double inset = 0, y = 0, height = 0;
        int firstRow = -1, lastRow = -1;
    };
    std::unordered_map<int, Place> m_places;
    std::unordered_map<int, int> m_rows; // of a region
    std::map<std::pair<int, int>, int> m_laneCount; // lines drawn between two members
};

} // namespace fusescope::drawing
