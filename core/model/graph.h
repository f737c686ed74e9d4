#pragma once

#include "base/result.h"
#include "model/pages.h"
#include "model/patch.h"
#include "model/schema.h"

#include <memory>
#include <span>
#include <vector>

namespace fusescope {

// One reading of a value: input `index` of `node`, or, with no node, output `index` of `body`.
// A reader inside an inner body (a capture) is an ordinary use.
struct Use
{
    NodeId node;
    BodyId body;
    std::uint32_t index = 0;

    bool isBodyOutput() const { return !node; }
    auto operator<=>(const Use&) const = default;
};

// The dense tensor that a Constant node holds; null for other nodes, sparse ones and references.
TensorPtr constantOf(const Node& node);

// Everything that can change in a model, as a value: copies share their pages. All change goes
// through apply(). Reading from several threads is safe; writing is not.
class Graph
{
public:
    Graph();
    // All records at once: element i has the id i + 1. Only for makers of whole graphs, which answer
    // for the structure (check() tells).
    static Graph build(HeaderPtr header, const std::vector<BodyPtr>& bodies,
                       const std::vector<ValuePtr>& values, const std::vector<NodePtr>& nodes);

    const Header& header() const { return *m_header; }
    const HeaderPtr& headerPtr() const { return m_header; }
    BodyId mainBody() const { return m_header->mainBody; }

    // Null where nothing stands.
    const Node* node(NodeId id) const { return m_nodes.get(id.value).get(); }
    const Value* value(ValueId id) const { return m_values.get(id.value).get(); }
    const Body* body(BodyId id) const { return m_bodies.get(id.value).get(); }
    const NodePtr& nodePtr(NodeId id) const { return m_nodes.get(id.value); }
    const ValuePtr& valuePtr(ValueId id) const { return m_values.get(id.value); }
    const BodyPtr& bodyPtr(BodyId id) const { return m_bodies.get(id.value); }

    // The node that makes a value; none for inputs and initializers.
    NodeId producer(ValueId id) const { return m_index.get(id.value).producer; }
    std::uint32_t producerOutput(ValueId id) const { return m_index.get(id.value).output; }
    // All readings of a value, in the order of (node, body, index).
    std::span<const Use> uses(ValueId id) const;
    bool isBodyOutput(ValueId id) const; // of any body

    // The nodes of one body in topological order; kept until the next apply() that changes them.
    std::shared_ptr<const std::vector<NodeId>> nodes(BodyId body) const;
    // All bodies: main, the inner ones after their owners, functions last.
    std::vector<BodyId> bodies() const;
    // All nodes of all bodies, by id.
    std::vector<NodeId> allNodes() const;
    std::size_t nodeCount() const { return m_nodeCount; } // all bodies, those inside regions not

    // One past the highest id in use.
    std::uint32_t nodeLimit() const { return m_nodes.limit(); }
    std::uint32_t valueLimit() const { return m_values.limit(); }
    std::uint32_t bodyLimit() const { return m_bodies.limit(); }

    // The function of the model that a node calls, if any (same domain, type and overload).
    BodyId functionOf(const OpKey& key) const;

    // The opset version that holds for a domain inside a body: a function has its own imports.
    std::int64_t opset(BodyId body, std::string_view domain) const;
    // The schema of a standard operator at the opset of its body; null if ONNX has none.
    const OpSchema* schema(const Node& node) const;

    // A dense tensor that is the same in every run: an initializer that no caller can replace (G04,
    // G06 of the IR), or the output of a Constant node. Null otherwise.
    TensorPtr constant(ValueId id) const;
    // An initializer that is also a main-graph input at IR 4 and later.
    bool isOverridable(ValueId id) const;

    // Whether a body lies inside another (any depth), or is it.
    bool encloses(BodyId outer, BodyId inner) const;

    // Refuses, whole, unless every `before` is what stands there (by pointer) and what the patch
    // touches stays single-assigned, defined and sorted. The graph is unchanged on error.
    Result<void> apply(const GraphPatch& patch);

    // The full structural check: single assignment, every input defined and in scope, sorted, use
    // lists equal to the nodes, domains imported. Names the first breach.
    Result<void> check() const;

private:
    struct Index
    {
        NodeId producer;
        std::uint32_t output = 0;
        std::shared_ptr<std::vector<Use>> uses;
    };
    struct MainOrder;

    Result<void> fits(const GraphPatch& patch) const; // all that put() takes for granted
    void put(const GraphPatch& patch);
    Result<void> verify(const GraphPatch& patch) const;
    void moveMember(NodeId id, const Node* before, const Node* after);
    void addUse(ValueId value, Use use);
    void removeUse(ValueId value, Use use);
    void link(NodeId id, const Node& node, bool add);
    void link(BodyId id, const Body& body, bool add);

    HeaderPtr m_header;
    Pages<NodePtr> m_nodes;
    Pages<ValuePtr> m_values;
    Pages<BodyPtr> m_bodies;
    Pages<Index> m_index;
    std::size_t m_nodeCount = 0;
    Pages<std::shared_ptr<std::vector<NodeId>>> m_members; // of all bodies but the main one, sorted
    std::shared_ptr<MainOrder> m_order;
};

} // namespace fusescope
