#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/conditions.h"
#include "patterns/proven.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> roots = {"Shape", "Size"};

// before:  a = Cast(x); s = Shape(a)      after:  s = Shape(x)
//
// Where nobody reads anything but the shape of a result, and an operand has the same shape at every
// size, the operator is not needed: an operand of a shape that is proven equal, or, at any rank,
// the only one of an operator that works on each element. With another reader the operator stays,
// and so does the Shape: one more reader of the operand could stand in the way of a fusion.
class ShapeSource final : public Pass
{
public:
    RuleId rule() const override { return "shape-source"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool isShapeAlone(const GraphView& view, ValueId value)
{
    return std::ranges::all_of(view.uses(value), [&view](const Use& use) {
        const Node* reader = view.node(use.node);
        return reader && (reader->is("Shape") || reader->is("Size"));
    });
}

// Operators whose result has the shape of their first operand, whatever it is.
bool keepsShape(const Node& node)
{
    static constexpr std::array<std::string_view, 26> types{
        "Cast", "CastLike", "Relu",   "LeakyRelu", "Sigmoid",  "Tanh",    "Abs",
        "Neg",  "Exp",      "Log",    "Sqrt",      "Erf",      "Floor",   "Ceil",
        "Round", "Sign",    "Not",    "Clip",      "Elu",      "Gelu",    "HardSwish",
        "HardSigmoid", "Softplus", "Softmax", "LogSoftmax", "IsNaN"};
    return std::ranges::find(types, node.op.type) != types.end();
}

// The operand that has the shape of the result; none where that is not proven.
ValueId sameShapeAs(const GraphView& view, const Node& maker, ValueId result)
{
    if (keepsShape(maker))
        return maker.input(0);
    const Shape shape = provenShape(view, result);
    if (!shape.hasRank())
        return {};
    for (const ValueId input : maker.inputs) {
        if (!input || !view.type(input).isTensor())
            continue;
        const Shape own = provenShape(view, input);
        if (own.hasRank() && provablyEqual(own, shape))
            return input;
    }
    return {};
}

PassAnswer ShapeSource::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    const ValueId result = node->input(0);
    if (!node->op.isStandard() || !result)
        return {};
    const NodeId makerId = view.producer(result);
    const Node* maker = view.node(makerId);
    if (!maker || !maker->op.isStandard() || maker->region || !maker->bodies.empty() ||
        maker->outputs.size() != 1 || !isShapeAlone(view, result))
        return {};
    const ValueId source = sameShapeAs(view, *maker, result);
    if (!source)
        return {};
    Conditions conditions(context.match, rule(), root);
    const std::array nodes{makerId, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {makerId, root});
    Offer offer;
    offer.root = root;
    offer.nodes = {makerId, root};
    offer.title =
        Message("title.shape-source", {{"node", root}, {"value", source}, {"other", makerId}});
    offer.build = [makerId, result, source](PatchBuilder& builder) -> Result<void> {
        builder.rewire(result, source);
        builder.removeNode(makerId);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> shapeSourceRule()
{
    return std::make_unique<ShapeSource>();
}

} // namespace fusescope
