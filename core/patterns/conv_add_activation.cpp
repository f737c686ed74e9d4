#include "patterns/activation.h"
#include "patterns/convolution.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"

#include <algorithm>
#include <array>

//   x ─ Conv(W, B) ─┐
//                z ─┴─ Add ─ Relu ─ y
//   [x, z] ─ region{ Conv, Add, Relu } ─ y
//
// The Conv (or ConvTranspose), plain or in a region with nothing behind it, alone feeds one side of
// the Add; the other side has its shape or broadcasts to it, and is not computed from it. The
// activation may be missing; if it is there it alone reads the Add, with constant parameters. Where
// both sides are Convs the later one that is legal is taken. An Add of a constant of another shape
// is conv-bias's.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> passable = {"BatchNormalization"};

std::vector<std::string_view> makeRootTypes()
{
    std::vector<std::string_view> types{"Add", "Sum"};
    types.insert(types.end(), activationTypes().begin(), activationTypes().end());
    return types;
}

// A Sum of two is an Add.
bool isAddition(const Node* node)
{
    return node && (node->is("Add") || node->is("Sum")) && node->inputs.size() == 2 &&
           node->input(0) && node->input(1) && node->output(0);
}

// One way to see an Add: this side is the convolution, the other one the residual.
struct Side
{
    FoundConvolution conv;
    ValueId other;
};

bool canTake(const GraphView& view, const FoundConvolution& found)
{
    if (found.found.kind == BetweenKind::activation)
        return false;
    const auto main = mainOperator(view, found.found.node);
    return main && !main->residual && !main->activation;
}

// Direct ones first, then the later in the order of the graph.
std::vector<Side> sidesOf(const GraphView& view, NodeId add)
{
    const Node& node = *view.node(add);
    std::vector<Side> sides;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto found = findConvolution(view, add, node.input(i), ConvolutionKind::any, passable);
        if (found && canTake(view, *found))
            sides.push_back({*found, node.input(1 - i)});
    }
    const auto key = [&](const Side& side) {
        return std::pair(!side.conv.found.isDirect(),
                         ~view.node(side.conv.found.node)->order);
    };
    std::stable_sort(sides.begin(), sides.end(),
                     [&](const Side& a, const Side& b) { return key(a) < key(b); });
    // A constant of another shape is a bias or nothing.
    std::erase_if(sides, [&](const Side& side) {
        return view.constant(side.other) &&
               (!side.conv.found.isDirect() ||
                !provablyEqual(view.shape(side.other), view.shape(side.conv.found.value)));
    });
    return sides;
}

// The activation that alone reads the Add; none if there is no such node.
NodeId onlyActivation(const GraphView& view, NodeId add)
{
    const ValueId sum = view.node(add)->output(0);
    const auto uses = view.uses(sum);
    if (uses.size() != 1 || uses.front().isBodyOutput())
        return {};
    const Node* reader = view.node(uses.front().node);
    return reader && activationData(view, *reader) == sum ? uses.front().node : NodeId{};
}

// The sum has the shape of the convolution's result.
std::optional<Reason> fittingShapes(const MatchContext& context, const Side& side)
{
    const GraphView& view = context.view;
    const ValueId made = side.conv.found.value;
    const Shape& own = view.shape(side.other);
    const Shape& target = view.shape(made);
    const bool known = own.hasRank() && target.hasRank();
    const Answer fits = known ? broadcastsTo(own, target) : Answer::unknown;
    if (fits == Answer::yes)
        return std::nullopt;
    auto failure = fits == Answer::no
                       ? std::optional(reasons::broadcastEnlarges(side.other, own, target))
                       : sameShape(context, side.other, made);
    const NodeId makerId = view.producer(side.other);
    const Node* maker = view.node(makerId);
    if (failure && maker && view.shape(side.other).hasRank() &&
        betweenKind(view, *maker) == BetweenKind::shape)
        return reasons::shortcutReshaped(makerId, maker->op.type, view.shape(side.other),
                                         side.conv.conv.id, view.shape(made));
    return failure;
}

class ConvAddActivation final : public FusionPattern
{
public:
    RuleId rule() const override { return "conv-add-activation"; }

