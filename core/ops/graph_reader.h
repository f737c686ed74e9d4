#pragma once

#include "ops/inference.h"

#include <functional>
#include <memory>

namespace fusescope {

// What inference asks of a graph, so that it also works on one that is only being built.
class GraphReader
{
public:
    virtual ~GraphReader() = default;
    virtual const Node* node(NodeId id) const = 0;
    virtual const Value* value(ValueId id) const = 0;
    virtual const Body* body(BodyId id) const = 0;
    virtual std::vector<NodeId> nodes(BodyId body) const = 0; // sorted
    virtual TensorPtr constant(ValueId id) const = 0;
    virtual const OpSchema* schema(const Node& node) const = 0;
    virtual BodyId functionOf(const OpKey& key) const = 0;
};

class PlainGraphReader final : public GraphReader
{
public:
    explicit PlainGraphReader(const Graph& graph) : m_graph(graph) {}
    const Node* node(NodeId id) const override { return m_graph.node(id); }
    const Value* value(ValueId id) const override { return m_graph.value(id); }
    const Body* body(BodyId id) const override { return m_graph.body(id); }
    std::vector<NodeId> nodes(BodyId body) const override { return *m_graph.nodes(body); }
    TensorPtr constant(ValueId id) const override { return m_graph.constant(id); }
    const OpSchema* schema(const Node& node) const override { return m_graph.schema(node); }
    BodyId functionOf(const OpKey& key) const override { return m_graph.functionOf(key); }

private:
    const Graph& m_graph;
};

using KnownOf = std::function<KnownValue(ValueId)>;
// Told what each value of an inner body or a region turned out to be; the last word counts.
using RecordKnown = std::function<void(ValueId, const KnownValue&)>;

Result<std::vector<KnownValue>> inferNode(const GraphReader& reader, NodeId id, const Node& node,
                                          const KnownOf& known, const RecordKnown& record = {});

// What is wrong with the numbers of a node's inputs and outputs or with its attributes, if anything.
std::optional<Message> wrongForm(const OpSchema& schema, const Node& node);

// What the graph itself says of a value: its type, data and constant contents.
KnownValue knownValue(const GraphReader& reader, ValueId id);

// A type for a value of the file: as mergeTypes, but for an output of the main graph, whose
// declared sizes are public, a named size stays.
Type mergePublic(const Type& declared, const Type& inferred, bool* contradiction = nullptr);

// The node with the attributes that refer to its function's call replaced by the call's values;
// `call` are those values, `info` gives the defaults.
Node bindAttributes(const Node& node, const Attributes& call, const FunctionInfo& info);
bool hasReferences(const Node& node);

} // namespace fusescope
