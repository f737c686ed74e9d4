#include "passes/explain.h"

#include "model/schema.h"
#include "report/texts.h"

#include <algorithm>
#include <unordered_map>

namespace fusescope {

namespace {

constexpr std::size_t mostSiblings = 200;

bool has(const std::vector<NodeId>& nodes, NodeId id)
{
    return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
}

// Where the last node of a rule that takes both may stand: downstream of either, or beside them.
std::vector<NodeId> rootsFor(const Graph& graph, NodeId a, NodeId b)
{
    std::vector<NodeId> roots = downstreamOf(graph, a);
    const auto add = [&roots](NodeId id) {
        if (id && !has(roots, id))
            roots.push_back(id);
    };
    for (const NodeId root : downstreamOf(graph, b))
        add(root);
    std::size_t siblings = 0;
    for (const ValueId input : graph.node(a)->inputs) {
        const auto& others = graph.node(b)->inputs;
        if (!input || std::find(others.begin(), others.end(), input) == others.end())
            continue;
        for (const Use& use : graph.uses(input)) {
            if (++siblings > mostSiblings)
                return roots;
            add(use.node);
        }
    }
    return roots;
}

// How far a rule's answer tells of the pair, in rising order.
enum class Fit {
    none,
    partly,        // it takes one of them, with other nodes
    inTheWay,      // it would take one, and the other is what its reasons name
    aloneBlocked,  // it rewrites one of them by itself
    aloneDisabled,
    bothBlocked,
    bothDisabled,
    aloneLegal,
    bothLegal
};

Fit fitOf(const RuleAnswer& told, const Pass& pass, NodeId a, NodeId b, bool neighbours)
{
    const bool hasA = has(told.taken, a), hasB = has(told.taken, b);
    const auto status = told.explanation.status;
    using Status = Explanation::Status;
    if (hasA && hasB)
        return status == Status::legal      ? Fit::bothLegal
               : status == Status::disabled ? Fit::bothDisabled
                                            : Fit::bothBlocked;
    if (!hasA && !hasB)
        return Fit::none;
    if (neighbours && pass.stage() != Stage::fusion && told.taken.size() == 1)
        return status == Status::legal      ? Fit::aloneLegal
               : status == Status::disabled ? Fit::aloneDisabled
                                            : Fit::aloneBlocked;
    return has(told.culprits, hasA ? b : a) ? Fit::inTheWay : Fit::partly;
}

struct Best
{
    Fit fit = Fit::none;
    int depth = 0;
    RuleAnswer told;
};

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

// How two nodes lie to each other, the one that the other is computed from first.
struct Relation
{
    NodeId first, last;
    bool connected = false;
    std::vector<NodeId> way;
};

Relation relationOf(const Graph& graph, NodeId a, NodeId b)
{
    Relation relation{a, b, false, {}};
    relation.way = between(graph, a, b, relation.connected);
    if (!relation.connected) {
        relation.way = between(graph, b, a, relation.connected);
        if (relation.connected)
            std::swap(relation.first, relation.last);
    }
    return relation;
}

Message notCovered(const Graph& graph, const Relation& relation)
{
    const auto& [first, last, connected, way] = relation;
    std::vector<std::pair<std::string, MessageArg>> args = {
        {"a", first},
        {"b", last},
        {"opA", graph.node(first)->op.type},
        {"opB", graph.node(last)->op.type},
        {"count", static_cast<std::int64_t>(way.size())},
        {"node", way.empty() ? first : way.front()}};
    const TextId text = !connected   ? TextId("explain.no-way")
                        : way.empty() ? TextId("explain.pair")
                                      : TextId("explain.way");
    return Message(text, std::move(args));
}

// The English name of a rule, "Gemm + activation".
std::string_view nameIn(const Pass& pass)
{
    const TextRow* row = findText("rule." + std::string(pass.rule()));
    return row ? row->one : std::string_view();
}

bool endsIn(const Pass& pass, std::string_view op)
{
    const auto types = pass.rootTypes();
    return std::find(types.begin(), types.end(), op) != types.end();
}

// Whether a rule is named after the operator that it begins with.
bool startsWith(std::string_view name, std::string_view op)
{
    const bool scales = op == "Mul" || op == "Div";
    return name.starts_with(std::string(op) + " ") || (scales && name.starts_with("Scale "));
}

// Operators of the standard domain; kinds of regions, in lower case, stand for the same.
std::string listOf(std::span<const std::string_view> types)
{
    constexpr int most = 5;
    std::string list;
    int count = 0;
    for (const std::string_view type : types) {
        if (!type.empty() && type[0] >= 'a')
            continue;
        if (++count > most)
            return list + ", …";
        list += (count > 1 ? ", " : "") + std::string(type);
    }
    return list;
}

// By its operators alone, the rule that has most in common with the pair: how it differs.
struct ByOperators
{
    const Pass* pass = nullptr;
    bool named = false;    // after the first one's operator
    bool ends = false;     // in the last one's
    bool endsAlike = false; // in one with as many inputs
    bool ofTwo = false;    // named after two parts
    int rank() const
    {
        return pass ? (named ? 8 : 0) + (ends ? 4 : 0) + (endsAlike ? 2 : 0) + (ofTwo ? 1 : 0) : 0;
    }
    bool isOfBoth() const { return named && ends; }
};

ByOperators nearestByOperators(const Graph& graph, const Plan& plan, const Relation& relation)
{
    const Node& first = *graph.node(relation.first);
    const Node& last = *graph.node(relation.last);
    const auto inputsOf = [](std::string_view type) {
        const OpSchema* schema = findSchema("", type, 1000);
        return schema ? schema->inputs.size() : 0;
    };
    const std::size_t inputs = inputsOf(last.op.type);
    ByOperators best;
    for (const Pass* pass : allPasses()) {
        if (plan.policy.disabled.count(std::string(pass->rule())) > 0 ||
            pass->stage() == Stage::folding)
            continue;
        const std::string_view name = nameIn(*pass);
        const auto types = pass->rootTypes();
        ByOperators one{pass};
        one.named = !types.empty() && startsWith(name, first.op.type);
        one.ends = endsIn(*pass, last.op.type);
        one.endsAlike = inputs > 0 && std::any_of(types.begin(), types.end(), [&](auto type) {
            return inputsOf(type) == inputs;
        });
        one.ofTwo = name.find('+') != std::string_view::npos;
        if ((one.ends || one.named) && one.rank() > best.rank())
            best = one;
    }
    return best;
}

Message noteOf(const Graph& graph, const Relation& relation, const ByOperators& nearest)
{
    std::vector<std::pair<std::string, MessageArg>> args = {
        {"b", relation.last},
        {"opA", graph.node(relation.first)->op.type},
        {"opB", graph.node(relation.last)->op.type}};
    if (!nearest.pass)
        return Message("explain.no-rule", std::move(args));
    args.emplace_back("rule", std::string(nearest.pass->rule()));
    if (nearest.ends)
        return Message("explain.ends-in", std::move(args));
    args.emplace_back("types", listOf(nearest.pass->rootTypes()));
    return Message("explain.ends-elsewhere", std::move(args));
}

// What the nearest rule is and what differs, for a rule that takes one of the two.
Message noteOf(const Best& best, NodeId a, NodeId b)
{
    const RuleAnswer& told = best.told;
    const NodeId node = has(told.taken, a) ? a : b;
    const auto with = std::find_if(told.taken.begin(), told.taken.end(),
                                   [node](NodeId id) { return id != node; });
    std::vector<std::pair<std::string, MessageArg>> args = {
        {"node", node},
        {"other", node == a ? b : a},
        {"rule", std::string(told.explanation.rule)}};
    switch (best.fit) {
    case Fit::inTheWay:
        return Message("explain.in-the-way", std::move(args));
    case Fit::aloneBlocked:
        return Message("explain.alone-blocked", std::move(args));
    case Fit::aloneDisabled:
        return Message("explain.alone-disabled", std::move(args));
    default:
        break;
    }
    if (with == told.taken.end())
        return Message("explain.looks-at", std::move(args));
    args.emplace_back("with", *with);
    return Message(told.explanation.status == Explanation::Status::blocked
                       ? TextId("explain.partly-blocked")
                       : TextId("explain.partly"),
                   std::move(args));
}

Best bestAnswer(const Graph& graph, const Plan& plan, NodeId a, NodeId b, const Graph& opened)
{
    RuleAsker asker(graph, plan, opened);
    const bool neighbours = areNeighbours(graph, a, b);
    Best best;
    for (const NodeId root : rootsFor(graph, a, b)) {
        for (const Pass* pass : allPasses()) {
            if (root != a && root != b && pass->rootTypes().empty())
                continue;
            std::optional<RuleAnswer> told = asker.askAndTry(*pass, root);
            if (!told)
                continue;
            const Fit fit = fitOf(*told, *pass, a, b, neighbours);
            const int depth = told->explanation.miss ? told->explanation.miss->depth : 0;
            if (std::pair(fit, depth) <= std::pair(best.fit, best.fit == Fit::none ? 99 : best.depth))
                continue;
            best = {fit, depth, *std::move(told)};
        }
    }
    return best;
}

} // namespace

bool areNeighbours(const Graph& graph, NodeId a, NodeId b)
{
    const Node& first = *graph.node(a);
    const Node& second = *graph.node(b);
    const auto has = [](const std::vector<ValueId>& values, ValueId id) {
        return std::find(values.begin(), values.end(), id) != values.end();
    };
    return std::any_of(first.inputs.begin(), first.inputs.end(),
                       [&](ValueId id) {
                           return id && (has(second.outputs, id) ||
                                         (has(second.inputs, id) && !graph.constant(id)));
                       }) ||
           std::any_of(second.inputs.begin(), second.inputs.end(),
                       [&](ValueId id) { return id && has(first.outputs, id); });
}

PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b)
{
    return explainPair(graph, plan, a, b, graph);
}

PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b,
                            const Graph& opened)
{
    using Says = PairExplanation::Answer;
    PairExplanation result;
    if (!graph.node(a) || !graph.node(b))
        return result;
    if (b < a)
        std::swap(a, b); // the same answer in either order
    const Relation relation = relationOf(graph, a, b);
    Best best = bestAnswer(graph, plan, a, b, opened);
    const ByOperators byOperators = nearestByOperators(graph, plan, relation);
    // A rule for two such operators is nearer than one that takes the first with what it reads.
    if (best.fit == Fit::partly && best.told.explanation.root != relation.last &&
        relation.connected && relation.way.empty() && byOperators.isOfBoth())
        best = {};
    result.nearest = std::move(best.told.explanation);
    const NodeId taken = has(best.told.taken, a) ? a : b;
    const std::vector<std::pair<std::string, MessageArg>> args = {
        {"a", a}, {"b", b}, {"node", taken}, {"rule", std::string(result.nearest.rule)}};
    switch (best.fit) {
    case Fit::bothLegal:
        result.answer = Says::legal;
        result.message = Message("explain.legal", args);
        return result;
    case Fit::bothDisabled:
        result.answer = Says::disabled;
        result.message = Message("explain.disabled", args);
        return result;
    case Fit::bothBlocked:
        result.answer = Says::blocked;
        result.message = Message("explain.blocked", args);
        return result;
    case Fit::aloneLegal:
        result.answer = Says::legal;
        result.alone = taken;
        result.message = Message("explain.alone", args);
        return result;
    default:
        break;
    }
    result.message = notCovered(graph, relation);
    if (best.fit != Fit::none) {
        result.note = noteOf(best, a, b);
        return result;
    }
    result.note = noteOf(graph, relation, byOperators);
    if (byOperators.pass) {
        result.nearest.rule = byOperators.pass->rule();
        result.nearest.root = relation.last;
    }
    return result;
}

} // namespace fusescope
