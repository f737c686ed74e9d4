#include "passes/explain.h"

#include "passes/rule_support.h"

#include <algorithm>
#include <unordered_map>

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

struct Asked
{
    Explanation explanation;
    std::vector<NodeId> nodes; // that the rule bound
};

std::optional<Asked> ask(const Graph& graph, const Plan& plan, const Pass& pass, NodeId root,
                         const CallSizes& calls, std::int64_t grown)
{
    if (pass.isOfWholeModel())
        return std::nullopt;
    const Node& node = *graph.node(root);
    const auto types = pass.rootTypes();
    if (!types.empty() && std::find(types.begin(), types.end(), node.op.type) == types.end())
        return std::nullopt;
    Recorder recorder;
    const CallCounts callers; // nothing is rewritten here
    const PassContext context{{GraphView(graph), plan.policy, &recorder, grown},
                              evaluateForFolding(),
                              calls,
                              callers,
                              {}};
    const PassAnswer answer = pass.examine(context, root);
    Asked asked;
    asked.explanation.rule = pass.rule();
    asked.explanation.root = root;
    const auto& off = plan.policy.disabled;
    const bool disabled = off.count(std::string(pass.rule())) > 0 ||
                          off.count(std::string(idOf(pass.stage()))) > 0;
    if (const auto* offer = std::get_if<Offer>(&answer)) {
        asked.explanation.status =
            disabled ? Explanation::Status::disabled : Explanation::Status::legal;
        asked.nodes = offer->nodes;
    } else if (const auto* miss = std::get_if<MissReason>(&answer)) {
        asked.explanation.status = Explanation::Status::blocked;
        asked.explanation.miss = *miss;
        asked.nodes = miss->nodes;
        for (const Reason& reason : miss->reasons) {
            for (const Subject& culprit : reason.culprits) {
                if (const auto* id = std::get_if<NodeId>(&culprit))
                    asked.nodes.push_back(*id);
            }
        }
    } else {
        return std::nullopt;
    }
    asked.nodes.push_back(root);
    asked.explanation.conditions = recorder.take();
    return asked;
}

// The node and what lies downstream of it, nearest first.
std::vector<NodeId> downstream(const Graph& graph, NodeId from)
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

bool has(const std::vector<NodeId>& nodes, NodeId id)
{
    return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
}

// The nodes strictly between two on a shortest way along the edges; nothing when no way leads from
// one to the other. `found` stays false then.
std::vector<NodeId> between(const Graph& graph, NodeId from, NodeId to, bool& found)
{
    constexpr std::size_t most = 20'000;
    std::unordered_map<NodeId, NodeId> cameFrom{{from, NodeId{}}};
    std::vector<NodeId> open{from};
    for (std::size_t i = 0; i < open.size() && open.size() < most; ++i) {
        const Node* node = graph.node(open[i]);
        for (const ValueId output : node->outputs) {
            for (const Use& use : graph.uses(output)) {
                if (use.node && cameFrom.emplace(use.node, open[i]).second)
                    open.push_back(use.node);
            }
        }
        if (cameFrom.contains(to))
            break;
    }
    found = cameFrom.contains(to);
    std::vector<NodeId> way;
    for (NodeId id = found ? cameFrom[to] : NodeId{}; id && id != from; id = cameFrom[id])
        way.push_back(id);
    std::reverse(way.begin(), way.end());
    return way;
}

// The fusion rule that has one of these operators at its end: the later node's first.
RuleId ruleThatEndsIn(const Graph& graph, const Plan& plan, NodeId first, NodeId last)
{
    for (const NodeId id : {last, first}) {
        for (const Pass* pass : allPasses()) {
            const auto types = pass->rootTypes();
            if (pass->stage() == Stage::fusion && plan.policy.disabled.count(std::string(pass->rule())) == 0 &&
                std::find(types.begin(), types.end(), graph.node(id)->op.type) != types.end())
                return pass->rule();
        }
    }
    return {};
}

