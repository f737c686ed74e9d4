#include "model/graph.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <span>

namespace fusescope {

namespace {

// Whether `reader`, a node or the body output list of `readerBody`, may read `value`: it stands in
// scope and is there before the reader (or the owner of the reader's body) runs.
Result<void> checkReading(const Graph& graph, ValueId id, BodyId readerBody, const Node* reader,
                          NodeId readerId)
{
    const Value* value = graph.value(id);
    if (!value)
        return fail(ErrorCode::failed, Message("model.undefined-input"), readerId);
    const NodeId producerId = graph.producer(id);
    const Node* producer = graph.node(producerId);
    if (!producer && !value->isInput && !value->isInitializer())
        return fail(ErrorCode::failed, Message("model.no-producer", {{"value", id}}), readerId);
    BodyId body = readerBody;
    const Node* at = reader;
    while (body != value->body) {
        const Body* b = graph.body(body);
        const Node* owner = b && b->kind == Body::Kind::inner ? graph.node(b->owner) : nullptr;
        if (!owner)
            return fail(ErrorCode::failed, Message("model.out-of-scope", {{"value", id}}), readerId);
        at = owner;
        body = owner->body;
    }
    if (producer && at && producer->order >= at->order)
        return fail(ErrorCode::failed, Message("model.not-sorted", {{"value", id}}), readerId);
    return {};
}

Result<void> checkNode(const Graph& graph, NodeId id)
{
    const Node& node = *graph.node(id);
    if (!graph.body(node.body))
        return fail(ErrorCode::failed, Message("model.no-body"), id);
    for (const ValueId input : node.inputs) {
        if (input)
            FUSESCOPE_TRY(checkReading(graph, input, node.body, &node, id));
    }
    for (std::uint32_t i = 0; i < node.outputs.size(); ++i) {
        const ValueId output = node.outputs[i];
        if (!output)
            continue;
        const Value* value = graph.value(output);
        if (!value || value->body != node.body)
            return fail(ErrorCode::failed, Message("model.undefined-output"), id);
        if (value->isInput || value->isInitializer() || graph.producer(output) != id ||
            graph.producerOutput(output) != i)
            return fail(ErrorCode::failed, Message("model.assigned-twice"), id);
    }
    for (const BodyId inner : node.bodies) {
        const Body* body = graph.body(inner);
        if (!body || body->owner != id)
            return fail(ErrorCode::failed, Message("model.no-body"), id);
    }
    return {};
}

// The entries of a body's list that are not in the list before, or whose value is `changed` (sorted).
std::vector<ValueId> toCheck(const std::vector<ValueId>& list, const std::vector<ValueId>* before,
                             std::span<const ValueId> changed)
{
    if (!before)
        return list;
    // Long lists of which a few entries differ: equal stretches are passed over in one go.
    constexpr std::ptrdiff_t stretch = 64;
    static_assert(std::has_unique_object_representations_v<ValueId>);
    std::vector<ValueId> result, gone;
    auto now = list.begin();
    auto old = before->begin();
    while (now != list.end()) {
        if (list.end() - now >= stretch && before->end() - old >= stretch &&
            std::memcmp(&*now, &*old, stretch * sizeof(ValueId)) == 0) {
            now += stretch;
            old += stretch;
            continue;
        }
        const auto at = std::find(old, before->end(), *now);
        if (at == before->end()) {
            result.push_back(*now++);
            continue;
        }
        gone.insert(gone.end(), old, at);
        old = at + 1;
        ++now;
    }
    gone.insert(gone.end(), old, before->end());
    std::sort(gone.begin(), gone.end());
    for (const ValueId id : changed) {
        if (!std::binary_search(gone.begin(), gone.end(), id) &&
            std::find(list.begin(), list.end(), id) != list.end())
            result.push_back(id);
    }
    return result;
}

// `before` is the body that the patch replaces, null to look at all of it.
Result<void> checkBody(const Graph& graph, BodyId id, const Body* before = nullptr,
                       std::span<const ValueId> changed = {})
{
    const Body& body = *graph.body(id);
    for (const ValueId output : body.outputs) {
        if (output)
            FUSESCOPE_TRY(checkReading(graph, output, id, nullptr, NodeId{}));
    }
    for (const ValueId input : toCheck(body.inputs, before ? &before->inputs : nullptr, changed)) {
        const Value* value = graph.value(input);
        if (!value || !value->isInput || value->body != id)
            return fail(ErrorCode::failed, Message("model.undefined-input"));
    }
    const auto isWrong = [&graph, id](ValueId initializer) {
        const Value* value = graph.value(initializer);
        return !value || !value->isInitializer() || value->body != id;
    };
    bool wrong = false;
    if (!before) {
        wrong = std::any_of(body.initializers.begin(), body.initializers.end(), isWrong);
    } else {
        body.initializers.forEachNear(before->initializers,
                                      [&](ValueId one) { wrong = wrong || isWrong(one); });
        wrong = wrong || std::any_of(changed.begin(), changed.end(), [&](ValueId one) {
                    return isWrong(one) && body.initializers.contains(one);
                });
    }
    if (wrong)
        return fail(ErrorCode::failed, Message("model.undefined-input"));
    return {};
}

} // namespace

Result<void> Graph::verify(const GraphPatch& patch) const
{
    for (const auto& slot : patch.nodes) {
        if (slot.after)
            FUSESCOPE_TRY(checkNode(*this, slot.id));
    }
    std::vector<ValueId> changed;
    if (!patch.bodies.empty()) {
        for (const auto& slot : patch.values)
            changed.push_back(slot.id);
        std::sort(changed.begin(), changed.end());
    }
    for (const auto& slot : patch.bodies) {
        if (slot.after)
            FUSESCOPE_TRY(checkBody(*this, slot.id, slot.before.get(), changed));
    }
    for (const auto& slot : patch.values) {
        if (slot.after)
            continue;
        if (!uses(slot.id).empty())
            return fail(ErrorCode::failed, Message("model.undefined-input"),
                        uses(slot.id).front().node);
        if (producer(slot.id))
            return fail(ErrorCode::failed, Message("model.undefined-output"), producer(slot.id));
    }
    // Readers of a node that moved, or of a value that lost its producer, must still come after.
    for (const auto& slot : patch.nodes) {
        if (!slot.after) {
            for (const ValueId output : slot.before->outputs) {
                if (output && value(output) && !producer(output) && !uses(output).empty() &&
                    !value(output)->isInput && !value(output)->isInitializer())
                    return fail(ErrorCode::failed, Message("model.no-producer", {{"value", output}}),
                                slot.id);
            }
            continue;
        }
        if (slot.before && slot.before->order == slot.after->order)
            continue;
        for (const ValueId output : slot.after->outputs) {
            for (const Use& use : uses(output)) {
                const Node* reader = node(use.node);
                FUSESCOPE_TRY(checkReading(*this, output, reader ? reader->body : use.body, reader,
                                           use.node));
            }
        }
    }
    return {};
}

Result<void> Graph::check() const
{
    std::size_t counted = 0;
    std::size_t readings = 0;
    for (const NodeId id : allNodes()) {
        FUSESCOPE_TRY(checkNode(*this, id));
        const Node& n = *node(id);
        counted += body(n.body)->kind == Body::Kind::region ? 0 : 1;
        for (std::uint32_t i = 0; i < n.inputs.size(); ++i) {
            if (!n.inputs[i])
                continue;
            ++readings;
            const auto list = uses(n.inputs[i]);
            if (!std::binary_search(list.begin(), list.end(), Use{id, BodyId{}, i}))
                return fail(ErrorCode::failed, Message("model.use-list"), id);
        }
        const std::int64_t version = opset(n.body, n.op.domain);
        // Files may call a function of a domain that they do not import; what is made here may not.
        const bool ours = n.op.domain == regionDomain;
        if (version == 0 && !n.op.domain.empty() && !n.region && (ours || !functionOf(n.op)))
            return fail(ErrorCode::failed,
                        Message("model.domain-not-imported", {{"domain", n.op.domain}}), id);
    }
    for (const BodyId id : bodies()) {
        FUSESCOPE_TRY(checkBody(*this, id));
        for (const ValueId output : body(id)->outputs)
            readings += output ? 1 : 0;
    }
    for (std::uint32_t i = 1; i < m_index.limit(); ++i)
        readings -= uses(ValueId{i}).size();
    if (readings != 0 || counted != m_nodeCount)
        return fail(ErrorCode::failed, Message("model.use-list"));
    return {};
}

} // namespace fusescope
