#pragma once

#include "model/graph.h"
#include "model/patch.h"

#include <vector>

namespace fusescope {

enum class ChangeKind { added, removed, changed };

struct NodeChange
{
    NodeId node;
    ChangeKind kind = ChangeKind::changed;
    NodePtr before, after;
    // removed: what it became (nodes that have it among their origins); added: what it stands for.
    std::vector<NodeId> related;
};

struct ValueChange
{
    ValueId value;
    ChangeKind kind = ChangeKind::changed;
    ValuePtr before, after;
    bool isInitializer() const; // before or after
};

// What differs between two states of a model, ready to show. A node swallowed by a region counts as
// removed (its body is the region's); one whose reading order alone changed does not count.
struct GraphDiff
{
    std::vector<NodeChange> nodes;
    std::vector<ValueChange> values; // initializers and types; not those of added or removed nodes
    int cameAndWent = 0;             // nodes that only stood inside the range
    bool empty() const { return nodes.empty() && values.empty(); }
    const NodeChange* find(NodeId node) const;
    // Of all that a list of changes names: nodes and initializers.
    int count(ChangeKind kind) const;
};

// From the patch that leads from `before` to `after` (the union of the steps' patches).
GraphDiff diffOfPatch(const Graph& before, const Graph& after, const GraphPatch& patch);

// Two files: nodes are matched by name, then by operator and neighbours.
struct FileMatch
{
    NodeId a, b;
    enum class How { name, structure } how = How::name;
};
struct FileDiff
{
    std::vector<FileMatch> matched;
    std::vector<NodeId> onlyA, onlyB;
    std::vector<FileMatch> changed; // matched, but operator, attributes, operands or constants differ
};
FileDiff diffFiles(const Graph& a, const Graph& b);

} // namespace fusescope
