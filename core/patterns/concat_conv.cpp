#include "ops/axes.h"
#include "patterns/convolution.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <array>

//   a ─┐
//   b ─┴─ Concat{axis = 1} ─ Conv(W, B) ─ y
//   [a, b] ─ region{ Concat, Conv } ─ y
//
// The Conv reads the parts where they lie, so that the joined value is never written. The Concat
// joins channels, the Conv alone reads it, as data, and a kernel for the element type exists.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> rootOperators = {"Conv"};

class ConcatConv final : public FusionPattern
{
public:
    RuleId rule() const override { return "concat-conv"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto conv = convolutionAt(view, root);
        if (!conv)
            return NotCandidate{};
        const ValueId joined = conv->node->input(0);
        const auto found = findProducer(view, root, joined, [](NodeId, const Node& node) {
            return node.is("Concat") && node.inputs.size() >= 2;
        });
        if (!found || !isNearby(view, *found))
            return NotCandidate{};
        const NodeId concatId = found->node;
        const Node* concat = view.node(concatId);
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        const std::size_t rank = conv->rank > 0 ? conv->rank : view.shape(joined).rank();
        const std::int64_t axis = fromFront(concat->attributes.getInt("axis", 1),
                                            static_cast<std::int64_t>(rank));
        std::optional<Reason> wrongAxis;
        if (axis < 0 && rank == 0)
            wrongAxis = reasons::unknownShape(joined, view.shape(joined));
        else if (axis != 1)
            wrongAxis = reasons::axisMismatch(concatId, axis, 1);
        conditions.check("condition.channel-axis", std::move(wrongAxis));
        conditions.check("condition.same-scope", sameScope(context, concatId, root));
        conditions.checkSingleReader(found->value, found->reader);
        const DType type = view.dtype(joined);
        std::optional<Reason> copied;
        if (type != DType::undefined && type != DType::float32)
            copied = reasons::partsAreCopied(root, concatId, type);
        conditions.check("condition.parts-in-place", std::move(copied));
        const std::array nodes{concatId, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return missBehind(std::move(conditions), !found->isDirect(), {concatId, root});
        Match match;
        match.root = root;
        match.nodes = {{"concat", concatId}, {"conv", root}};
        match.title = Message("title.fuse", {{"first", concatId}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const NodeId concat = match.node("concat");
        builder.makeRegion("concat-conv", {concat, match.root},
                           {{concat, Role::concat}, {match.root, Role::main}});
        return {};
    }
};

} // namespace

const FusionPattern& patterns::concatConv()
{
    static const ConcatConv pattern;
    return pattern;
}

} // namespace fusescope
