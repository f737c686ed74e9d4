#include "ops/call_sizes.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::int64_t endless = -1;

// What the nodes of a function and of the bodies inside it are: plain nodes, and calls.
struct Contents
{
    std::int64_t plain = 0;
    std::vector<BodyId> calls;
};

} // namespace

BodyId functionAround(const Graph& graph, BodyId id)
{
    while (const Body* body = graph.body(id)) {
        if (body->kind == Body::Kind::function)
            return id;
        const Node* owner = graph.node(body->owner);
        if (!owner)
            break;
        id = owner->body;
    }
    return {};
}

CallSizes::CallSizes(const Graph& graph)
{
    if (graph.header().functions.empty())
        return;
    std::unordered_map<BodyId, Contents> contents;
    std::vector<std::pair<NodeId, BodyId>> outside; // calls outside functions
    for (const NodeId id : graph.allNodes()) {
        const Node& node = *graph.node(id);
        const BodyId around = functionAround(graph, node.body);
        const BodyId called = node.region ? BodyId{} : graph.functionOf(node.op);
        if (!around && called)
            outside.emplace_back(id, called);
        if (!around)
            continue;
        if (called)
            contents[around].calls.push_back(called);
        else
            ++contents[around].plain;
    }
    // Callees before callers, without recursion: a file may chain any number of functions.
    struct Open
    {
        BodyId id;
        std::size_t next = 0;
    };
    std::unordered_map<BodyId, bool> entered;
    for (const BodyId start : graph.header().functions) {
        std::vector<Open> stack;
        if (entered.emplace(start, true).second)
            stack.push_back({start});
        while (!stack.empty()) {
            Open& top = stack.back();
            const Contents& of = contents[top.id];
            if (top.next < of.calls.size()) {
                const BodyId callee = of.calls[top.next++];
                if (entered.emplace(callee, true).second)
                    stack.push_back({callee});
                continue;
            }
            std::int64_t size = of.plain;
            for (const BodyId callee : of.calls) {
                const auto known = m_sizes.find(callee); // unknown: it is being counted, a cycle
                size = size == endless || known == m_sizes.end() || known->second == endless
                           ? endless
                           : std::min(most, size + known->second);
            }
            m_sizes[top.id] = size;
            stack.pop_back();
        }
    }
    std::int64_t total = 0, calls = 0, visited = 0;
    for (const auto& [id, called] : outside) {
        const std::int64_t size = nodesOf(called).value_or(0); // an endless one ends at its depth
        visited = std::min(most, visited + size);
        if (visited > runnable && !m_tooLarge)
            m_tooLarge = id;
        if (size > openable)
            continue;
        total = std::min(most, total + size);
        ++calls;
    }
    if (total > openable)
        m_limit = openable / calls;
}

std::optional<std::int64_t> CallSizes::nodesOf(BodyId function) const
{
    const auto found = m_sizes.find(function);
    return found == m_sizes.end() || found->second == endless ? std::nullopt
                                                              : std::optional(found->second);
}

CallCounts::CallCounts(const Graph& graph)
{
    if (graph.header().functions.empty())
        return;
    for (std::uint32_t i = 1; i < graph.nodeLimit(); ++i) {
        const Node* node = graph.node(NodeId{i});
        if (const BodyId called = node ? graph.functionOf(node->op) : BodyId{})
            ++m_counts[called];
    }
}

void CallCounts::apply(const Graph& after, const GraphPatch& patch)
{
    if (patch.header &&
        patch.header->second->functions.size() >= patch.header->first->functions.size() &&
        patch.header->second->functions != patch.header->first->functions) {
        *this = CallCounts(after); // new functions: what did not call one may do so now
        return;
    }
    if (after.header().functions.empty())
        return;
    for (const auto& slot : patch.nodes) {
        // One that the patch took away has no calls any more, and nobody asks for it.
        if (const BodyId called = slot.before ? after.functionOf(slot.before->op) : BodyId{})
            --m_counts[called];
        if (const BodyId called = slot.after ? after.functionOf(slot.after->op) : BodyId{})
            ++m_counts[called];
    }
}

std::int64_t CallCounts::of(BodyId function) const
{
    const auto found = m_counts.find(function);
    return found == m_counts.end() ? 0 : found->second;
}

Result<void> CallSizes::checkRunnable() const
{
    if (!m_tooLarge)
        return {};
    return fail(ErrorCode::unsupported, Message("ops.calls-too-large", {{"limit", runnable}}),
                m_tooLarge);
}

} // namespace fusescope
