#include "patterns/batchnorm.h"
#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <array>
#include <cmath>

//   x ─ BatchNormalization(γ₁, β₁, μ₁, σ₁²) ─ BatchNormalization(γ₂, β₂, μ₂, σ₂²) ─ y
//   x ─ BatchNormalization(γ₂·s₁, β₂ + s₂·(β₁ − μ₂), μ₁, σ₂²) ─ y      with s = γ / √(σ² + ε)
//
// Both in inference with constant parameters of one type, the first read by the second alone, and the
// new numbers are finite. Those that fold into a convolution or a product do so before.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"BatchNormalization"};

struct Joined
{
    std::vector<double> scale, shift;
    std::vector<bool> lost; // the scale has fewer digits than it had
};

std::optional<Joined> joined(const GraphView& view, const Node& first, const Node& last)
{
    const auto one = scaleShiftOf(view, first);
    const auto two = scaleShiftOf(view, last);
    if (!one || !two || one->scale.size() != two->scale.size())
        return std::nullopt;
    const DoubleTensor scale = constantAsDouble(view, last.input(1));
    const DoubleTensor shift = constantAsDouble(view, last.input(2));
    const DoubleTensor mean = constantAsDouble(view, last.input(3));
    const DoubleTensor before = constantAsDouble(view, first.input(2));
    Joined result;
    for (std::size_t i = 0; i < one->scale.size(); ++i) {
        const auto c = static_cast<std::int64_t>(i);
        result.scale.push_back(scale.at(c) * one->scale[i]);
        result.lost.push_back(
            losesDigits(view.dtype(last.input(1)), std::abs(scale.at(c)), one->scale[i]));
        result.shift.push_back(shift.at(c) + two->scale[i] * (before.at(c) - mean.at(c)));
    }
    return result;
}

// G16: numbers that the type cannot hold.
std::optional<Reason> fitsType(const Joined& numbers, DType type, NodeId root)
{
    std::int64_t bad = 0, first = -1;
    for (std::size_t c = 0; c < numbers.scale.size(); ++c) {
        const double scale = rounded(type, numbers.scale[c]);
        const double shift = rounded(type, numbers.shift[c]);
        if (std::isfinite(scale) && std::isfinite(shift) && !numbers.lost[c])
            continue;
        ++bad;
        first = first < 0 ? static_cast<std::int64_t>(c) : first;
    }
    if (bad == 0)
        return std::nullopt;
    return reasons::notFinite(root, bad, static_cast<std::int64_t>(numbers.scale.size()), first);
}

class BatchnormChain final : public FusionPattern
{
public:
    RuleId rule() const override { return "batchnorm-chain"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& last = *view.node(root);
        const auto isNormalization = [](NodeId, const Node& node) {
            return node.is("BatchNormalization") && node.inputs.size() >= 5;
        };
        if (!isNormalization(root, last))
            return NotCandidate{};
        const auto found = findProducer(view, root, last.input(0), isNormalization);
        if (!found || !isNearby(view, *found))
            return NotCandidate{};
        const NodeId firstId = found->node;
        const Node* first = view.node(firstId);
        if (first->output(0) != found->value)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        std::vector<ValueId> constants;
        for (const auto& [id, node] : {std::pair(firstId, first), std::pair(root, &last)}) {
            const NodeId data = view.producer(node->input(0));
            for (const ValueId parameter : checkBatchnorm(conditions, id, data, data, 0))
                constants.push_back(parameter);
        }
        conditions.checkConstants("condition.constant-parameters", constants);
        std::optional<Reason> mixed;
        for (const ValueId parameter : constants) {
            if (!mixed)
                mixed = sameType(context, first->input(0), parameter);
        }
        conditions.check("condition.one-type", std::move(mixed));
        conditions.check("condition.same-scope", sameScope(context, firstId, root));
        conditions.checkSingleReader(found->value, found->reader);
        const std::array nodes{firstId, root};
        conditions.checkNotPinned(nodes);
        const std::array readers{root};
        const Shape& parameters = view.shape(last.input(1));
        auto growth = foldMemory(
            context, last.input(1),
            parameters.rank() == 1 ? parameters[0].constant().value_or(0) : std::int64_t{0});
        if (!growth)
            growth = withinGrowth(context, root, copyBytes(view, last.input(1), readers) +
                                                     copyBytes(view, last.input(2), readers));
        conditions.check("condition.growth", std::move(growth));
        if (conditions.allHold()) {
            const auto numbers = joined(view, *first, last);
            conditions.check("condition.finite",
                             numbers ? fitsType(*numbers, view.dtype(last.input(1)), root)
                                     : reasons::parameterShape(last.input(1),
                                                               view.shape(last.input(1)), 0));
        }
        if (!conditions.allHold())
            return missBehind(std::move(conditions), !found->isDirect(), {firstId, root});
        Match match;
        match.root = root;
        match.nodes = {{"first", firstId}, {"last", root}};
        match.title = Message("title.fuse", {{"first", firstId}, {"last", root}});
        for (const ValueId parameter : {last.input(1), last.input(2)})
            remarkConstant(context, parameter, readers, match.remarks);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Node first = *view.node(match.node("first"));
        const Node last = *view.node(match.root);
        const Joined numbers = *joined(view, first, last);
        const DType type = view.dtype(last.input(1));
        const ValueId scale = builder.addConstant(last.body, foldedName(view, last.input(1)),
                                                  vectorOf(type, numbers.scale));
        const ValueId shift = builder.addConstant(last.body, foldedName(view, last.input(2)),
                                                  vectorOf(type, numbers.shift));
        builder.editNode(match.root, [&](Node& node) {
            node.inputs[0] = first.input(0);
            node.inputs[1] = scale;
            node.inputs[2] = shift;
            node.inputs[3] = first.input(3);
        });
        return {};
    }
};

} // namespace

const FusionPattern& patterns::batchnormChain()
{
    static const BatchnormChain pattern;
    return pattern;
}

} // namespace fusescope
