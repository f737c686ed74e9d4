#include "passes/chains.h"
#include "passes/rules.h"

#include "patterns/conditions.h"
#include "patterns/constants.h"
#include "patterns/reasons.h"

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 4> roots = {"Reshape", "Flatten", "Squeeze", "Unsqueeze"};

// before:  a = Reshape(x, s1); y = Reshape(a, s2)      after:  y = Reshape(x, s2)
//
// The first of the two is a Reshape, Flatten, Squeeze or Unsqueeze that nothing else reads, the last
// a Reshape to a constant shape. A 0 in that shape copies a size of the value between: it stays
// where x has that very size there, and becomes a number where it is known. Any two of these that
// end at the shape of x cancel.
class ReshapeChain final : public Pass
{
public:
    RuleId rule() const override { return "reshape-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool isView(const Node& node)
{
    return node.op.isStandard() &&
           std::find(roots.begin(), roots.end(), node.op.type) != roots.end();
}

// The target for x itself: zeros resolved, or the axis whose zero cannot be.
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
    if (!isView(*last) || !last->input(0) || !last->output(0))
        return {};
    const NodeId firstId = view.producer(last->input(0));
    const Node* first = view.node(firstId);
    if (!first || !isView(*first) || !first->input(0))
        return {};
    const ValueId source = first->input(0);
    const bool cancels = provablyEqual(view.shape(source), view.shape(last->output(0)));
    const bool reshapes = last->is("Reshape") && last->input(1);
    if (!cancels && !reshapes)
        return {};
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.same-scope", sameScope(context.match, firstId, root));
    conditions.checkSingleReader(last->input(0), root);
    const std::array nodes{firstId, root};
    conditions.checkNotPinned(nodes);
    Target target;
    if (reshapes) {
        const bool zeroIsSize = last->attributes.getInt("allowzero", 0) != 0;
        const std::array shapes{last->input(1)};
        if (!cancels)
            conditions.checkConstants("condition.constant-shape", shapes);
        const auto sizes = integerConstant(view, last->input(1));
        if (sizes && !zeroIsSize) {
            target = resolve(*sizes, view.shape(source), view.shape(last->input(0)));
            if (target.openAxis >= 0 && !cancels)
                conditions.check("condition.own-sizes",
                                 reasons::zeroCopiesDimension(root, target.openAxis));
        }
    }
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {firstId, root});
    const bool bypassable = cancels && !cannotBypass(context, last->output(0), source);
    if (!bypassable && (!reshapes || target.openAxis >= 0 ||
                        !integerConstant(view, last->input(1))))
        return {};
    return joinOffer(
        context, firstId, root, source, cancels,
        [root, target, body = last->body](PatchBuilder& builder) -> Result<void> {
            if (!target.changed)
                return {};
            const ValueId shape = builder.addConstant(body, "shape", Tensor::vector(target.sizes));
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
