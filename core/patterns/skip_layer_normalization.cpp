#include "patterns/formula.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"
#include "patterns/written_norm.h"

#include <algorithm>
#include <array>

//   a ─┐
//   b ─┴─ Add ─ LayerNormalization(γ, β) ─ y
//   [a, b] ─ region{ Add, LayerNormalization } ─ y, and the sum where others read it too
//
// Both operands of the Add are computed; they are of one shape, or one repeats along leading axes of
// the other, as the embeddings of positions do. The normalization, an operator or a
// region of one written out, reads the sum as its data. Other readers of the sum stand behind it.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 4> roots = {"LayerNormalization", "RMSNormalization",
                                                   "layer-normalization", "rms-normalization"};

// What the normalization normalizes.
ValueId dataOf(const GraphView& view, NodeId id, const Node& node)
{
    if (!node.region)
        return node.op.isStandard() ? node.input(0) : ValueId{};
    const auto norm = writtenNormAt(view, view.producer(insideRegion(view, node.output(0))));
    return norm ? outsideRegion(view, id, norm->x) : ValueId{};
}

bool isConvolution(const Node* node)
{
    return node && (node->is("Conv") || node->is("ConvTranspose"));
}

class SkipLayerNormalization final : public FusionPattern
{
public:
    RuleId rule() const override { return "skip-layer-normalization"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        const ValueId sum = dataOf(view, root, node);
        if (!sum)
            return NotCandidate{};
        const auto found = findProducer(view, root, sum, [](NodeId, const Node& n) {
            return n.is("Add") && n.inputs.size() == 2;
        });
        if (!found || !isNearby(view, *found))
            return NotCandidate{};
        const NodeId addId = found->node;
        const Node* add = view.node(addId);
        if (isBetterElsewhere(view, *add))
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        conditions.check("condition.same-scope", sameScope(context, addId, root));
        // The smaller one is what a person would expand.
        const bool turned = broadcastsTo(view.shape(add->input(1)), view.shape(add->input(0))) ==
                            Answer::yes;
        const ValueId small = add->input(turned ? 1 : 0);
        const ValueId large = add->input(turned ? 0 : 1);
        conditions.check("condition.same-shape", repeats(view.shape(small), view.shape(large))
                                                     ? std::nullopt
                                                     : sameShape(context, small, large));
        std::vector<Reason> used;
        for (std::size_t i = 1; i < node.outputs.size(); ++i) {
            if (auto failure = outputUnused(context, root, i))
                used.push_back(std::move(*failure));
        }
        conditions.check("condition.outputs-unused", std::move(used));
        conditions.check("condition.no-cycle", readersBehind(context, addId, found->value, found->reader));
        const std::array nodes{addId, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return missBehind(std::move(conditions), !found->isDirect(), {addId, root});
        Match match;
        match.root = root;
        match.nodes = {{"add", addId}, {"norm", root}};
        match.title = Message("title.fuse", {{"first", addId}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId add = match.node("add");
        std::vector<std::pair<NodeId, Role>> roles{{add, Role::residual}};
        for (const auto& role : rolesOf(view, match.root, Role::main))
            roles.push_back(role);
        const OrderKey first = builder.node(add)->order;
        const bool early = static_cast<bool>(
            earlierReader(view, view.node(add)->output(0), match.root));
        const NodeId region =
            builder.makeRegion("skip-layer-normalization", {add, match.root}, roles);
        if (early) // where the Add stood: its sum is there for those readers
            builder.editNode(region, [first](Node& n) { n.order = first; });
        return {};
    }

private:
    // Whether a value of the one shape is added alike along leading axes of the other.
    static bool repeats(const Shape& small, const Shape& large)
    {
        if (!small.hasRank() || !large.hasRank())
            return false;
        auto first = small.dims().begin();
        while (first != small.dims().end() && *first == Dim(1))
            ++first;
        const auto count = small.dims().end() - first;
        if (count == 0 || small.rank() > large.rank())
            return false;
        return std::equal(first, small.dims().end(), large.dims().end() - count,
                          [](const Dim& a, const Dim& b) { return provablyEqual(a, b); });
    }

    // A bias, or a residual that a convolution adds itself.
    static bool isBetterElsewhere(const GraphView& view, const Node& add)
    {
        return std::any_of(add.inputs.begin(), add.inputs.end(), [&](ValueId input) {
            return countsAsConstant(view, input) || isConvolution(view.producerNode(input));
        });
    }

    // Another reader of the sum that the file lists before the normalization, if any.
    static NodeId earlierReader(const GraphView& view, ValueId sum, NodeId root)
    {
        const Node& node = *view.node(root);
        for (const Use& use : view.uses(sum)) {
            const NodeId reader = use.isBodyOutput() || use.node == root
                                      ? NodeId{}
                                      : ancestorIn(view, use.node, node.body);
            const Node* other = view.node(reader);
            if (other && other->order < node.order)
                return reader;
        }
        return {};
    }

    // Such a reader needs the sum before the normalization stands: all is made where the Add stands,
    // unless the scale or the shift is not there yet.
    static std::optional<Reason> readersBehind(const MatchContext& context, NodeId add, ValueId sum,
                                               NodeId root)
    {
        const GraphView& view = context.view;
        const NodeId reader = earlierReader(view, sum, root);
        if (!reader)
            return std::nullopt;
        const Node& node = *view.node(root);
        const OrderKey place = view.node(add)->order;
        for (const ValueId input : node.inputs) {
            const Node* maker = input == sum ? nullptr : view.producerNode(input);
            if (maker && maker->body == node.body && maker->order > place)
                return reasons::multiConsumer(sum, add, root, {&reader, 1}, 1);
        }
        return std::nullopt;
    }
};

} // namespace

const FusionPattern& patterns::skipLayerNormalization()
{
    static const SkipLayerNormalization pattern;
    return pattern;
}

} // namespace fusescope
