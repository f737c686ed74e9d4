#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"

#include <algorithm>
#include <array>

//   x ─ Mul(c) ─ Conv(W, B) ─ y          x ─ Conv(W·c, B) ─ y
//   x ─ Div(c) ─ Conv(W, B) ─ y          x ─ Conv(W/c, B) ─ y
//
// c is a constant with one number, or one an input channel, that enlarges nothing. Zeros that the
// Conv pads with stay zeros when they are scaled, so pads do not matter. The Conv alone reads the
// scaled value.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> rootOperators = {"Conv"};

struct Parts
{
    Convolution conv;
    NodeId scale; // Mul or Div
    Found found;
    ValueId data, constant;
    bool divides = false;
    bool constantFirst = false;
};

bool isOrMayBeConstant(const GraphView& view, ValueId value)
{
    return value && (view.constant(value) || view.graph().isOverridable(value));
}

// A factor of each input channel, or one number, that is computed when the model runs, and not from
// what it scales.
bool computedFactor(const GraphView& view, Parts& parts, const Node& scale)
{
    if (!parts.found.isDirect() || parts.conv.rank < 3)
        return false;
    const auto isFactor = [&](ValueId value) {
        const Shape& shape = view.shape(value);
        if (!shape.hasRank() || !view.producer(value))
            return false;
        if (shape.rank() == 0)
            return true;
        if (shape.rank() != parts.conv.rank)
            return false;
        for (std::size_t axis = 2; axis < shape.rank(); ++axis) {
            if (shape[axis] != Dim(1))
                return false;
        }
        return shape[0] == Dim(1) && (shape[1] == Dim(1) || shape[1] == Dim(parts.conv.inputs));
    };
    parts.constantFirst = isFactor(scale.input(0));
    if (parts.constantFirst == isFactor(scale.input(1)))
        return false;
    // Computed from what it scales, it is a gate.
    const NodeId maker = view.producer(scale.input(parts.constantFirst ? 1 : 0));
    return !maker ||
           !dependsOn(view, scale.input(parts.constantFirst ? 0 : 1), maker, parts.scale);
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const auto conv = convolutionAt(view, root);
    if (!conv || conv->transposed)
        return std::nullopt;
    Parts parts;
    parts.conv = *conv;
    const auto found = findProducer(view, root, conv->node->input(0), [](NodeId, const Node& n) {
        return (n.is("Mul") || n.is("Div")) && n.inputs.size() == 2;
    });
    const bool wanted = found && (isNearby(view, *found) || found->kind == BetweenKind::activation);
    if (!wanted)
        return std::nullopt;
    parts.found = *found;
    parts.scale = found->node;
    const Node* node = view.node(parts.scale);
    parts.divides = node->is("Div");
    parts.constantFirst = isOrMayBeConstant(view, node->input(0));
    const bool constantLast = isOrMayBeConstant(view, node->input(1));
    if (parts.constantFirst && constantLast)
        return std::nullopt;
    if (!parts.constantFirst && !constantLast && !computedFactor(view, parts, *node))
        return std::nullopt;
    parts.data = node->input(parts.constantFirst ? 1 : 0);
    parts.constant = node->input(parts.constantFirst ? 0 : 1);
    return parts;
}

// The factor of each input channel; nothing where the constant is none or of another length.
std::optional<std::vector<double>> factors(const GraphView& view, const Parts& parts)
{
    const TensorPtr tensor = view.constant(parts.constant);
    const std::int64_t channels = parts.conv.inputs;
    if (!tensor || !tensor->isAvailable() || tensor->isString() || channels <= 0 ||
        (tensor->elementCount() != 1 && tensor->elementCount() != channels))
        return std::nullopt;
    std::vector<double> result = channelValues(*tensor, channels);
    for (double& value : result)
        value = parts.divides ? 1.0 / value : value;
    return result;
}

// One number, or one a channel of data that has these channels: a size of 1 would be enlarged.
std::optional<Reason> fits(const MatchContext& context, const Parts& parts)
{
    const TensorPtr tensor = context.view.constant(parts.constant);
    if (!tensor || (tensor->elementCount() == 1 && tensor->rank() <= 1))
        return std::nullopt;
    if (context.view.sinceVersion(*context.view.node(parts.scale)) < 7) {
        constexpr std::array known{7, 13, 14};
        const Node& node = *context.view.node(parts.scale);
        return reasons::operatorVersion(parts.scale, node.op.type, context.view.sinceVersion(node),
                                        known);
    }
    return channelOnly(context, parts.constant, parts.data, 1);
}

