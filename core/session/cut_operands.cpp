#include "session/cut_operands.h"

#include "exec/compare.h"
#include "report/render.h"

#include <algorithm>

namespace fusescope {

namespace {

bool isComputed(const Graph& graph, ValueId id)
{
    const Value* value = graph.value(id);
    return value && value->body == graph.mainBody() && !value->isInput && !value->isInitializer() &&
           !graph.constant(id);
}

std::optional<RuntimeValue> valueOf(const Graph& graph, ValueId id, const MadeInputs& inputs,
                                    const RunResult& run)
{
    if (TensorPtr constant = graph.constant(id))
        return RuntimeValue(std::move(constant));
    if (const auto kept = run.kept.find(id); kept != run.kept.end())
        return kept->second;
    const Value* value = graph.value(id);
    const auto given = value ? inputs.inputs.find(value->name) : inputs.inputs.end();
    if (given != inputs.inputs.end())
        return given->second;
    if (value && value->constant)
        return RuntimeValue(value->constant);
    return std::nullopt;
}

bool isRead(const Graph& graph, const Node& node)
{
    return std::ranges::any_of(node.outputs, [&graph](ValueId id) {
        return id && !graph.uses(id).empty();
    });
}

} // namespace

CutOperands::CutOperands(const PairRun& pair, const std::vector<NodeId>& cut,
                         const Counterparts& counterparts)
    : m_pair(pair)
{
    for (const NodeId id : cut) {
        const Node* node = pair.before.node(id);
        if (!node || node->body != pair.before.mainBody() || !isRead(pair.before, *node))
            continue;
        const auto named = std::ranges::find_if(node->outputs,
                                                [](ValueId output) { return bool(output); });
        const NodeId partner =
            pair.byName ? pair.after.producer(counterparts.of(*named)) : id;
        const Node* other = pair.after.node(partner);
        if (!other || other->op != node->op) {
            m_lost.push_back(id);
            continue;
        }
        for (std::size_t i = 0; i < std::max(node->inputs.size(), other->inputs.size()); ++i) {
            const Operand operand{node->input(i), other->input(i)};
            const bool known = std::ranges::any_of(m_operands, [&operand](const Operand& one) {
                return one.before == operand.before && one.after == operand.after;
            });
            if ((operand.before || operand.after) && !known)
                m_operands.push_back(operand);
        }
    }
}

std::set<ValueId> CutOperands::keptBefore() const
{
    std::set<ValueId> kept;
    for (const Operand& operand : m_operands) {
        if (isComputed(m_pair.before, operand.before))
            kept.insert(operand.before);
    }
    return kept;
}

std::set<ValueId> CutOperands::keptAfter() const
{
    std::set<ValueId> kept;
    for (const Operand& operand : m_operands) {
        if (isComputed(m_pair.after, operand.after))
            kept.insert(operand.after);
    }
    return kept;
}

std::vector<TensorComparison> CutOperands::compare(const MadeInputs& inputs, const RunResult& before,
                                                   const RunResult& after) const
{
    std::vector<TensorComparison> result;
    for (const NodeId id : m_lost) {
        TensorComparison one;
        one.name = displayName(&m_pair.before, id);
        one.why = Message("session.cut-node-lost", {{"node", id}});
        result.push_back(std::move(one));
    }
    for (const Operand& operand : m_operands) {
        const auto a = valueOf(m_pair.before, operand.before, inputs, before);
        const auto b = valueOf(m_pair.after, operand.after, inputs, after);
        TensorComparison one;
        if (a && b)
            one = compareValues(*a, *b, m_pair.rtol, m_pair.atol);
        else
            one.why = Message("session.output-missing");
        const bool fromBefore = bool(operand.before);
        const Graph& graph = fromBefore ? m_pair.before : m_pair.after;
        one.value = fromBefore ? operand.before : operand.after;
        one.name = graph.value(one.value)->name;
        if (!one.pass || isComputed(graph, one.value))
            result.push_back(std::move(one));
    }
    return result;
}

} // namespace fusescope
