#include "patterns/batchnorm.h"
#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"

#include <algorithm>
#include <array>
#include <cmath>

//   x ─ BatchNormalization(γ, β, μ, σ²) ─ Conv(W, B) ─ y
//   x ─ Conv(W·s, B + Σ W·t) ─ y      with s = γ / √(σ² + ε), t = β − μ·s, per input channel
//
// Every tap of the Conv sees data: it has no pads, or the shift t is zero in every channel, since
// padding comes after the shift and adds zeros. The Conv alone reads the normalized value.
// The scale alone is not moved: x·s + t = s·(x + t/s) would leave an Add of t/s that reads and writes
// as much as the BatchNormalization did, and lose digits of t where s is small.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> rootOperators = {"Conv"};

bool isNormalization(NodeId, const Node& node)
{
    return node.is("BatchNormalization") && node.inputs.size() >= 5;
}

bool isZero(double value)
{
    return value == 0.0;
}

// Whether the Conv pads; where that depends on sizes that are not known it counts as padding.
bool pads(const GraphView& view, const Convolution& conv)
{
    std::vector<std::int64_t> kernel;
    for (const auto& size : spatialSizes(view.shape(conv.weight)))
        kernel.push_back(size.value_or(2));
    const auto amounts = resolvedPads(*conv.node, kernel, spatialSizes(view.shape(conv.node->input(0))));
    return !amounts || std::any_of(amounts->begin(), amounts->end(),
                                   [](std::int64_t amount) { return amount != 0; });
}

// The new weight and bias in double.
struct Forward
{
    Tensor weight;
    std::vector<double> bias;
};

Forward forward(const GraphView& view, const Convolution& conv, const ScaleShift& by)
{
    const TensorPtr weight = view.constant(conv.weight);
    Forward result{scaled(*weight, inputChannels(*weight, conv), by.scale), {}};
    result.bias = tapSums(*weight, conv, by.shift);
    const DoubleTensor old = constantAsDouble(view, conv.bias);
    for (std::size_t c = 0; c < result.bias.size() && old.count > 0; ++c)
        result.bias[c] += old.at(static_cast<std::int64_t>(c));
    return result;
}

bool isFinite(const Tensor& tensor, std::int64_t from, std::int64_t count)
{
    for (std::int64_t i = from; i < from + (tensor.isSplat() ? std::min<std::int64_t>(1, count) : count);
         ++i) {
        if (!std::isfinite(tensor.asDouble(tensor.isSplat() ? 0 : i)))
            return false;
    }
    return true;
}

