#pragma once

#include "model/graph.h"

#include <vector>

namespace fusescope {

// The ids that a matching read: when one of them changes, the answer may change. An id may stand
// there more than once, but not when it was read a moment before.
struct ReadSet
{
    std::vector<NodeId> nodes;
    std::vector<ValueId> values; // their records, and what makes them
    std::vector<ValueId> uses;   // values of which it was asked who reads them

    void add(NodeId id) { add(nodes, id); }
    void add(ValueId id) { add(values, id); }
    void addUses(ValueId id) { add(uses, id); }
    void clear()
    {
        nodes.clear();
        values.clear();
        uses.clear();
    }

private:
    template <class Id>
    static void add(std::vector<Id>& ids, Id id)
    {
        constexpr std::size_t moment = 8;
        const std::size_t count = ids.size();
        for (std::size_t i = count > moment ? count - moment : 0; i < count; ++i) {
            if (ids[i] == id)
                return;
        }
        ids.push_back(id);
    }
};

// A graph as patterns read it; records what was read when asked to.
class GraphView
{
public:
    explicit GraphView(const Graph& graph, ReadSet* reads = nullptr) : m_graph(graph), m_reads(reads)
    {
    }

    const Node* node(NodeId id) const
    {
        if (m_reads && id)
            m_reads->add(id);
        return m_graph.node(id);
    }
    const Value* value(ValueId id) const
    {
        note(id);
        return m_graph.value(id);
    }
    NodeId producer(ValueId id) const
    {
        note(id);
        return m_graph.producer(id);
    }
    // The node that makes a value; null for inputs and initializers.
    const Node* producerNode(ValueId id) const { return node(producer(id)); }
    std::span<const Use> uses(ValueId id) const
    {
        if (m_reads && id)
            m_reads->addUses(id);
        return m_graph.uses(id);
    }
    TensorPtr constant(ValueId id) const
    {
        node(producer(id));
        return m_graph.constant(id);
    }
    const Type& type(ValueId id) const; // an undefined one when there is no such value
    const Shape& shape(ValueId id) const { return type(id).shape; }
    DType dtype(ValueId id) const { return type(id).dtype; }
    int sinceVersion(const Node& node) const; // 0 when ONNX has no such operator
    std::int64_t opset(const Node& node) const { return m_graph.opset(node.body, node.op.domain); }

    // The graph without recording, for what does not change with it (header, bodies, names).
    const Graph& graph() const { return m_graph; }

private:
    void note(ValueId id) const
    {
        if (m_reads && id)
            m_reads->add(id);
    }

    const Graph& m_graph;
    ReadSet* m_reads;
};

} // namespace fusescope
