#include "passes/chains.h"
#include "passes/reshape_target.h"
#include "passes/rules.h"
#include "passes/views.h"

#include "patterns/conditions.h"
#include "patterns/constants.h"
#include "patterns/proven.h"
#include "patterns/reasons.h"

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 6> roots = {"Reshape",   "Flatten",   "Squeeze",
                                                   "Unsqueeze", "Transpose", "Gather"};

// before:  a = Reshape(x, s1); y = Reshape(a, s2)      after:  y = Reshape(x, s2)
//
// Two views of the same elements, of which nothing else reads the first: Reshape, Flatten, Squeeze,
// Unsqueeze, a Transpose that moves nothing but axes of size 1. They become one Reshape to a constant
// shape, and nothing where they end at the shape of x. A 0 in the last one's shape copies a size of
// the value between: it stays where x has that very size there, and becomes a number where it is
// known. Operators on each element may stand between the two; they then work on the shape of x:
//
// before:  a = Squeeze(x); b = Relu(a); y = Unsqueeze(b)      after:  b = Relu(x); y = Reshape(b)
class ReshapeChain final : public Pass
{
public:
    RuleId rule() const override { return "reshape-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The last one's own target for x itself: zeros resolved, or the axis whose zero cannot be.
struct Target
{
    std::vector<std::int64_t> sizes;
    bool changed = false;
    std::int64_t openAxis = -1;
};

Target resolve(const std::vector<std::int64_t>& sizes, const Shape& source, const Shape& between)
{
    Target target{sizes, false, -1};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != 0)
            continue;
        const bool has = between.hasRank() && i < between.rank();
        if (has && source.hasRank() && i < source.rank() && provablyEqual(source[i], between[i]))
            continue;
        // A size of 0 cannot be written as a number here: it would copy again.
        const auto number = has ? between[i].constant() : std::nullopt;
        if (!number || *number == 0) {
            target.openAxis = static_cast<std::int64_t>(i);
            return target;
        }
        target.sizes[i] = *number;
        target.changed = true;
    }
    return target;
}

PassAnswer ReshapeChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!isView(view, *last))
        return {};
    const auto between =
        walkBack(view, *last, [&view](const Node& node) { return isView(view, node); });
    if (!between)
        return {};
    const NodeId firstId = between->first;
    const ValueId source = view.node(firstId)->input(0);
    const Shape start = provenShape(view, source);
    const Shape end = provenShape(view, last->output(0));
    const bool cancels = provablyEqual(start, end);
    const bool reshapes = last->is("Reshape") && last->input(1);
    const bool plain = between->steps.empty();
    if (!plain && view.shape(source).rank() == 0)
        return {};
    const auto byShape =
        view.opset(*last) >= 5 ? reshapeTarget(start, end) : std::nullopt;
    if (!cancels && !byShape && !(reshapes && plain))
        return {};
    Conditions conditions(context.match, rule(), root);
    const std::vector<NodeId> nodes = checkJoinable(conditions, context.match, *between, root);
    // The last one's own target, where it is one that means the same for x.
    Target own;
    const auto sizes = reshapes ? integerConstant(view, last->input(1)) : std::nullopt;
    const bool zeroIsSize = last->attributes.getInt("allowzero", 0) != 0;
    if (sizes)
        own = zeroIsSize ? Target{*sizes, false, -1}
                         : resolve(*sizes, start, provenShape(view, last->input(0)));
    if (reshapes && plain && !cancels && !byShape) {
        const std::array shapes{last->input(1)};
        conditions.checkConstants("condition.constant-shape", shapes);
        if (own.openAxis >= 0)
            conditions.check("condition.own-sizes",
                             reasons::zeroCopiesDimension(root, own.openAxis));
    }
    if (!conditions.allHold())
        return std::move(conditions).miss(2, nodes);
    const bool bypassable = cancels && !cannotBypass(context, last->output(0), source);
    const bool keepsTarget = sizes && own.openAxis < 0 && plain;
    if (!plain) {
        if (!byShape && !cancels)
            return {};
        Offer offer;
        offer.root = root;
        offer.nodes = nodes;
        offer.title = Message("title.join-around", {{"first", firstId}, {"last", root}});
        offer.build = [root, between = *between, source, cancels, byShape,
                       output = last->output(0)](PatchBuilder& builder) -> Result<void> {
            const ValueId made = repeatOn(builder, between, source);
            if (cancels) {
                builder.removeNode(root);
                builder.takeOver(output, made);
            } else {
                replaceByReshape(builder, root, made, *byShape);
            }
            return {};
        };
        return offer;
    }
    if (!bypassable && !keepsTarget) {
        if (!byShape)
            return {};
        Offer offer = joinOffer(context, firstId, root, source, false, {});
        offer.build = [root, source, target = *byShape](PatchBuilder& builder) -> Result<void> {
            replaceByReshape(builder, root, source, target);
            return {};
        };
        return offer;
    }
    return joinOffer(
        context, firstId, root, source, cancels,
        [root, own, body = last->body](PatchBuilder& builder) -> Result<void> {
            if (!own.changed)
                return {};
            const ValueId shape = builder.addConstant(body, "shape", Tensor::vector(own.sizes));
            builder.editNode(root, [shape](Node& node) { node.inputs[1] = shape; });
            return {};
        });
}

} // namespace

std::unique_ptr<const Pass> reshapeChainRule()
{
    return std::make_unique<ReshapeChain>();
}

} // namespace fusescope
