#include "session/drawing_union.h"

#include "diff/node_compare.h"

#include <algorithm>

namespace fusescope::drawing {

std::size_t ReadingHash::operator()(const Reading& r) const
{
    std::uint64_t hash = r.value.value;
    for (const std::uint32_t part : {r.from.value, r.to.value, r.body.value, r.index})
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return hash;
}

Union::Union(const Graph& first, BodyId root) : m_first(first), m_root(root)
{
    for (const BodyId id : first.bodies())
        m_bodies.emplace(id, first.bodyPtr(id));
    m_records.reserve(first.nodeCount());
    collect(root);
    for (const Record& record : m_records) {
        for (std::size_t i = 0; i < record.first->inputs.size(); ++i) {
            if (const ValueId value = record.first->inputs[i])
                addReading(value, {record.id, {}, static_cast<std::uint32_t>(i)});
        }
    }
    for (const auto& [id, body] : m_bodies) {
        if (!inTree(id))
            continue;
        for (std::size_t i = 0; i < body->outputs.size(); ++i)
            addReading(body->outputs[i], {{}, id, static_cast<std::uint32_t>(i)});
    }
    std::ranges::sort(m_readings, {}, [](const Reading& r) {
        return std::tuple(r.to, r.body, r.index, r.value);
    });
}

void Union::collect(BodyId body)
{
    for (const NodeId id : *m_first.nodes(body)) {
        const NodePtr& node = m_first.nodePtr(id);
        recordFor(id, node);
        if (node->region)
            continue;
        for (const BodyId inner : node->bodies)
            collect(inner);
    }
}

Record& Union::recordFor(NodeId id, const NodePtr& node)
{
    const auto [position, isNew] = m_at.emplace(id, m_records.size());
    if (isNew)
        m_records.push_back({id, node, node, false, false, {}});
    return m_records[position->second];
}

const Record* Union::record(NodeId id) const
{
    const auto found = m_at.find(id);
    return found == m_at.end() ? nullptr : &m_records[found->second];
}

const Body* Union::body(BodyId id) const
{
    const auto found = m_bodies.find(id);
    return found == m_bodies.end() ? nullptr : found->second.get();
}

NodeId Union::ownerOf(BodyId id) const
{
    const Body* found = id == m_root ? nullptr : body(id);
    return found ? found->owner : NodeId{};
}

NodeId Union::regionOf(BodyId id) const
{
    const Body* found = body(id);
    return found && found->kind == Body::Kind::region ? found->owner : NodeId{};
}

bool Union::inTree(BodyId id) const
{
    for (int depth = 0; depth < 1000; ++depth) {
        if (id == m_root)
            return true;
        const Body* found = body(id);
        if (!found || found->kind == Body::Kind::region || !found->owner)
            return false;
        const Record* owner = record(found->owner);
        if (!owner)
            return false;
        id = owner->last->body;
    }
    return false;
}

NodeId Union::producer(ValueId value) const
{
    const auto found = m_producers.find(value);
    return found == m_producers.end() ? m_first.producer(value) : found->second;
}

std::vector<Union::Reader>& Union::readers(ValueId value)
{
    const auto [position, isNew] = m_readers.try_emplace(value);
    if (isNew) {
        for (const Use& use : m_first.uses(value))
            position->second.push_back({use.node, use.isBodyOutput() ? use.body : BodyId{}, use.index});
    }
    return position->second;
}

void Union::link(NodeId id, const Node& node, bool add)
{
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!node.inputs[i])
            continue;
        auto& list = readers(node.inputs[i]);
        const Reader reader{id, {}, static_cast<std::uint32_t>(i)};
        if (add)
            list.push_back(reader);
        else
            std::erase(list, reader);
    }
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        if (add)
            m_producers[output] = id;
        else if (producer(output) == id)
            m_producers[output] = NodeId{};
    }
}

void Union::link(BodyId id, const Body& body, bool add)
{
    for (std::size_t i = 0; i < body.outputs.size(); ++i) {
        auto& list = readers(body.outputs[i]);
        const Reader reader{{}, id, static_cast<std::uint32_t>(i)};
        if (add)
            list.push_back(reader);
        else
            std::erase(list, reader);
    }
}

void Union::addReading(ValueId value, const Reader& reader)
{
    if (reader.node && !record(reader.node))
        return;
    const Reading reading{value, producer(value), reader.node, reader.body, reader.index};
    if (m_known.insert(reading).second)
        m_readings.push_back(reading);
}

void Union::take(const GraphPatch& patch)
{
    const auto owner = [this](BodyId id) { return regionOf(id); };
    for (const auto& slot : patch.bodies) {
        if (slot.before)
            link(slot.id, *slot.before, false);
        if (slot.after)
            m_bodies[slot.id] = slot.after;
    }
    for (const auto& slot : patch.nodes) {
        if (slot.before)
            link(slot.id, *slot.before, false);
    }
    for (const auto& slot : patch.nodes) {
        if (slot.after)
            link(slot.id, *slot.after, true);
    }
    const auto heirs = diff::successorsIn(patch, owner, owner);
    // Owners before what their bodies hold.
    std::vector<const Slot<NodeId, Node>*> fresh;
    for (const auto& slot : patch.nodes) {
        if (slot.after && !regionOf(slot.after->body))
            fresh.push_back(&slot);
    }
    for (bool more = true; more;) {
        more = false;
        for (const auto*& slot : fresh) {
            if (!slot || (slot->after->body != m_root && !inTree(slot->after->body)))
                continue;
            Record& record = recordFor(slot->id, slot->after);
            record.last = slot->after;
            record.gone = record.folded = false;
            slot = nullptr;
            more = true;
        }
    }
    for (const auto& [id, next] : heirs) {
        const auto found = m_at.find(id);
        if (found == m_at.end())
            continue;
        Record& record = m_records[found->second];
        record.gone = true;
        record.heirs = next;
        record.folded = next.empty();
    }
    for (const auto& slot : patch.bodies) {
        if (!slot.after)
            continue;
        link(slot.id, *slot.after, true);
        for (std::size_t i = 0; inTree(slot.id) && i < slot.after->outputs.size(); ++i)
            addReading(slot.after->outputs[i], {{}, slot.id, static_cast<std::uint32_t>(i)});
    }
    for (const auto& slot : patch.nodes) {
        if (!slot.after || regionOf(slot.after->body) || !record(slot.id))
            continue;
        for (std::size_t i = 0; i < slot.after->inputs.size(); ++i) {
            if (const ValueId value = slot.after->inputs[i])
                addReading(value, {slot.id, {}, static_cast<std::uint32_t>(i)});
        }
        for (const ValueId output : slot.after->outputs) {
            if (!output)
                continue;
            for (const Reader& reader : readers(output)) {
                if (reader.node || inTree(reader.body))
                    addReading(output, reader);
            }
        }
    }
}

NodeId Union::finalHeir(NodeId id) const
{
    for (int depth = 0; depth < 10000; ++depth) {
        const Record* found = record(id);
        if (!found || !found->gone || found->heirs.empty())
            return id;
        id = found->heirs.front();
    }
    return id;
}

} // namespace fusescope::drawing
