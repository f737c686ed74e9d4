#include "passes/worklist.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace fusescope {

namespace {

// The entry at an index, in a list that grows to it.
std::uint32_t& slotOf(std::vector<std::uint32_t>& list, std::uint32_t index, std::uint32_t absent)
{
    if (index >= list.size())
        list.resize(std::max<std::size_t>(index + 1, list.size() * 2), absent);
    return list[index];
}

bool isInRegion(const Graph& graph, const Node& node)
{
    const Body* body = graph.body(node.body);
    return body && body->kind == Body::Kind::region;
}

// A chain of whatever stands in a row is not the operator that a formula was refused to be.
bool isInChain(const Graph& graph, const Node& node)
{
    const Body* body = graph.body(node.body);
    const Node* region = body ? graph.node(body->owner) : nullptr;
    return region && region->region && region->region->kind == "elementwise-chain";
}

// Whether a refusal that a region ended still tells something: what it bound stands, some of it in a
// region, and not all of it was fused by that region after all.
bool stillTells(const Graph& graph, const MissReason& miss, const Node& root)
{
    bool outside = isInChain(graph, root);
    bool swallowed = isInRegion(graph, root);
    for (const NodeId id : miss.nodes) {
        const Node* node = graph.node(id);
        if (!node)
            return false;
        outside = outside || node->body != root.body;
        swallowed = swallowed || isInRegion(graph, *node);
    }
    return outside && swallowed;
}

bool sameReasons(const std::optional<MissReason>& a, const MissReason& b)
{
    if (!a || a->reasons.size() != b.reasons.size())
        return false;
    return std::equal(a->reasons.begin(), a->reasons.end(), b.reasons.begin(),
                      [](const Reason& x, const Reason& y) {
                          return x.code == y.code && x.culprits == y.culprits;
                      });
}

} // namespace

void Worklist::Queue::fill(std::vector<Entry> entries)
{
    std::sort(entries.begin(), entries.end());
    m_sorted = std::move(entries);
    m_next = 0;
}

void Worklist::Queue::insert(Entry entry)
{
    m_heap.push_back(entry);
    std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
}

std::optional<Worklist::Queue::Entry> Worklist::Queue::take()
{
    if (isEmpty())
        return std::nullopt;
    const bool fromHeap = m_next == m_sorted.size() ||
                          (!m_heap.empty() && m_heap.front() < m_sorted[m_next]);
    const Entry lowest = fromHeap ? m_heap.front() : m_sorted[m_next];
    while (m_next < m_sorted.size() && m_sorted[m_next] == lowest)
        ++m_next;
    while (!m_heap.empty() && m_heap.front() == lowest) {
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        m_heap.pop_back();
    }
    return lowest;
}

Worklist::Worklist(std::size_t passCount,
                   std::vector<std::span<const std::string_view>> rootTypes)
    : m_queues(passCount), m_answers(passCount), m_before(passCount), m_settled(passCount),
      m_recordOf(passCount)
{
    for (std::uint32_t pass = 0; pass < passCount; ++pass) {
        if (rootTypes[pass].empty())
            m_passesForAll.push_back(pass);
        for (const std::string_view type : rootTypes[pass])
            m_passesByType[type].push_back(pass);
    }
}

std::uint32_t Worklist::recordOf(std::size_t pass, NodeId root) const
{
    const auto& records = m_recordOf[pass];
    return root.value < records.size() ? records[root.value] : none;
}

Worklist::Record& Worklist::makeRecord(std::size_t pass, NodeId root)
{
    std::uint32_t& index = slotOf(m_recordOf[pass], root.value, none);
    if (index == none) {
        index = static_cast<std::uint32_t>(m_records.size());
        m_records.push_back({static_cast<std::uint32_t>(pass), root});
    }
    return m_records[index];
}

// An id that one answer reads again has its reading in front.
void Worklist::note(std::vector<std::uint32_t>& lists, std::uint32_t id, std::uint32_t record)
{
    std::uint32_t& first = slotOf(lists, id, none);
    const std::uint32_t answer = m_records[record].answer;
    if (first != none && m_readings[first].record == record && m_readings[first].answer == answer)
        return;
    if (m_freeReadings == none) {
        m_readings.push_back({record, answer, first});
        first = static_cast<std::uint32_t>(m_readings.size() - 1);
        return;
    }
    const std::uint32_t place = m_freeReadings;
    m_freeReadings = m_readings[place].next;
    m_readings[place] = {record, answer, first};
    first = place;
}

