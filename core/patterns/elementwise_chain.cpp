#include "patterns/activation.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"
#include "patterns/target.h"

#include <algorithm>
#include <array>

//   x ─ Mul(a) ─ Add(b) ─ Sigmoid ─ y
//   x ─ region{ Mul, Add, Sigmoid } ─ y
//
// Elementwise operators of floats, left over by every other rule, whose results all have one shape
// and are read inside alone; the last one is followed by no other of its kind. Activations written
// out may be among them.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 35> members = {"Add",         "Sub",
                                                      "Mul",         "Div",
                                                      "Pow",         "Max",
                                                      "Min",         "Relu",
                                                      "Sigmoid",     "Tanh",
                                                      "Erf",         "Exp",
                                                      "Log",         "Neg",
                                                      "Abs",         "Sqrt",
                                                      "Reciprocal",  "Clip",
                                                      "LeakyRelu",   "Elu",
                                                      "Selu",        "Celu",
                                                      "Softplus",    "Softsign",
                                                      "HardSigmoid", "HardSwish",
                                                      "Gelu",        "Mish",
                                                      "Floor",       "Ceil",
                                                      "Sin",         "Cos",
                                                      "PRelu",       "ThresholdedRelu",
                                                      "Round"};
constexpr std::size_t largest = 24;

bool isMember(const MatchContext& context, NodeId id)
{
    const GraphView& view = context.view;
    const Node* node = view.node(id);
    if (!node || node->outputs.size() != 1 || !node->output(0))
        return false;
    const bool known = node->region
                           ? isActivationRegion(*node)
                           : node->op.isStandard() && std::find(members.begin(), members.end(),
                                                                node->op.type) != members.end();
    const DType type = view.dtype(node->output(0));
    return known &&
           (type == DType::float32 || type == DType::float64 || type == DType::float16 ||
            type == DType::bfloat16) &&
           !isHeldForTarget(context, id, "elementwise-chain");
}

// Whether a value may vanish into the reader: both are members and make one shape.
bool joins(const MatchContext& context, NodeId id, NodeId reader, bool pinsCount = true)
{
    const GraphView& view = context.view;
    if (!isMember(context, id) || !isMember(context, reader))
        return false;
    const ValueId made = view.node(id)->output(0);
    return onlyReader(view, made) == reader && view.shape(made).hasRank() &&
           view.node(id)->body == view.node(reader)->body &&
           provablyEqual(view.shape(made), view.shape(view.node(reader)->output(0))) &&
           !(pinsCount && (context.policy.pinnedNodes.contains(id) ||
                           context.policy.pinnedNodes.contains(reader) ||
                           context.policy.pinnedValues.contains(made)));
}

FormulaNodes chainAt(const MatchContext& context, NodeId root, bool pinsCount = true)
{
    const GraphView& view = context.view;
    FormulaNodes chain;
    std::vector<NodeId> open{root};
    for (std::size_t i = 0; i < open.size() && open.size() < largest; ++i) {
        for (const ValueId input : view.node(open[i])->inputs) {
            const NodeId id = input ? view.producer(input) : NodeId{};
            if (id && open.size() < largest && joins(context, id, open[i], pinsCount))
                open.push_back(id);
        }
    }
    for (auto id = open.rbegin(); id != open.rend(); ++id)
        chain.add(*id);
    return chain;
}

class ElementwiseChain final : public FusionPattern
{
public:
    RuleId rule() const override { return "elementwise-chain"; }
    std::span<const std::string_view> rootTypes() const override
    {
        static const std::vector<std::string_view> types = [] {
            std::vector<std::string_view> all(members.begin(), members.end());
            for (const std::string_view type : activationTypes()) {
                if (std::find(all.begin(), all.end(), type) == all.end())
                    all.push_back(type);
            }
            return all;
        }();
        return types;
    }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        if (!isMember(context, root))
            return NotCandidate{};
        const NodeId follower = onlyReader(view, view.node(root)->output(0));
        if (follower && joins(context, root, follower))
            return NotCandidate{};
        const FormulaNodes chain = chainAt(context, root);
        if (chain.nodes.size() < 2)
            return withPins(context, root);
        Match match = formulaMatch(root, chain, view.node(root)->input(0), "title.fuse");
        match.title =
            Message("title.elementwise-chain",
                    {{"count", static_cast<std::int64_t>(chain.nodes.size())}, {"node", root}});
        return match;
    }

    // Nothing joins: said only where pins alone are why.
    MatchResult withPins(const MatchContext& context, NodeId root) const
    {
        const GraphView& view = context.view;
        const NodeId follower = onlyReader(view, view.node(root)->output(0));
        if (follower && joins(context, root, follower, false))
            return NotCandidate{};
        const FormulaNodes chain = chainAt(context, root, false);
        if (chain.nodes.size() < 2)
            return NotCandidate{};
        std::vector<Reason> values;
        for (const NodeId id : chain.nodes) {
            const ValueId made = view.node(id)->output(0);
            if (id != root && context.policy.pinnedValues.contains(made))
                values.push_back(reasons::pinnedValue(made));
        }
        Conditions conditions(context, rule(), root);
        conditions.checkNotPinned(chain.nodes);
        conditions.check("condition.not-pinned", std::move(values));
        if (conditions.allHold())
            return NotCandidate{};
        return std::move(conditions).miss(static_cast<int>(chain.nodes.size()), chain.nodes);
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        std::vector<NodeId> nodes;
        std::vector<std::pair<NodeId, Role>> roles;
        for (const auto& entry : match.nodes) {
            nodes.push_back(entry.second);
            for (const auto& role : rolesOf(view, entry.second, Role::part))
                roles.push_back(role);
        }
        builder.makeRegion("elementwise-chain", nodes, roles);
        return {};
    }
};

} // namespace

const FusionPattern& patterns::elementwiseChain()
{
    static const ElementwiseChain pattern;
    return pattern;
}

} // namespace fusescope