class BatchnormConv final : public FusionPattern
{
public:
    RuleId rule() const override { return "batchnorm-conv"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto conv = convolutionAt(view, root);
        if (!conv || conv->transposed)
            return NotCandidate{};
        const auto found = findProducer(view, root, conv->node->input(0), isNormalization);
        if (!found || !isNearby(view, *found))
            return NotCandidate{};
        const NodeId bnId = found->node;
        const Node* bn = view.node(bnId);
        if (bn->output(0) != found->value)
            return NotCandidate{};
        if (!found->isDirect() && foldsBackwards(view, bnId, *bn))
            return NotCandidate{};

        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        const NodeId data = view.producer(bn->input(0));
        std::vector<ValueId> constants =
            checkBatchnorm(conditions, bnId, data, data, conv->inputs);
        constants.insert(constants.end(), {conv->weight, conv->bias});
        conditions.checkConstants("condition.constant-weights", constants);
        constexpr std::array known{1, 11, 22};
        conditions.check("condition.version", knownVersion(context, root, known),
                         saw::version(context, root));
        conditions.check("condition.known-attributes", knownAttributes(context, root),
                         saw::attributes(context, root));
        conditions.check("condition.same-scope", sameScope(context, bnId, root));
        conditions.checkSingleReader(found->value, found->reader);
        conditions.check("condition.parameter-shapes", fittingWeight(view, *conv));
        conditions.check("condition.parameter-shapes", fittingBias(view, *conv));
        const std::array nodes{bnId, root};
        conditions.checkNotPinned(nodes);
        auto growth = foldMemory(context, conv->weight, std::max(conv->inputs, conv->channels));
        const Shape& scale = view.shape(bn->input(1));
        const bool fits = scale.rank() == 1 && scale[0] == Dim(conv->inputs);
        const auto by = growth || !fits ? std::nullopt : scaleShiftOf(view, *bn);
        conditions.check("condition.growth",
                         growth ? std::move(growth) : foldGrowth(context, *conv, true));
        std::optional<Reason> shifted;
        if (by && pads(view, *conv) && !std::all_of(by->shift.begin(), by->shift.end(), isZero))
            shifted = reasons::paddingSeesShift(root, bnId);
        conditions.check("condition.no-padded-shift", std::move(shifted));
        if (by && conditions.allHold())
            checkFinite(conditions, *conv, *by);
        else if (conditions.allHold())
            conditions.check("condition.parameter-shapes",
                             reasons::parameterShape(bn->input(1), view.shape(bn->input(1)),
                                                     conv->inputs));
        if (!found->isDirect())
            return missBehind(std::move(conditions), true, {bnId, root});
        if (!conditions.allHold()) {
            MissReason miss = std::move(conditions).miss(2, {bnId, root});
            // Freed, it would go into the convolution before it instead.
            if (foldsBackwards(view, bnId, *bn)) {
                for (Reason& reason : miss.reasons)
                    reason.fix.reset();
            }
            return miss;
        }
        Match match;
        match.root = root;
        match.nodes = {{"bn", bnId}, {"conv", root}};
        match.title = Message("title.fold-forward", {{"node", bnId}, {"conv", root}});
        remarkFold(context, *conv, true, match.remarks);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Node& bn = *view.node(match.node("bn"));
        const Convolution conv = *convolutionAt(view, match.root);
        const Forward next = forward(view, conv, *scaleShiftOf(view, bn));
        const BodyId body = conv.node->body;
        const ValueId weight =
            builder.addConstant(body, foldedName(view, conv.weight), next.weight);
        ValueId bias;
        if (conv.bias || !std::all_of(next.bias.begin(), next.bias.end(), isZero))
            bias = builder.addConstant(body,
                                       conv.bias ? foldedName(view, conv.bias)
                                                 : foldedName(view, conv.weight, "_bias"),
                                       vectorOf(next.weight.dtype(), next.bias));
        const ValueId data = bn.input(0);
        builder.removeNode(match.node("bn"));
        builder.editNode(match.root, [&](Node& n) {
            n.inputs.resize(bias ? 3 : 2);
            n.inputs[0] = data;
            n.inputs[1] = weight;
            if (bias)
                n.inputs[2] = bias;
        });
        return {};
    }

private:
    static bool foldsBackwards(const GraphView& view, NodeId bnId, const Node& bn)
    {
        const auto before = findConvolution(view, bnId, bn.input(0), ConvolutionKind::any);
        return before && before->found.isDirect() && !hasOtherReaders(view, bn.input(0), bnId);
    }

    static void checkFinite(Conditions& conditions, const Convolution& conv, const ScaleShift& by)
    {
        const GraphView& view = conditions.context().view;
        const TensorPtr weight = view.constant(conv.weight);
        const DoubleTensor old = constantAsDouble(view, conv.bias);
        std::optional<Reason> wrong;
        if (isFinite(*weight, 0, weight->elementCount()) && allFinite(old)) {
            const Forward next = forward(view, conv, by);
            const Tensor bias = vectorOf(weight->dtype(), next.bias);
            const std::int64_t channels = bias.elementCount();
            const std::int64_t row = channels > 0 ? weight->elementCount() / channels : 0;
            std::int64_t bad = 0, first = -1;
            for (std::int64_t c = 0; c < channels; ++c) {
                if (std::isfinite(bias.asDouble(c)) && isFinite(next.weight, c * row, row))
                    continue;
                ++bad;
                first = first < 0 ? c : first;
            }
            if (bad > 0)
                wrong = reasons::notFinite(conv.id, bad, channels, first);
        }
        if (!wrong)
            wrong = keepsDigits(*weight, inputChannels(*weight, conv), by.scale, conv.id);
        conditions.check("condition.finite", std::move(wrong));
    }
};

} // namespace

const FusionPattern& patterns::batchnormConv()
{
    static const BatchnormConv pattern;
    return pattern;
}

} // namespace fusescope
