#include "ops/patch_state.h"
#include "ops/registry.h"

#include <deque>
#include <set>

namespace fusescope {

namespace {

// Whether a list has a value; most stay at their place, and lists of thousands are not searched for
// each of their values.
template <class List>
bool isAmong(const List& list, std::size_t place, ValueId value)
{
    return (place < list.size() && list[place] == value) ||
           std::ranges::find(list, value) != list.end();
}

} // namespace

// Values that lost a reader, from the records that this patch changed.
void PatchBuilder::State::removeDead()
{
    std::vector<ValueId> lost;
    for (const BodyId id : lostBodies)
        removeBody(id, lost);
    for (const auto& [id, after] : nodes_) {
        const Node* before = graph.node(id);
        if (!before || before == after.get())
            continue;
        for (std::size_t i = 0; i < before->inputs.size(); ++i) {
            const ValueId input = before->inputs[i];
            if (input && (!after || !isAmong(after->inputs, i, input)))
                lost.push_back(input);
        }
        for (const ValueId output : before->outputs) {
            if (output && value(output) && !producer(output))
                lost.push_back(output);
        }
        if (after)
            continue;
        for (const BodyId inner : before->bodies) {
            const Body* b = body(inner);
            if (b && b->owner == id)
                removeBody(inner, lost);
        }
    }
    for (const auto& [id, after] : bodies_) {
        const Body* before = graph.body(id);
        if (!before || before == after.get())
            continue;
        for (const ValueId output : before->outputs) {
            if (output && (!after || std::ranges::find(after->outputs, output) == after->outputs.end()))
                lost.push_back(output);
        }
    }
    while (!lost.empty()) {
        const ValueId id = lost.back();
        lost.pop_back();
        const Value* v = value(id);
        if (!v || isRead(id))
            continue;
        if (const NodeId makerId = producer(id)) {
            const Node& maker = *node(makerId);
            const bool used = std::ranges::any_of(
                maker.outputs, [this](ValueId output) { return output && isRead(output); });
            if (used || !graph.node(makerId) || (keep && keep(makerId)) ||
                mayHaveSideEffects(graph, maker))
                continue;
            const Node gone = maker;
            set(makerId, NodePtr());
            for (const ValueId output : gone.outputs) {
                if (output)
                    set(output, ValuePtr());
            }
            for (const BodyId inner : gone.bodies)
                removeBody(inner, lost);
            lost.insert(lost.end(), gone.inputs.begin(), gone.inputs.end());
            std::erase(lost, ValueId{});
            continue;
        }
        if (v->isInitializer()) {
            const bool implied = v->isInput && v->body == graph.mainBody() && header().irVersion <= 3;
            if ((v->isInput && !implied) || (keepInitializer && keepInitializer(id)))
                continue;
            Body& holder = ownBody(v->body);
            holder.initializers.erase(id);
            if (v->isInput)
                std::erase(holder.inputs, id);
            set(id, ValuePtr());
        } else if (!v->isInput) {
            set(id, ValuePtr());
        }
    }
}

std::vector<ValueId> PatchBuilder::State::hidingValues() const
{
    std::set<ValueId> found;
    // Where the names of a body's values stand: regions are dissolved before they are written.
    const auto written = [this](BodyId id) {
        for (const Body* b = body(id); b && b->kind == Body::Kind::region; b = body(id)) {
            const Node* owner = node(b->owner);
            if (!owner)
                break;
            id = owner->body;
        }
        return id;
    };
    const auto look = [&](BodyId from, ValueId id) {
        const Value* outer = value(id);
        if (!outer || outer->name.empty() || outer->body == from)
            return;
        std::vector<BodyId> between;
        for (BodyId at = from; at != outer->body;) {
            const Body* b = body(at);
            const Node* owner = b ? node(b->owner) : nullptr;
            if (!owner)
                return;
            if (b->kind == Body::Kind::inner)
                between.push_back(at);
            at = owner->body;
        }
        pool.hasValueNamed(graph, outer->name, [&](ValueId other) {
            const Value* v = value(other);
            if (other != id && v && v->name == outer->name &&
                std::ranges::find(between, written(v->body)) != between.end())
                found.insert(other);
            return false;
        });
    };
    for (const auto& [id, after] : nodes_) {
        const Node* before = graph.node(id);
        for (std::size_t i = 0; after && i < after->inputs.size(); ++i) {
            const ValueId input = after->inputs[i];
            const bool wasRead =
                before && before->body == after->body && isAmong(before->inputs, i, input);
            if (input && !wasRead)
                look(after->body, input);
        }
    }
    for (const auto& [id, after] : bodies_) {
        if (!after || after->kind != Body::Kind::inner)
            continue;
        for (const ValueId output : after->outputs) {
            if (output)
                look(id, output);
        }
    }
    return {found.begin(), found.end()};
}

void PatchBuilder::State::removeBody(BodyId id, std::vector<ValueId>& lost)
{
    const Body* found = body(id);
    if (!found)
        return;
    const Body gone = *found;
    for (const NodeId member : nodes(id)) {
        const Node n = *node(member);
        set(member, NodePtr());
        for (const ValueId input : n.inputs) {
            if (input && value(input) && value(input)->body != id)
                lost.push_back(input);
        }
        for (const ValueId output : n.outputs) {
            if (output)
                set(output, ValuePtr());
        }
        for (const BodyId inner : n.bodies)
            removeBody(inner, lost);
    }
    set(id, BodyPtr());
    for (const ValueId output : gone.outputs) {
        if (output && value(output) && value(output)->body != id)
            lost.push_back(output);
    }
    for (const ValueId value : gone.inputs)
        set(value, ValuePtr());
    for (const ValueId value : gone.initializers)
        set(value, ValuePtr());
}

// The highest key of what a node reads, in its own body; `among` are nodes still to be placed.
OrderKey PatchBuilder::State::earliest(NodeId id, const std::unordered_set<NodeId>& among) const
{
    const Node& n = *node(id);
    OrderKey key = 0;
    const auto read = [&](ValueId input) {
        const NodeId makerId = producer(input);
        const Node* maker = node(makerId);
        if (maker && maker->body == n.body && !among.contains(makerId))
            key = std::max(key, maker->order);
    };
    for (const ValueId input : n.inputs) {
        if (input)
            read(input);
    }
    std::vector<BodyId> inner(n.bodies.begin(), n.bodies.end());
    while (!inner.empty()) {
        const BodyId b = inner.back();
        inner.pop_back();
        if (!body(b) || body(b)->kind == Body::Kind::region)
            continue;
        for (const NodeId member : nodes(b)) {
            const Node& m = *node(member);
            for (const ValueId input : m.inputs) {
                if (input)
                    read(input);
            }
            inner.insert(inner.end(), m.bodies.begin(), m.bodies.end());
        }
        for (const ValueId output : body(b)->outputs) {
            if (output)
                read(output);
        }
    }
    return key;
}

void PatchBuilder::State::placeNodes()
{
    for (const NodeId anchor : anchors) {
        std::vector<NodeId> ids;
        for (const NodeId id : anchored[anchor]) {
            if (node(id))
                ids.push_back(id);
        }
        if (!ids.empty())
            place(anchor, ids);
    }
}

void PatchBuilder::State::place(NodeId anchor, const std::vector<NodeId>& ids)
{
    const Node* standing = node(anchor);
    const Node* at = standing ? standing : graph.node(anchor);
    if (!at)
        return;
    const std::unordered_set<NodeId> among(ids.begin(), ids.end());
    const OrderKey end = at->order;
    OrderKey low = end > orderGap ? end - orderGap : 0;
    for (const NodeId id : ids)
        low = std::max(low, earliest(id, among));
    const bool takesPlace = !standing;
    const std::size_t before = takesPlace ? ids.size() - 1 : ids.size();
    const OrderKey step = end > low ? (end - low) / (before + 1) : 0;
    const bool crowded = step == 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto next = std::make_shared<Node>(*node(ids[i]));
        next->order = i < before ? low + step * (i + 1) : end;
        set(ids[i], std::move(next));
    }
    if (!crowded)
        return;
    // No keys are left before the anchor: the whole body gets new ones.
    const BodyId where = node(ids.front())->body;
    std::vector<NodeId> order;
    for (const NodeId id : nodes(where)) {
        if (!among.contains(id) && id != anchor && node(id)->order < end)
            order.push_back(id);
    }
    order.insert(order.end(), ids.begin(), ids.end());
    for (const NodeId id : nodes(where)) {
        if (!among.contains(id) && (id == anchor || node(id)->order >= end))
            order.push_back(id);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto next = std::make_shared<Node>(*node(order[i]));
        next->order = orderGap * (i + 1);
        set(order[i], std::move(next));
    }
}