// Every element stays finite, and every channel keeps its digits.
std::optional<Reason> keepsWeight(const MatchContext& context, const Parts& parts,
                                  std::span<const double> factor)
{
    const TensorPtr weight = context.view.constant(parts.conv.weight);
    const ChannelRuns runs = inputChannels(*weight, parts.conv);
    const std::vector<bool> bad = infiniteChannels(*weight, runs, factor);
    const auto first = std::find(bad.begin(), bad.end(), true);
    if (first != bad.end())
        return reasons::notFinite(parts.constant, std::count(bad.begin(), bad.end(), true),
                                  static_cast<std::int64_t>(bad.size()), first - bad.begin());
    return keepsDigits(*weight, runs, factor, parts.constant);
}

class ScaleConv final : public FusionPattern
{
public:
    RuleId rule() const override { return "scale-conv"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto parts = partsAt(view, root);
        if (!parts)
            return NotCandidate{};
        const Convolution& conv = parts->conv;
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, parts->found, root);
        std::optional<Reason> order;
        if (parts->divides && parts->constantFirst)
            order = reasons::operandOrder(parts->scale, "c / x", "x / c");
        conditions.check("condition.operand-order", std::move(order));
        const std::array constants{parts->constant, conv.weight};
        conditions.checkConstants("condition.constant-weights", constants);
        constexpr std::array convolutions{1, 11, 22};
        conditions.check("condition.version", knownVersion(context, root, convolutions),
                         saw::version(context, root));
        constexpr std::array scales{1, 6, 7, 13, 14};
        conditions.check("condition.version", knownVersion(context, parts->scale, scales),
                         saw::version(context, parts->scale));
        conditions.check("condition.known-attributes", knownAttributes(context, root),
                         saw::attributes(context, root));
        conditions.check("condition.same-scope", sameScope(context, parts->scale, root));
        conditions.checkSingleReader(parts->found.value, parts->found.reader);
        conditions.check("condition.parameter-shapes", fittingWeight(view, conv));
        const std::array nodes{parts->scale, root};
        conditions.checkNotPinned(nodes);
        auto growth = foldMemory(context, conv.weight, conv.inputs);
        conditions.check("condition.growth",
                         growth ? std::move(growth) : foldGrowth(context, conv, true));
        conditions.check("condition.per-channel", fits(context, *parts));
        if (conditions.allHold()) {
            const auto factor = factors(view, *parts);
            conditions.check("condition.finite",
                             factor ? keepsWeight(context, *parts, *factor)
                                    : reasons::parameterShape(parts->constant,
                                                              view.shape(parts->constant), conv.inputs));
        }
        // Freed, it would go into the convolution before it instead.
        if (!parts->found.isDirect() &&
            findConvolution(view, parts->scale, parts->data, ConvolutionKind::any))
            return NotCandidate{};
        if (!conditions.allHold())
            return missBehind(std::move(conditions), !parts->found.isDirect(), {parts->scale, root});
        Match match;
        match.root = root;
        match.nodes = {{"scale", parts->scale}, {"conv", root}};
        match.title = Message("title.fold-forward", {{"node", parts->scale}, {"conv", root}});
        const std::array readers{root};
        remarkConstant(context, conv.weight, readers, match.remarks);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Parts parts = *partsAt(view, match.root);
        const TensorPtr weight = view.constant(parts.conv.weight);
        const ValueId folded = builder.addConstant(
            parts.conv.node->body, foldedName(view, parts.conv.weight),
            scaled(*weight, inputChannels(*weight, parts.conv), *factors(view, parts)));
        builder.removeNode(parts.scale);
        builder.editNode(match.root, [&](Node& n) {
            n.inputs[0] = parts.data;
            n.inputs[1] = folded;
        });
        return {};
    }
};

} // namespace

const FusionPattern& patterns::scaleConv()
{
    static const ScaleConv pattern;
    return pattern;
}

} // namespace fusescope
