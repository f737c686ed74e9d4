#include "passes/differentiated.h"

#include "exec/gradient.h"
#include "report/make_reason.h"

#include <map>

namespace fusescope {

namespace {

std::map<std::string_view, ValueId> valuesByName(const Graph& graph, BodyId body)
{
    std::map<std::string_view, ValueId> values;
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const Value* value = graph.value(ValueId{i});
        if (value && value->body == body && !value->name.empty())
            values.emplace(value->name, ValueId{i});
    }
    return values;
}

} // namespace

Differentiated::Differentiated(const Graph& graph)
{
    for (const NodeId id : graph.allNodes()) {
        if (reference::isGradient(*graph.node(id)))
            add(graph, *graph.node(id));
    }
}

void Differentiated::add(const Graph& graph, const Node& gradient)
{
    const auto values = valuesByName(graph, gradient.body);
    std::set<ValueId> sources;
    for (const char* attribute : {"xs", "zs"}) {
        for (const std::string& name :
             gradient.attributes.getStrings(attribute).value_or(std::vector<std::string>{})) {
            if (const auto found = values.find(name); found != values.end())
                sources.insert(found->second);
        }
    }
    m_values.insert(sources.begin(), sources.end());
    for (const ValueId source : sources) {
        if (const NodeId maker = graph.producer(source))
            m_nodes.insert(maker);
    }
    const auto target = values.find(gradient.attributes.getString("y", ""));
    std::vector<ValueId> open;
    std::set<ValueId> seen;
    if (target != values.end())
        open.push_back(target->second);
    while (!open.empty()) {
        const ValueId value = open.back();
        open.pop_back();
        if (!seen.insert(value).second)
            continue;
        const NodeId maker = sources.contains(value) ? NodeId{} : graph.producer(value);
        if (!maker)
            continue;
        m_nodes.insert(maker);
        for (const ValueId input : graph.node(maker)->inputs) {
            if (input)
                open.push_back(input);
        }
    }
    m_values.insert(seen.begin(), seen.end());
}

Policy Differentiated::pinnedBeside(Policy asked) const
{
    asked.pinnedNodes.insert(m_nodes.begin(), m_nodes.end());
    asked.pinnedValues.insert(m_values.begin(), m_values.end());
    return asked;
}

PassAnswer Differentiated::told(PassAnswer answer, const Policy& asked) const
{
    auto* miss = std::get_if<MissReason>(&answer);
    if (!miss || m_values.empty())
        return answer;
    for (Reason& reason : miss->reasons) {
        if (reason.code != ReasonCode::pinned || reason.culprits.empty())
            continue;
        const Subject culprit = reason.culprits.front();
        const auto* node = std::get_if<NodeId>(&culprit);
        const auto* value = std::get_if<ValueId>(&culprit);
        const bool own = (node && m_nodes.contains(*node) && !asked.pinnedNodes.contains(*node)) ||
                         (value && m_values.contains(*value) && !asked.pinnedValues.contains(*value));
        if (!own)
            continue;
        const MessageArg shown = node ? MessageArg(*node) : MessageArg(*value);
        reason = makeReason(ReasonCode::pinned, reason.culprits, "headline.differentiated",
                            "reason.differentiated", "unblock.differentiated", {{"node", shown}});
    }
    return answer;
}

} // namespace fusescope
