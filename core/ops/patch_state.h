#pragma once

#include "ops/graph_reader.h"
#include "ops/patch_builder.h"

#include <algorithm>
#include <map>
#include <optional>

namespace fusescope {

// The graph under a PatchBuilder: the records it changed over those of the graph, with the readers
// and producers of the changed ones, so that no question costs more than the rewrite is large.
struct PatchBuilder::State final : GraphReader
{
    State(const Graph& g, IdPool& p, std::string_view r, NodeId n, std::function<bool(NodeId)> k,
          std::function<bool(ValueId)> i)
        : graph(g), pool(p), rule(r), root(n), keep(std::move(k)), keepInitializer(std::move(i))
    {
    }

    const Graph& graph;
    IdPool& pool;
    std::string rule;
    NodeId root;
    std::function<bool(NodeId)> keep;
    std::function<bool(ValueId)> keepInitializer;

    // Ordered by id: the patch lists them so. Null: removed.
    std::map<NodeId, NodePtr> nodes_;
    std::map<ValueId, ValuePtr> values_;
    std::map<BodyId, BodyPtr> bodies_;
    HeaderPtr header_;

    std::unordered_map<ValueId, std::vector<Use>> reads;  // by changed nodes and bodies
    std::unordered_map<ValueId, NodeId> producers;        // changed nodes
    std::unordered_map<NodeId, std::vector<NodeId>> anchored; // new nodes before another
    std::vector<NodeId> anchors;                          // in the order of the first call
    std::vector<NodeId> removed;                          // asked for by the caller
    std::vector<BodyId> lostBodies;                       // functions to remove
    std::vector<NodeId> toInfer;
    std::unordered_set<std::string> names;                // given by this patch
    std::unordered_set<std::string> reserved;             // of those, not yet a value's
    std::vector<std::pair<std::string, ValueId>> namesOfValues;
    std::uint32_t nodeOrdinal = 0, valueOrdinal = 0, bodyOrdinal = 0;
    std::optional<Error> error;

    // GraphReader
    const Node* node(NodeId id) const override
    {
        const auto found = nodes_.find(id);
        return found != nodes_.end() ? found->second.get() : graph.node(id);
    }
    const Value* value(ValueId id) const override
    {
        const auto found = values_.find(id);
        return found != values_.end() ? found->second.get() : graph.value(id);
    }
    const Body* body(BodyId id) const override
    {
        const auto found = bodies_.find(id);
        return found != bodies_.end() ? found->second.get() : graph.body(id);
    }
    std::vector<NodeId> nodes(BodyId body) const override;
    TensorPtr constant(ValueId id) const override;
    const OpSchema* schema(const Node& node) const override;
    BodyId functionOf(const OpKey& key) const override { return graph.functionOf(key); }

    const Header& header() const { return header_ ? *header_ : graph.header(); }
    NodeId producer(ValueId id) const;
    std::vector<Use> uses(ValueId id) const;
    bool isRead(ValueId id) const;
    bool inFunction(BodyId id) const;
    std::int64_t opset(BodyId id, std::string_view domain) const;

    void set(NodeId id, NodePtr next);
    void set(ValueId id, ValuePtr next) { values_[id] = std::move(next); }
    void set(BodyId id, BodyPtr next);
    // The record of a body as this patch has it, copied once: long lists are not copied at each change.
    // Its outputs may only be changed between unlinking and linking them.
    Body& ownBody(BodyId id);
    void setInput(NodeId id, std::uint32_t index, ValueId to);
    NodeId newNode();
    ValueId newValue();
    BodyId newBody();
    void importDomain(BodyId body, const std::string& domain);

    // finish()
    // Values of inner bodies that hide, by their name, what a changed node or body reads from
    // further out: a file says by names alone which value is meant.
    std::vector<ValueId> hidingValues() const;
    void removeDead();
    void removeBody(BodyId id, std::vector<ValueId>& lost);
    void placeNodes();
    void place(NodeId anchor, const std::vector<NodeId>& ids);
    OrderKey earliest(NodeId id, const std::unordered_set<NodeId>& among) const;
    Result<void> infer();
    // A value of the graph that a new or changed node makes keeps its type: an error where what was
    // found cannot be true beside what it had, unless that was wrong already.
    Result<void> keepsType(NodeId maker, ValueId id, const KnownValue& found) const;
    void fillOrigins();
    GraphPatch patch() const;

    void link(BodyId id, const Body& body, bool add);

private:
    void link(NodeId id, const Node& node, bool add);
};

} // namespace fusescope
