#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/axes.h"
#include "patterns/conditions.h"
#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "report/make_reason.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"QuantizeLinear"};

// before:  d = DequantizeLinear(q, s, z); y = QuantizeLinear(d, s, z)      after:  y is q
//
// So of Q, DQ, Q, DQ in a row one pair is left. With one scale and one zero point, constants that
// are equal bit for bit, an integer of up to 16 bits comes back as it was: (q − z)·s and its
// quotient by s are each rounded once in float32, far below the half that rounding to an integer
// allows. The scale must be such that no product is infinite or loses digits at the small end.
class QuantizeChain final : public Pass
{
public:
    RuleId rule() const override { return "quantize-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool comesBack(DType type)
{
    return isInteger(type) && bitsOf(type) <= 16;
}

// An axis counts only where there is more than one scale.
bool sameAxis(const GraphView& view, const Node& first, const Node& last)
{
    const TensorPtr scale = view.constant(first.input(1));
    if (scale && scale->elementCount() == 1 && scale->rank() <= 1)
        return true;
    const auto axisOf = [&view](const Node& node) {
        const auto rank = static_cast<std::int64_t>(view.shape(node.input(0)).rank());
        return fromFront(node.attributes.getInt("axis", 1), rank);
    };
    return axisOf(first) == axisOf(last) &&
           first.attributes.getInt("block_size", 0) == last.attributes.getInt("block_size", 0);
}

// Whether every scale leaves room for the products of 16 bits.
bool keepsDigits(const Tensor& scale)
{
    constexpr double least = 0x1p-100, most = 0x1p100;
    for (std::int64_t i = 0; i < (scale.isSplat() ? 1 : scale.elementCount()); ++i) {
        const double size = std::abs(scale.asDouble(i));
        if (!(size >= least && size <= most))
            return false;
    }
    return true;
}

Reason requantizes(NodeId first, NodeId last)
{
    return makeReason(ReasonCode::unexpectedConstant, {last}, "headline.requantizes",
                      "reason.requantizes", "unblock.requantizes",
                      {{"first", first}, {"last", last}});
}

void checkScale(Conditions& conditions, NodeId firstId, NodeId lastId)
{
    const GraphView& view = conditions.context().view;
    const Node& first = *view.node(firstId);
    const Node& last = *view.node(lastId);
    std::optional<Reason> other;
    if (!sameConstant(view, first.input(1), last.input(1)) ||
        !sameConstant(view, first.input(2), last.input(2)) || !sameAxis(view, first, last))
        other = requantizes(firstId, lastId);
    conditions.check("condition.one-scale", std::move(other));
    const std::array constants{first.input(1), first.input(2)};
    conditions.checkConstants("condition.constant-parameters", constants);
    if (!conditions.allHold())
        return;
    constexpr std::array floats{DType::float32};
    for (const ValueId value : {first.input(1), last.input(0)})
        conditions.check("condition.float-type", hasType(conditions.context(), value, floats));
    std::optional<Reason> open;
    if (!keepsDigits(*view.constant(first.input(1))))
        open = requantizes(firstId, lastId);
    conditions.check("condition.one-scale", std::move(open));
}

PassAnswer QuantizeChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!last->is("QuantizeLinear") || !last->input(0) || !last->input(1) || !last->output(0))
        return {};
    const NodeId firstId = view.producer(last->input(0));
    const Node* first = view.node(firstId);
    if (!first || !first->is("DequantizeLinear") || !first->input(0) || !first->input(1))
        return {};
    if (last->attributes.getInt("precision", 0) != 0) // the quotient may be rounded further
        return {};
    const DType type = view.dtype(first->input(0));
    if (type != view.dtype(last->output(0)) || !comesBack(type) || view.constant(first->input(0)))
        return {};
    Conditions conditions(context.match, rule(), root);
    checkScale(conditions, firstId, root);
    conditions.check("condition.public-name",
                     cannotBypass(context, last->output(0), first->input(0)));
    const std::array nodes{root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {firstId, root});
    Offer offer;
    offer.root = root;
    offer.nodes = {firstId, root};
    offer.title = Message("title.cancel-chain", {{"first", firstId}, {"last", root}});
    offer.build = [root, from = last->output(0),
                   source = first->input(0)](PatchBuilder& builder) -> Result<void> {
        bypass(builder, root, from, source);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> quantizeChainRule()
{
    return std::make_unique<QuantizeChain>();
}

} // namespace fusescope
