#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/axes.h"
#include "patterns/conditions.h"
#include "patterns/proven.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Concat"};

// before:  a = Concat{axis}(x, y); z = Concat{axis}(a, w)      after:  z = Concat{axis}(x, y, w)
//
// Both join along one axis, and the second alone reads the first, once. What another node reads is
// joined anyway, as in a network that hands all it has on to each layer: no candidate.
class ConcatChain final : public Pass
{
public:
    RuleId rule() const override { return "concat-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// Both have as many axes; version 1 has an axis by default. Counted from two ends, it takes a rank that
// follows from the operators.
bool sameAxis(const GraphView& view, const Node& first, const Node& last)
{
    std::int64_t a = first.attributes.getInt("axis", 1);
    std::int64_t b = last.attributes.getInt("axis", 1);
    if ((a < 0) != (b < 0)) {
        const Shape shape = provenShape(view, first.output(0));
        if (!shape.hasRank())
            return false;
        const auto rank = static_cast<std::int64_t>(shape.rank());
        a = fromFront(a, rank);
        b = fromFront(b, rank);
    }
    return a == b;
}

bool isConcat(const Node* node)
{
    return node && node->is("Concat") && !node->inputs.empty() && node->output(0) &&
           std::ranges::all_of(node->inputs, [](ValueId input) { return bool(input); });
}

bool othersRead(const GraphView& view, ValueId value, NodeId reader)
{
    return std::ranges::any_of(view.uses(value), [reader](const Use& use) {
        return !use.isBodyOutput() && use.node != reader;
    });
}

Offer flattened(NodeId first, NodeId last, std::size_t place)
{
    Offer offer;
    offer.root = last;
    offer.nodes = {first, last};
    offer.title = Message("title.join-chain", {{"first", first}, {"last", last}});
    offer.build = [first, last, place](PatchBuilder& builder) -> Result<void> {
        const std::vector<ValueId> parts = builder.node(first)->inputs;
        builder.editNode(last, [&](Node& node) {
            const auto at = node.inputs.begin() + static_cast<std::ptrdiff_t>(place);
            node.inputs.insert(node.inputs.erase(at), parts.begin(), parts.end());
        });
        builder.removeNode(first);
        return {};
    };
    return offer;
}

PassAnswer ConcatChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!isConcat(last))
        return {};
    PassAnswer refusal;
    for (std::size_t i = 0; i < last->inputs.size(); ++i) {
        const NodeId firstId = view.producer(last->inputs[i]);
        const Node* first = view.node(firstId);
        if (!isConcat(first) || !sameAxis(view, *first, *last) ||
            othersRead(view, last->inputs[i], root))
            continue;
        Conditions conditions(context.match, rule(), root);
        conditions.check("condition.same-scope", sameScope(context.match, firstId, root));
        conditions.checkSingleReader(last->inputs[i], root);
        const std::array nodes{firstId, root};
        checkUnpinned(conditions, nodes);
        if (conditions.allHold())
            return flattened(firstId, root, i);
        if (std::holds_alternative<std::monostate>(refusal))
            refusal = std::move(conditions).miss(2, {firstId, root});
    }
    return refusal;
}

} // namespace

std::unique_ptr<const Pass> concatChainRule()
{
    return std::make_unique<ConcatChain>();
}

} // namespace fusescope
