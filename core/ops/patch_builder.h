#pragma once

#include "base/result.h"
#include "model/graph.h"
#include "model/id_pool.h"
#include "ops/inference.h"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fusescope {

// Builds the patch of one rewrite. Every call sees the graph with the calls before it. finish()
// removes what the rewrite left dead (nodes that only fed what it removed, their initializers,
// Constant nodes and bodies), infers what is new, follows sharper types downstream until nothing
// changes, and gives the patch; the graph itself is never touched.
class PatchBuilder
{
public:
    // `keep` says which nodes, `keepInitializer` which initializers must not be removed as dead
    // (pinned by the user); nodes with side effects never are.
    PatchBuilder(const Graph& graph, IdPool& pool, std::string_view rule, NodeId root,
                 std::function<bool(NodeId)> keep = {},
                 std::function<bool(ValueId)> keepInitializer = {});

    // The graph with what was built so far.
    const Node* node(NodeId id) const;
    const Value* value(ValueId id) const;
    const Body* body(BodyId id) const;
    NodeId producer(ValueId id) const;
    std::vector<Use> uses(ValueId id) const;
    TensorPtr constant(ValueId id) const;
    const Graph& graph() const { return m_graph; }

    // A new initializer in a body (main graph by default); the name is made unique in all graphs. At
    // IR ≤ 3 it is listed among the main graph's inputs too. Inside a function it becomes a Constant
    // node, since functions hold no initializers.
    ValueId addConstant(BodyId body, std::string name, Tensor tensor);
    ValueId addConstant(BodyId body, std::string name, TensorPtr tensor);

    // A new value for an output that nothing stood for yet.
    ValueId addValue(BodyId body, std::string name = {});

    // A new node in the body of the root, placed just before the root in the order of the calls
    // (the last one takes the root's own place once the root is removed or replaced). Outputs may
    // be values of nodes that this patch removes: a replacement takes over the ValueId.
    NodeId addNode(Node node);
    // As addNode, before another node.
    NodeId addNodeBefore(NodeId anchor, Node node);

    // Moves a node of another body into the body of the anchor, placed as addNodeBefore does. Its
    // values go with it; the node keeps its id.
    void moveNodeBefore(NodeId anchor, NodeId id);

    // As addNode, at the end of a body that this patch made.
    NodeId addNodeAtEnd(BodyId body, Node node);
    // A new body, for a node that this patch makes; its values and nodes are added after it.
    BodyId addBody(Body body);
    // A new input of a body that this patch made.
    ValueId addInput(BodyId body, std::string name, Type type);

    // Changes operands, attributes or name in place: the node keeps its id.
    void editNode(NodeId id, const std::function<void(Node&)>& edit);
    void editValue(ValueId id, const std::function<void(Value&)>& edit);
    void editBody(BodyId id, const std::function<void(Body&)>& edit);
    void editHeader(const std::function<void(Header&)>& edit);

    // Removes a node; its outputs must be taken over, rewired or unread by finish().
    void removeNode(NodeId id);
    // Removes an initializer that nothing reads, also from the inputs that list it.
    void removeInitializer(ValueId id);
    // Removes a function of the model; nothing may call it any more.
    void removeFunction(BodyId id);
    // Every reading of `from` (body outputs too) reads `to` instead.
    void rewire(ValueId from, ValueId to);
    // `to` takes the place of `from` under the name of `from`: for outputs of a body, whose name is
    // public. The producer of `to` then makes the value `from`.
    void takeOver(ValueId from, ValueId to);

    // Moves nodes of the root's body into a new region node, which stands at the root: what they
    // read from outside becomes its inputs in order of first reading, what is read outside its
    // outputs. A region among them is grown: its nodes move in, it disappears. `kind` and roles
    // name what the region is.
    NodeId makeRegion(std::string kind, const std::vector<NodeId>& nodes,
                      const std::vector<std::pair<NodeId, Role>>& roles);

    // The inverse: the nodes of a region stand in its place again, reading and making the outer
    // values; the region and its body disappear.
    std::vector<NodeId> dissolveRegion(NodeId region);

    // A name that stands nowhere else in the model, made from `wish`.
    std::string uniqueName(std::string_view wish);

    // Whether a value of the graph as it was, outside `gone` and other than `except`, has this name.
    bool hasOtherValueNamed(const std::string& name, ValueId except, BodyId gone) const;

    Result<GraphPatch> finish();

private:
    struct State;
    const Graph& m_graph;
    std::shared_ptr<State> m_state;
};

} // namespace fusescope