template <class Visit>
void Worklist::forPassesOf(const Graph& graph, NodeId id, Visit visit) const
{
    const Node* node = graph.node(id);
    // What lies inside a region is settled.
    const Body* body = node ? graph.body(node->body) : nullptr;
    if (!body || body->kind == Body::Kind::region)
        return;
    const Queue::Entry entry{node->order, id};
    for (const std::uint32_t pass : m_passesForAll)
        visit(pass, entry);
    const auto found = m_passesByType.find(node->op.type);
    if (found == m_passesByType.end())
        return;
    for (const std::uint32_t pass : found->second)
        visit(pass, entry);
}

void Worklist::fill(const Graph& graph)
{
    std::vector<std::vector<Queue::Entry>> entries(m_queues.size());
    for (const NodeId id : graph.allNodes())
        forPassesOf(graph, id, [&entries](std::uint32_t pass, const Queue::Entry& entry) {
            entries[pass].push_back(entry);
        });
    for (std::size_t pass = 0; pass < m_queues.size(); ++pass)
        m_queues[pass].fill(std::move(entries[pass]));
}

void Worklist::invalidate(std::vector<std::uint32_t>& lists, std::uint32_t id, const Graph& graph)
{
    if (id >= lists.size())
        return;
    std::uint32_t next = std::exchange(lists[id], none);
    while (next != none) {
        Reading& reading = m_readings[next];
        Record& record = m_records[reading.record];
        if (record.holds && record.answer == reading.answer)
            askAgain(record, graph);
        const std::uint32_t freed = next;
        next = std::exchange(reading.next, m_freeReadings);
        m_freeReadings = freed;
    }
}

void Worklist::askAgain(Record& record, const Graph& graph)
{
    record.holds = false;
    if (record.inAnswers) {
        auto& answers = m_answers[record.pass];
        const auto answered = answers.find(record.root);
        if (auto* miss = std::get_if<MissReason>(&answered->second.answer)) {
            m_before[record.pass][record.root] = {std::move(*miss), answered->second.step};
            record.inBefore = true;
        }
        answers.erase(answered);
        record.inAnswers = false;
    }
    put(record.pass, record.root, graph);
}

void Worklist::askAgain(std::size_t pass, NodeId root, const Graph& graph)
{
    askAgain(makeRecord(pass, root), graph);
}

void Worklist::settle(const Graph& graph, const GraphPatch& patch)
{
    for (const auto& slot : patch.nodes) {
        if (!slot.after || !isInRegion(graph, *slot.after))
            continue;
        for (std::size_t pass = 0; pass < m_answers.size(); ++pass) {
            const std::uint32_t index = recordOf(pass, slot.id);
            if (index == none)
                continue;
            Record& record = m_records[index];
            if (record.inAnswers) {
                const Answered& answered = m_answers[pass].at(slot.id);
                if (std::holds_alternative<MissReason>(answered.answer)) {
                    m_settled[pass][slot.id] = answered;
                    record.inSettled = true;
                }
                continue;
            }
            if (!record.inBefore)
                continue;
            const auto& before = m_before[pass].at(slot.id);
            if (before.first) {
                m_settled[pass].try_emplace(slot.id, Answered{*before.first, before.second});
                record.inSettled = true;
            }
        }
    }
}

void Worklist::touch(const Graph& graph, const GraphPatch& patch)
{
    settle(graph, patch);
    std::vector<NodeId> nodes;
    std::vector<ValueId> values;
    // Who reads these may have changed, or how: a value of thousands of readers is touched by each
    // step that takes one of them, and only who asked for its readers asks again.
    std::vector<ValueId> used;
    for (const auto& slot : patch.nodes) {
        nodes.push_back(slot.id);
        for (const Node* node : {slot.before.get(), slot.after.get()}) {
            if (!node)
                continue;
            used.insert(used.end(), node->inputs.begin(), node->inputs.end());
            values.insert(values.end(), node->outputs.begin(), node->outputs.end());
        }
    }
    for (const auto& slot : patch.values)
        values.push_back(slot.id);
    for (const auto& slot : patch.bodies) {
        for (const Body* body : {slot.before.get(), slot.after.get()}) {
            if (body)
                used.insert(used.end(), body->outputs.begin(), body->outputs.end());
        }
    }
    used.insert(used.end(), values.begin(), values.end());
    for (const NodeId id : nodes)
        invalidate(m_byNode, id.value, graph);
    for (const ValueId id : values)
        invalidate(m_byValue, id.value, graph);
    for (const ValueId id : used)
        invalidate(m_byUses, id.value, graph);
    for (const auto& slot : patch.nodes) {
        if (!slot.after)
            continue;
        const bool isNew = !slot.before || slot.before->body != slot.after->body ||
                           slot.before->op != slot.after->op;
        if (isNew)
            forPassesOf(graph, slot.id, [this](std::uint32_t pass, const Queue::Entry& entry) {
                m_queues[pass].insert(entry);
            });
    }
}

