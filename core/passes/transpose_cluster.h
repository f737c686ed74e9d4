#pragma once

#include "passes/turned_node.h"

#include <map>
#include <set>

namespace fusescope {

// The operators behind Transposes that could work on the data in front of them, and what would change.
struct TransposeCluster
{
    struct Member
    {
        TurnedNode turned;
        AxisOrder order; // of its data
    };
    std::map<ValueId, AxisOrder> orders; // of what Transposes in front and members make
    std::vector<NodeId> front;           // Transposes that members read
    std::map<NodeId, Member> members;
};

// What turning a cluster takes away and what it needs.
struct TransposeBalance
{
    struct Behind
    {
        ValueId reads;
        AxisOrder order; // of what it would read
        bool vanishes = false;
    };
    std::vector<NodeId> spared;                        // Transposes in front that nobody reads then
    std::map<NodeId, Behind> behind;                   // Transposes that read what is turned
    std::set<ValueId> needed;                          // what members make that is read as it was
    std::set<std::pair<ValueId, AxisOrder>> missing;   // operands that have to be turned in front
    std::vector<NodeId> obstacles;                     // what reads the needed, what makes the missing

    std::int64_t gone() const;
    std::int64_t added() const { return static_cast<std::int64_t>(needed.size() + missing.size()); }
    std::int64_t fewer() const { return gone() - added(); }
};

TransposeBalance balanceOf(const GraphView& view, const TransposeCluster& cluster);

// What can be turned behind the Transpose; empty of members where it changes nothing.
TransposeCluster findCluster(const GraphView& view, NodeId transpose);
// Leaves out members behind which Transposes would only be moved on.
void prune(const GraphView& view, TransposeCluster& cluster);

} // namespace fusescope