Result<void> PatchBuilder::State::keepsType(NodeId maker, ValueId id, const KnownValue& found) const
{
    const Value* before = graph.value(id);
    const NodeId old = graph.producer(id);
    const auto changed = nodes_.find(maker);
    if (!before || !old || changed == nodes_.end() || changed->second == graph.nodePtr(maker))
        return {};
    bool contradicts = false;
    mergeTypes(before->type, found.type, &contradicts);
    if (!contradicts)
        return {};
    const Node& replaced = *graph.node(old);
    const auto outputs = inferNode(
        graph, old, replaced, [this](ValueId v) { return knownValue(PlainGraphReader(graph), v); });
    for (std::size_t i = 0; outputs && i < outputs->size() && i < replaced.outputs.size(); ++i) {
        bool wasWrong = false;
        if (replaced.outputs[i] == id)
            mergeTypes(before->type, (*outputs)[i].type, &wasWrong);
        if (wasWrong)
            return {};
    }
    return fail(ErrorCode::failed,
                Message("ops.type-changed", {{"value", id},
                                             {"before", before->type.text()},
                                             {"after", found.type.text()}}),
                maker);
}

Result<void> PatchBuilder::State::infer()
{
    // Each node at most a few times: sizes only ever get sharper, but a hostile graph may sharpen
    // one step at a time.
    constexpr int visitsPerNode = 4;
    constexpr std::size_t visitsInAll = 200'000;
    std::deque<NodeId> queue;
    std::unordered_set<NodeId> queued;
    std::unordered_map<NodeId, int> visits;
    const auto push = [&](NodeId id) {
        if (id && node(id) && visits[id] < visitsPerNode && queued.insert(id).second)
            queue.push_back(id);
    };
    const auto pushReaders = [&](ValueId id) {
        for (const Use& use : uses(id)) {
            if (use.node)
                push(use.node);
            else if (const Body* b = body(use.body))
                push(b->owner);
        }
    };
    const auto learn = [&](ValueId id, const KnownValue& found, bool fromOutside) {
        const Value* before = value(id);
        if (!before)
            return;
        bool isPublic = false;
        for (const Use& use : graph.uses(id)) {
            // Readings by bodies come first.
            if (!use.isBodyOutput())
                break;
            isPublic = isPublic || use.body == graph.mainBody();
        }
        Type type = isPublic ? mergePublic(before->type, found.type)
                             : mergeTypes(before->type, found.type);
        ShapeData data = found.data ? found.data : before->data;
        if (type == before->type && data == before->data)
            return;
        auto next = std::make_shared<Value>(*before);
        next->type = std::move(type);
        next->data = std::move(data);
        set(id, std::move(next));
        if (fromOutside)
            pushReaders(id);
    };
    std::ranges::stable_sort(toInfer, {}, [this](NodeId id) {
        const Node* n = node(id);
        return n ? n->order : OrderKey{0};
    });
    for (const NodeId id : toInfer)
        push(id);
    for (std::size_t visit = 0; !queue.empty() && visit < visitsInAll; ++visit) {
        const NodeId id = queue.front();
        queue.pop_front();
        queued.erase(id);
        ++visits[id];
        const Node* n = node(id);
        if (!n)
            continue;
        const NodePtr hold = nodes_.contains(id) ? nodes_.at(id) : graph.nodePtr(id);
        // What holds in the first round of a loop need not hold in the next: the last word counts.
        std::map<ValueId, KnownValue> inside;
        const auto outputs = inferNode(
            *this, id, *hold, [this](ValueId v) { return knownValue(*this, v); },
            [&inside](ValueId v, const KnownValue& found) { inside[v] = found; });
        for (const auto& [value, found] : inside)
            learn(value, found, false);
        if (!outputs) {
            // What the file itself got wrong is no fault of the rewrite.
            if (graph.node(id))
                continue;
            return tl::unexpected(outputs.error());
        }
        for (std::size_t i = 0; i < hold->outputs.size() && i < outputs->size(); ++i) {
            if (!hold->outputs[i])
                continue;
            FUSESCOPE_TRY(keepsType(id, hold->outputs[i], (*outputs)[i]));
            learn(hold->outputs[i], (*outputs)[i], true);
        }
    }
    return {};
}