    std::span<const std::string_view> rootTypes() const override
    {
        static const std::vector<std::string_view> types = makeRootTypes();
        return types;
    }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        if (isAddition(&node))
            return withoutActivation(context, root);
        const ValueId sum = activationData(view, node);
        const NodeId add = sum ? view.producer(sum) : NodeId{};
        if (!isAddition(view.node(add)))
            return NotCandidate{};
        return best(context, add, root);
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId conv = match.node("conv");
        const NodeId add = match.node("add");
        const NodeId activation = match.node("activation");
        std::vector<NodeId> nodes{conv, add};
        auto roles = rolesOf(view, conv, Role::main);
        roles.emplace_back(add, Role::residual);
        if (activation) {
            nodes.push_back(activation);
            const auto more = rolesOf(view, activation, Role::activation);
            roles.insert(roles.end(), more.begin(), more.end());
        }
        builder.makeRegion("conv-add-activation", nodes, roles);
        return {};
    }

private:
    // An activation that follows answers for the Add, unless it is what stands in the way.
    MatchResult withoutActivation(const MatchContext& context, NodeId add) const
    {
        MatchResult result = best(context, add, {});
        const NodeId follower = onlyActivation(context.view, add);
        if (!follower || std::holds_alternative<NotCandidate>(result))
            return result;
        if (std::holds_alternative<MissReason>(result))
            return NotCandidate{};
        const MatchContext silent{context.view, context.policy, nullptr};
        if (std::holds_alternative<Match>(best(silent, add, follower)))
            return NotCandidate{};
        return result;
    }

    // The first side that is legal; else what keeps the first from being so.
    MatchResult best(const MatchContext& context, NodeId add, NodeId activation) const
    {
        const std::vector<Side> sides = sidesOf(context.view, add);
        if (sides.empty())
            return NotCandidate{};
        const MatchContext silent{context.view, context.policy, nullptr};
        for (const Side& side : sides) {
            if (std::holds_alternative<Match>(evaluate(silent, side, add, activation)))
                return evaluate(context, side, add, activation);
        }
        return evaluate(context, sides.front(), add, activation);
    }

    MatchResult evaluate(const MatchContext& context, const Side& side, NodeId add,
                         NodeId activation) const
    {
        const GraphView& view = context.view;
        const Found& found = side.conv.found;
        const NodeId root = activation ? activation : add;
        Conditions conditions(context, rule(), root);
        std::optional<Reason> apart;
        if (!found.isDirect())
            apart = betweenReason(context, found, add);
        conditions.check("condition.partner", std::move(apart), [&] {
            return Message("saw.partner", {{"root", add}, {"node", found.node}});
        });
        conditions.check("condition.same-scope", sameScope(context, found.node, root));
        conditions.checkSingleReader(found.value, found.reader);
        conditions.check("condition.same-shape", fittingShapes(context, side), [&] {
            return Message("saw.same-shape", {{"shape", view.shape(side.other).text()}});
        });
        std::optional<Reason> cycle;
        if (side.other != found.value && hasOtherReaders(view, found.value, found.reader) &&
            dependsOn(view, side.other, found.node, add))
            cycle = reasons::wouldCreateCycle(side.other, side.conv.conv.id);
        conditions.check("condition.no-cycle", std::move(cycle));
        std::vector<NodeId> nodes{found.node, add};
        if (activation) {
            nodes.push_back(activation);
            conditions.checkSingleReader(view.node(add)->output(0), activation);
            checkActivation(conditions, activation);
        }
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(static_cast<int>(nodes.size()), nodes);
        Match match;
        match.root = root;
        match.nodes = {{"conv", found.node}, {"add", add}};
        match.title = Message("title.fuse", {{"first", found.node}, {"last", add}});
        if (activation) {
            match.nodes.emplace_back("activation", activation);
            match.title = Message("title.fuse-three", {{"first", found.node},
                                                       {"middle", add},
                                                       {"last", activation}});
        }
        return match;
    }
};

} // namespace

const FusionPattern& patterns::convAddActivation()
{
    static const ConvAddActivation pattern;
    return pattern;
}

} // namespace fusescope