std::optional<NodeId> Worklist::take(std::size_t pass, const Graph& graph)
{
    while (const auto entry = m_queues[pass].take()) {
        const auto [order, id] = *entry;
        const Node* node = graph.node(id);
        if (!node)
            continue;
        const Body* body = graph.body(node->body);
        if (!body || body->kind == Body::Kind::region)
            continue;
        if (node->order == order)
            return id;
        m_queues[pass].insert({node->order, id});
    }
    return std::nullopt;
}

void Worklist::done(std::size_t pass, NodeId root)
{
    const std::uint32_t index = recordOf(pass, root);
    if (index != none && std::exchange(m_records[index].inSettled, false))
        m_settled[pass].erase(root);
}

void Worklist::put(std::size_t pass, NodeId root, const Graph& graph)
{
    if (const Node* node = graph.node(root))
        m_queues[pass].insert({node->order, root});
}

void Worklist::answer(std::size_t pass, NodeId root, PassAnswer given, int step,
                      const ReadSet& reads)
{
    Record& record = makeRecord(pass, root);
    ++record.answer;
    record.holds = true;
    const auto index = static_cast<std::uint32_t>(&record - m_records.data());
    note(m_byNode, root.value, index);
    for (const NodeId id : reads.nodes)
        note(m_byNode, id.value, index);
    for (const ValueId id : reads.values)
        note(m_byValue, id.value, index);
    for (const ValueId id : reads.uses)
        note(m_byUses, id.value, index);
    const bool isNothing = std::holds_alternative<std::monostate>(given);
    if (std::exchange(record.inBefore, false)) {
        const auto before = m_before[pass].find(root);
        const auto* miss = std::get_if<MissReason>(&given);
        if (miss && sameReasons(before->second.first, *miss))
            step = before->second.second;
        // Kept for when a region took its partners away: answers() asks whether one did.
        if (isNothing && before->second.first) {
            m_settled[pass].insert_or_assign(
                root, Answered{*std::move(before->second.first), before->second.second});
            record.inSettled = true;
        }
        m_before[pass].erase(before);
    }
    if (isNothing) {
        if (std::exchange(record.inAnswers, false))
            m_answers[pass].erase(root);
        return;
    }
    if (std::exchange(record.inSettled, false))
        m_settled[pass].erase(root);
    record.inAnswers = true;
    m_answers[pass].insert_or_assign(root, Answered{std::move(given), step});
}

std::vector<std::pair<NodeId, const Answered*>> Worklist::answers(std::size_t pass,
                                                                  const Graph& graph) const
{
    std::vector<std::pair<OrderKey, NodeId>> order;
    for (const auto& [root, answered] : m_answers[pass]) {
        const Node* node = graph.node(root);
        if (!node)
            continue;
        const Body* body = graph.body(node->body);
        if (body && body->kind != Body::Kind::region)
            order.emplace_back(node->order, root);
    }
    for (const auto& [root, answered] : m_settled[pass]) {
        const Node* node = graph.node(root);
        const bool replaced = node && !isInRegion(graph, *node) && m_answers[pass].contains(root);
        if (node && !replaced &&
            stillTells(graph, std::get<MissReason>(answered.answer), *node))
            order.emplace_back(node->order, root);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::pair<NodeId, const Answered*>> result;
    result.reserve(order.size());
    for (const auto& [key, root] : order) {
        const auto found = m_answers[pass].find(root);
        const bool settled = isInRegion(graph, *graph.node(root));
        result.emplace_back(root, settled || found == m_answers[pass].end()
                                      ? &m_settled[pass].at(root)
                                      : &found->second);
    }
    return result;
}

const std::optional<MissReason>* Worklist::previous(std::size_t pass, NodeId root) const
{
    const std::uint32_t index = recordOf(pass, root);
    if (index == none || !m_records[index].inBefore)
        return nullptr;
    return &m_before[pass].at(root).first;
}

} // namespace fusescope