// A new node that nobody gave origins stands for what the caller removed.
void PatchBuilder::State::fillOrigins()
{
    std::vector<NodeId> origins;
    for (const NodeId id : removed) {
        const Node* before = graph.node(id);
        if (!before)
            continue;
        if (before->origins.empty())
            origins.push_back(id);
        else
            origins.insert(origins.end(), before->origins.begin(), before->origins.end());
    }
    if (origins.empty()) {
        const Node* r = graph.node(root);
        origins = r && !r->origins.empty() ? r->origins : std::vector<NodeId>{root};
    }
    std::ranges::sort(origins);
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
    for (auto& [id, after] : nodes_) {
        if (!after || graph.node(id) || !after->origins.empty())
            continue;
        auto next = std::make_shared<Node>(*after);
        next->origins = origins;
        after = std::move(next);
    }
}

GraphPatch PatchBuilder::State::patch() const
{
    GraphPatch result;
    const auto collect = [](const auto& changed, const auto& beforeOf, auto& slots) {
        for (const auto& [id, after] : changed) {
            const auto& before = beforeOf(id);
            if (before != after)
                slots.push_back({id, before, after});
        }
    };
    collect(nodes_, [this](NodeId id) -> const NodePtr& { return graph.nodePtr(id); }, result.nodes);
    collect(values_, [this](ValueId id) -> const ValuePtr& { return graph.valuePtr(id); },
            result.values);
    collect(bodies_, [this](BodyId id) -> const BodyPtr& { return graph.bodyPtr(id); },
            result.bodies);
    if (header_ && header_ != graph.headerPtr())
        result.header = {graph.headerPtr(), header_};
    return result;
}

} // namespace fusescope
