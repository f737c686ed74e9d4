#include "passes/worklist.h"

#include <algorithm>

namespace fusescope {

namespace {

template <class Lists>
std::vector<std::uint32_t>& slotOf(Lists& lists, std::uint32_t index)
{
    if (index >= lists.size())
        lists.resize(std::max<std::size_t>(index + 1, lists.size() * 2));
    return lists[index];
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

Worklist::Worklist(std::size_t passCount,
                   std::vector<std::span<const std::string_view>> rootTypes)
    : m_queues(passCount), m_answers(passCount), m_recordOf(passCount), m_before(passCount),
      m_settled(passCount)
{
    for (std::uint32_t pass = 0; pass < passCount; ++pass) {
        if (rootTypes[pass].empty())
            m_passesForAll.push_back(pass);
        for (const std::string_view type : rootTypes[pass])
            m_passesByType[type].push_back(pass);
    }
}

void Worklist::fill(const Graph& graph)
{
    for (const NodeId id : graph.allNodes())
        queueNode(graph, id);
}

void Worklist::queueNode(const Graph& graph, NodeId id)
{
    const Node* node = graph.node(id);
    if (!node)
        return;
    // What lies inside a region is settled.
    const Body* body = graph.body(node->body);
    if (!body || body->kind == Body::Kind::region)
        return;
    const std::pair<OrderKey, NodeId> entry{node->order, id};
    for (const std::uint32_t pass : m_passesForAll)
        m_queues[pass].insert(entry);
    const auto found = m_passesByType.find(node->op.type);
    if (found != m_passesByType.end()) {
        for (const std::uint32_t pass : found->second)
            m_queues[pass].insert(entry);
    }
}

void Worklist::invalidate(std::vector<std::uint32_t>& records, const Graph& graph)
{
    for (const std::uint32_t index : records) {
        Record& record = m_records[index];
        if (!record.alive)
            continue;
        record.alive = false;
        m_recordOf[record.pass].erase(record.root);
        askAgain(record.pass, record.root, graph);
    }
    records.clear();
}

void Worklist::askAgain(std::size_t pass, NodeId root, const Graph& graph)
{
    auto& answers = m_answers[pass];
    const auto answered = answers.find(root);
    if (answered != answers.end()) {
        if (const auto* miss = std::get_if<MissReason>(&answered->second.answer))
            m_before[pass][root] = {*miss, answered->second.step};
        answers.erase(answered);
    }
    put(pass, root, graph);
}

void Worklist::settle(const Graph& graph, const GraphPatch& patch)
{
    for (const auto& slot : patch.nodes) {
        if (!slot.after || !isInRegion(graph, *slot.after))
            continue;
        for (std::size_t pass = 0; pass < m_answers.size(); ++pass) {
            const auto answered = m_answers[pass].find(slot.id);
            if (answered != m_answers[pass].end()) {
                if (std::holds_alternative<MissReason>(answered->second.answer))
                    m_settled[pass][slot.id] = answered->second;
                continue;
            }
            const auto before = m_before[pass].find(slot.id);
            if (before != m_before[pass].end() && before->second.first)
                m_settled[pass].try_emplace(
                    slot.id, Answered{*before->second.first, before->second.second});
        }
    }
}

void Worklist::touch(const Graph& graph, const GraphPatch& patch)
{
    settle(graph, patch);
    std::vector<NodeId> nodes;
    std::vector<ValueId> values;
    for (const auto& slot : patch.nodes) {
        nodes.push_back(slot.id);
        for (const Node* node : {slot.before.get(), slot.after.get()}) {
            if (!node)
                continue;
            values.insert(values.end(), node->inputs.begin(), node->inputs.end());
            values.insert(values.end(), node->outputs.begin(), node->outputs.end());
        }
    }
    for (const auto& slot : patch.values)
        values.push_back(slot.id);
    for (const auto& slot : patch.bodies) {
        for (const Body* body : {slot.before.get(), slot.after.get()}) {
            if (body)
                values.insert(values.end(), body->outputs.begin(), body->outputs.end());
        }
    }
    for (const NodeId id : nodes) {
        if (id.value < m_byNode.size())
            invalidate(m_byNode[id.value], graph);
    }
    for (const ValueId id : values) {
        if (id.value < m_byValue.size())
            invalidate(m_byValue[id.value], graph);
    }
    for (const auto& slot : patch.nodes) {
        if (!slot.after)
            continue;
        const bool isNew = !slot.before || slot.before->body != slot.after->body ||
                           slot.before->op != slot.after->op;
        if (isNew)
            queueNode(graph, slot.id);
    }
}

std::optional<NodeId> Worklist::take(std::size_t pass, const Graph& graph)
{
    auto& queue = m_queues[pass];
    while (!queue.empty()) {
        const auto [order, id] = *queue.begin();
        queue.erase(queue.begin());
        const Node* node = graph.node(id);
        if (!node)
            continue;
        const Body* body = graph.body(node->body);
        if (!body || body->kind == Body::Kind::region)
            continue;
        if (node->order == order)
            return id;
        queue.insert({node->order, id});
    }
    return std::nullopt;
}

void Worklist::done(std::size_t pass, NodeId root)
{
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
    const auto index = static_cast<std::uint32_t>(m_records.size());
    const auto old = m_recordOf[pass].find(root);
    if (old != m_recordOf[pass].end())
        m_records[old->second].alive = false;
    m_records.push_back({static_cast<std::uint32_t>(pass), root});
    m_recordOf[pass][root] = index;
    const auto note = [index](std::vector<std::uint32_t>& list) {
        if (list.empty() || list.back() != index)
            list.push_back(index);
    };
    note(slotOf(m_byNode, root.value));
    for (const NodeId id : reads.nodes)
        note(slotOf(m_byNode, id.value));
    for (const ValueId id : reads.values)
        note(slotOf(m_byValue, id.value));
    const auto before = m_before[pass].find(root);
    if (before != m_before[pass].end()) {
        const auto* miss = std::get_if<MissReason>(&given);
        if (miss && sameReasons(before->second.first, *miss))
            step = before->second.second;
        // Kept for when a region took its partners away: answers() asks whether one did.
        if (std::holds_alternative<std::monostate>(given) && before->second.first)
            m_settled[pass].insert_or_assign(
                root, Answered{*std::move(before->second.first), before->second.second});
        m_before[pass].erase(before);
    }
    if (std::holds_alternative<std::monostate>(given)) {
        m_answers[pass].erase(root);
        return;
    }
    m_settled[pass].erase(root);
    m_answers[pass][root] = {std::move(given), step};
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
    const auto found = m_before[pass].find(root);
    return found == m_before[pass].end() ? nullptr : &found->second.first;
}

} // namespace fusescope
