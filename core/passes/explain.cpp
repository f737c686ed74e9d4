#include "passes/explain.h"

#include "passes/references.h"
#include "passes/rule_support.h"

#include <algorithm>

namespace fusescope {

namespace {

// How far downstream the last node of a pattern may stand from one of its nodes.
constexpr int reach = 12;
constexpr std::size_t maxRoots = 200;

class Recorder final : public ConditionSink
{
public:
    void record(ConditionRecord condition) override { m_records.push_back(std::move(condition)); }
    std::vector<ConditionRecord> take() { return std::move(m_records); }

private:
    std::vector<ConditionRecord> m_records;
};

bool has(const std::vector<NodeId>& nodes, NodeId id)
{
    return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
}

std::vector<NodeId> culpritsOf(const MissReason& miss)
{
    std::vector<NodeId> culprits;
    for (const Reason& reason : miss.reasons) {
        for (const Subject& culprit : reason.culprits) {
            if (const auto* id = std::get_if<NodeId>(&culprit))
                culprits.push_back(*id);
        }
    }
    return culprits;
}

} // namespace

std::vector<NodeId> downstreamOf(const Graph& graph, NodeId from)
{
    std::vector<NodeId> found{from};
    std::size_t begin = 0;
    for (int depth = 0; depth < reach && found.size() < maxRoots; ++depth) {
        const std::size_t end = found.size();
        for (std::size_t i = begin; i < end; ++i) {
            const Node* node = graph.node(found[i]);
            for (const ValueId output : node->outputs) {
                for (const Use& use : graph.uses(output)) {
                    if (use.node && found.size() < maxRoots &&
                        std::find(found.begin(), found.end(), use.node) == found.end())
                        found.push_back(use.node);
                }
            }
        }
        begin = end;
    }
    return found;
}

RuleAsker::RuleAsker(const Graph& graph, const Plan& plan, const Graph& opened)
    : m_graph(graph), m_differentiated(graph), m_asked(plan.policy), m_plan(plan),
      m_grown(constantBytes(graph) - constantBytes(opened)), m_calls(opened)
{
    m_plan.policy = m_differentiated.pinnedBeside(std::move(m_plan.policy));
}

std::optional<RuleAnswer> RuleAsker::ask(const Pass& pass, NodeId root) const
{
    if (pass.isOfWholeModel())
        return std::nullopt;
    const Node& node = *m_graph.node(root);
    const auto types = pass.rootTypes();
    if (!types.empty() && std::find(types.begin(), types.end(), node.op.type) == types.end())
        return std::nullopt;
    Recorder recorder;
    const CallCounts callers; // nothing is rewritten here
    ReadSet reads;
    const PassContext context{{GraphView(m_graph, &reads), m_plan.policy, &recorder, m_grown},
                              evaluateForFolding(),
                              m_calls,
                              callers,
                              {}};
    const PassAnswer answer = m_differentiated.told(
        withoutReferences(pass, m_graph, root, reads, pass.examine(context, root)), m_asked);
    RuleAnswer told;
    told.explanation.rule = pass.rule();
    told.explanation.root = root;
    if (const auto* offer = std::get_if<Offer>(&answer)) {
        told.explanation.status =
            isOn(m_plan.policy, pass) ? Explanation::Status::legal : Explanation::Status::disabled;
        told.taken = offer->nodes;
    } else if (const auto* miss = std::get_if<MissReason>(&answer)) {
        told.explanation.status = Explanation::Status::blocked;
        told.taken = miss->nodes;
        told.culprits = culpritsOf(*miss);
        told.explanation.miss = *miss;
    } else {
        return std::nullopt;
    }
    if (!has(told.taken, root))
        told.taken.push_back(root);
    told.explanation.conditions = recorder.take();
    return told;
}

std::optional<RuleAnswer> RuleAsker::askAndTry(const Pass& pass, NodeId root)
{
    std::optional<RuleAnswer> told = ask(pass, root);
    if (!told || !told->explanation.miss)
        return told;
    if (!m_trial)
        m_trial.emplace(m_graph, m_plan, m_calls, m_grown);
    m_trial->examine(pass, *told->explanation.miss);
    told->culprits = culpritsOf(*told->explanation.miss);
    return told;
}

std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node,
                                     const Graph& opened)
{
    std::vector<Explanation> result;
    if (!graph.node(node))
        return result;
    RuleAsker asker(graph, plan, opened);
    for (const NodeId root : downstreamOf(graph, node)) {
        for (const Pass* pass : allPasses()) {
            if (root != node && pass->rootTypes().empty())
                continue;
            std::optional<RuleAnswer> told = asker.askAndTry(*pass, root);
            if (told && (has(told->taken, node) || has(told->culprits, node)))
                result.push_back(std::move(told->explanation));
        }
    }
    return result;
}

std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node)
{
    return explainNode(graph, plan, node, graph);
}

} // namespace fusescope