// Why no rule covers the two: what lies between them, and the rule that comes nearest.
Message notCovered(const Graph& graph, NodeId a, NodeId b, RuleId nearest)
{
    bool connected = false;
    NodeId first = a, last = b;
    std::vector<NodeId> way = between(graph, a, b, connected);
    if (!connected) {
        way = between(graph, b, a, connected);
        if (connected)
            std::swap(first, last);
    }
    std::vector<std::pair<std::string, MessageArg>> args = {
        {"a", first},
        {"b", last},
        {"opA", graph.node(first)->op.type},
        {"opB", graph.node(last)->op.type},
        {"count", static_cast<std::int64_t>(way.size())},
        {"node", way.empty() ? first : way.front()},
        {"rule", std::string(nearest)}};
    if (!connected)
        return Message(nearest.empty() ? TextId("explain.no-way") : TextId("explain.no-way-nearest"),
                       std::move(args));
    if (way.empty())
        return Message(nearest.empty() ? TextId("explain.pair") : TextId("explain.pair-nearest"),
                       std::move(args));
    return Message(nearest.empty() ? TextId("explain.way") : TextId("explain.way-nearest"),
                   std::move(args));
}

} // namespace

std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node,
                                     const Graph& opened)
{
    std::vector<Explanation> result;
    if (!graph.node(node))
        return result;
    const std::int64_t grown = constantBytes(graph) - constantBytes(opened);
    const CallSizes calls(opened);
    for (const NodeId root : downstream(graph, node)) {
        for (const Pass* pass : allPasses()) {
            if (root != node && pass->stage() != Stage::fusion)
                continue;
            std::optional<Asked> asked = ask(graph, plan, *pass, root, calls, grown);
            if (asked && has(asked->nodes, node))
                result.push_back(std::move(asked->explanation));
        }
    }
    return result;
}

std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node)
{
    return explainNode(graph, plan, node, graph);
}

PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b)
{
    return explainPair(graph, plan, a, b, graph);
}

PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b,
                            const Graph& opened)
{
    PairExplanation best;
    int bestRank = -1;
    if (!graph.node(a) || !graph.node(b))
        return best;
    if (b < a)
        std::swap(a, b); // the same answer in either order
    const std::int64_t grown = constantBytes(graph) - constantBytes(opened);
    const CallSizes calls(opened);
    std::vector<NodeId> roots = downstream(graph, a);
    for (const NodeId root : downstream(graph, b)) {
        if (!has(roots, root))
            roots.push_back(root);
    }
    for (const NodeId root : roots) {
        for (const Pass* pass : allPasses()) {
            if (pass->stage() != Stage::fusion)
                continue;
            std::optional<Asked> asked = ask(graph, plan, *pass, root, calls, grown);
            if (!asked)
                continue;
            const bool hasA = has(asked->nodes, a);
            const bool hasB = has(asked->nodes, b);
            if (!hasA && !hasB)
                continue;
            const auto status = asked->explanation.status;
            int rank = asked->explanation.miss ? asked->explanation.miss->depth : 0;
            if (hasA && hasB)
                rank += status == Explanation::Status::legal      ? 3000
                        : status == Explanation::Status::disabled ? 2000
                                                                  : 1000;
            if (rank <= bestRank)
                continue;
            bestRank = rank;
            best.nearest = std::move(asked->explanation);
            if (!hasA || !hasB)
                best.answer = PairExplanation::Answer::noPattern;
            else if (status == Explanation::Status::legal)
                best.answer = PairExplanation::Answer::legal;
            else if (status == Explanation::Status::disabled)
                best.answer = PairExplanation::Answer::disabled;
            else
                best.answer = PairExplanation::Answer::blocked;
        }
    }
    const std::vector<std::pair<std::string, MessageArg>> both = {
        {"a", a}, {"b", b}, {"rule", std::string(best.nearest.rule)}};
    switch (best.answer) {
    case PairExplanation::Answer::legal:
        best.message = Message("explain.legal", both);
        break;
    case PairExplanation::Answer::disabled:
        best.message = Message("explain.disabled", both);
        break;
    case PairExplanation::Answer::blocked:
        best.message = Message("explain.blocked", both);
        break;
    case PairExplanation::Answer::noPattern:
        if (best.nearest.rule.empty()) {
            best.nearest.rule = ruleThatEndsIn(graph, plan, a, b);
            best.nearest.root = b;
        }
        best.message = notCovered(graph, a, b, best.nearest.rule);
        break;
    }
    return best;
}

} // namespace fusescope
