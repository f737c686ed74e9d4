#include "ops/patch_state.h"

namespace fusescope {

std::vector<NodeId> PatchBuilder::State::nodes(BodyId id) const
{
    std::vector<std::pair<OrderKey, NodeId>> found;
    const Body* b = body(id);
    const Node* owner = b ? node(b->owner) : nullptr;
    if (b && b->kind == Body::Kind::region && owner && owner->region) {
        // A region lists its nodes itself: no search through the graph.
        for (const auto& [member, role] : owner->region->roles) {
            if (const Node* n = node(member); n && n->body == id)
                found.emplace_back(n->order, member);
        }
    } else {
        if (graph.body(id)) {
            for (const NodeId n : *graph.nodes(id)) {
                if (!nodes_.contains(n))
                    found.emplace_back(graph.node(n)->order, n);
            }
        }
        for (const auto& [n, after] : nodes_) {
            if (after && after->body == id)
                found.emplace_back(after->order, n);
        }
    }
    std::sort(found.begin(), found.end());
    std::vector<NodeId> result;
    result.reserve(found.size());
    for (const auto& [order, n] : found)
        result.push_back(n);
    return result;
}

TensorPtr PatchBuilder::State::constant(ValueId id) const
{
    const Value* v = value(id);
    if (!v)
        return nullptr;
    if (v->constant) {
        const bool listed = v->isInput && (v->body != graph.mainBody() || header().irVersion >= 4);
        return listed ? nullptr : v->constant;
    }
    const Node* n = node(producer(id));
    return n ? constantOf(*n) : nullptr;
}

std::int64_t PatchBuilder::State::opset(BodyId id, std::string_view domain) const
{
    while (const Body* b = body(id)) {
        if (b->function)
            return opsetIn(b->function->opsets, domain);
        const Node* owner = node(b->owner);
        if (!owner)
            break;
        id = owner->body;
    }
    return header().opset(domain);
}

const OpSchema* PatchBuilder::State::schema(const Node& n) const
{
    const std::int64_t version = opset(n.body, n.op.domain);
    return version > 0 ? findSchema(n.op.domain, n.op.type,
                                    static_cast<int>(std::min<std::int64_t>(version, 9999)))
                       : nullptr;
}

NodeId PatchBuilder::State::producer(ValueId id) const
{
    if (const auto found = producers.find(id); found != producers.end())
        return found->second;
    const NodeId base = graph.producer(id);
    return base && !nodes_.contains(base) ? base : NodeId{};
}

std::vector<Use> PatchBuilder::State::uses(ValueId id) const
{
    std::vector<Use> result;
    for (const Use& use : graph.uses(id)) {
        if (use.isBodyOutput() ? !bodies_.contains(use.body) : !nodes_.contains(use.node))
            result.push_back(use);
    }
    if (const auto found = reads.find(id); found != reads.end())
        result.insert(result.end(), found->second.begin(), found->second.end());
    std::sort(result.begin(), result.end());
    return result;
}

bool PatchBuilder::State::isRead(ValueId id) const
{
    if (const auto found = reads.find(id); found != reads.end() && !found->second.empty())
        return true;
    return std::ranges::any_of(graph.uses(id), [this](const Use& use) {
        return use.isBodyOutput() ? !bodies_.contains(use.body) : !nodes_.contains(use.node);
    });
}

bool PatchBuilder::State::inFunction(BodyId id) const
{
    const Body* b = body(id);
    return b && b->kind == Body::Kind::function;
}

void PatchBuilder::State::link(NodeId id, const Node& n, bool add)
{
    for (std::uint32_t i = 0; i < n.inputs.size(); ++i) {
        if (!n.inputs[i])
            continue;
        auto& list = reads[n.inputs[i]];
        const Use use{id, BodyId{}, i};
        if (add)
            list.push_back(use);
        else
            std::erase(list, use);
    }
    for (const ValueId output : n.outputs) {
        if (!output)
            continue;
        if (add)
            producers[output] = id;
        else if (const auto at = producers.find(output);
                 at != producers.end() && at->second == id)
            producers.erase(at);
    }
}

void PatchBuilder::State::link(BodyId id, const Body& b, bool add)
{
    for (std::uint32_t i = 0; i < b.outputs.size(); ++i) {
        if (!b.outputs[i])
            continue;
        auto& list = reads[b.outputs[i]];
        const Use use{NodeId{}, id, i};
        if (add)
            list.push_back(use);
        else
            std::erase(list, use);
    }
}

void PatchBuilder::State::set(NodeId id, NodePtr next)
{
    const auto [at, isNew] = nodes_.try_emplace(id);
    if (!isNew && at->second)
        link(id, *at->second, false);
    at->second = std::move(next);
    if (at->second)
        link(id, *at->second, true);
}

void PatchBuilder::State::set(BodyId id, BodyPtr next)
{
    const auto [at, isNew] = bodies_.try_emplace(id);
    if (!isNew && at->second)
        link(id, *at->second, false);
    at->second = std::move(next);
    if (at->second)
        link(id, *at->second, true);
}

Body& PatchBuilder::State::ownBody(BodyId id)
{
    if (const auto found = bodies_.find(id); found == bodies_.end() || !found->second)
        set(id, std::make_shared<Body>(*body(id)));
    // Whatever stands in bodies_ was made by this patch, and nobody else has it before patch().
    return const_cast<Body&>(*bodies_.at(id));
}

void PatchBuilder::State::setInput(NodeId id, std::uint32_t index, ValueId to)
{
    auto next = std::make_shared<Node>(*node(id));
    next->inputs[index] = to;
    set(id, std::move(next));
}

// An id that the same rewrite got before and whose record still stands is left alone: the rule
// acted on this root twice.
NodeId PatchBuilder::State::newNode()
{
    for (;;) {
        const NodeId id = pool.node(rule, root, nodeOrdinal++);
        if (!graph.node(id))
            return id;
    }
}

ValueId PatchBuilder::State::newValue()
{
    for (;;) {
        const ValueId id = pool.value(rule, root, valueOrdinal++);
        if (!graph.value(id))
            return id;
    }
}

BodyId PatchBuilder::State::newBody()
{
    for (;;) {
        const BodyId id = pool.body(rule, root, bodyOrdinal++);
        if (!graph.body(id))
            return id;
    }
}

void PatchBuilder::State::importDomain(BodyId id, const std::string& domain)
{
    if (domain == regionDomain || opset(id, domain) > 0)
        return;
    const std::int64_t version = std::max(1, latestOpset(domain));
    while (const Body* b = body(id)) {
        if (b->function) {
            auto info = std::make_shared<FunctionInfo>(*b->function);
            info->opsets.emplace_back(domain, version);
            auto next = std::make_shared<Body>(*b);
            next->function = std::move(info);
            set(id, std::move(next));
            return;
        }
        const Node* owner = node(b->owner);
        if (!owner)
            break;
        id = owner->body;
    }
    auto next = std::make_shared<Header>(header());
    next->opsets.emplace_back(domain, version);
    header_ = std::move(next);
}

} // namespace fusescope
