#pragma once

#include "session/drawing.h"

#include <unordered_set>

namespace fusescope::drawing {

// A node that ever stands below the drawn body.
struct Record
{
    NodeId id;
    NodePtr first, last;
    bool gone = false;
    bool folded = false; // gone without anything that stands for it
    std::vector<NodeId> heirs;
};

// A reading of a value at some step; the same at different steps is one.
struct Reading
{
    ValueId value;
    NodeId from, to;
    BodyId body; // of an output
    std::uint32_t index = 0;
    bool operator==(const Reading&) const = default;
};
struct ReadingHash
{
    std::size_t operator()(const Reading& r) const;
};

// All nodes and readings of all steps, below one body.
class Union
{
public:
    Union(const Graph& first, BodyId root);
    void take(const GraphPatch& patch);

    const std::vector<Record>& records() const { return m_records; }
    const Record* record(NodeId id) const;
    const std::vector<Reading>& readings() const { return m_readings; }
    BodyId root() const { return m_root; }
    // The node that owns a body; none for the drawn one.
    NodeId ownerOf(BodyId body) const;
    // The last body record with this id.
    const Body* body(BodyId id) const;
    // What stands for a node in the end: a chain of heirs, itself where it stands.
    NodeId finalHeir(NodeId id) const;

private:
    struct Reader
    {
        NodeId node;
        BodyId body;
        std::uint32_t index;
        bool operator==(const Reader&) const = default;
    };

    bool inTree(BodyId body) const;
    NodeId regionOf(BodyId body) const;
    void collect(BodyId body);
    Record& recordFor(NodeId id, const NodePtr& node);
    NodeId producer(ValueId value) const;
    std::vector<Reader>& readers(ValueId value);
    void link(NodeId id, const Node& node, bool add);
    void link(BodyId id, const Body& body, bool add);
    void addReading(ValueId value, const Reader& reader);

    const Graph m_first;
    BodyId m_root;
    std::vector<Record> m_records;
    std::unordered_map<NodeId, std::size_t> m_at;
    std::unordered_map<BodyId, BodyPtr> m_bodies;
    std::unordered_map<ValueId, NodeId> m_producers; // changed ones
    std::unordered_map<ValueId, std::vector<Reader>> m_readers;
    std::vector<Reading> m_readings;
    std::unordered_set<Reading, ReadingHash> m_known;
};

} // namespace fusescope::drawing
