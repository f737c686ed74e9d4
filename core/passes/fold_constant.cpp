#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/registry.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <limits>

namespace fusescope {

namespace {

// before:  c1, c2 constant; y = Op(c1, c2)      after:  y constant
//
// Folds one node whose inputs are all constant (legality 4). CastLike reads its second input for the
// type only. Kept: random operators, bodies, quantization (by policy), results beyond the growth
// limit, what has no kernel or fails to compute, and everything that reads an overridable
// initializer.
class FoldConstant final : public Pass
{
public:
    RuleId rule() const override { return "fold-constant"; }
    Stage stage() const override { return Stage::folding; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool isQuantization(const Node& node)
{
    return node.is("QuantizeLinear") || node.is("DequantizeLinear") ||
           node.is("DynamicQuantizeLinear");
}

// What stands in the way of reading an input as a constant; `open` when it is no constant at all.
struct InputState
{
    bool open = false;
    std::optional<Reason> obstacle;
};

InputState stateOf(const PassContext& context, const Node& node, std::size_t index)
{
    const GraphView& view = context.match.view;
    const ValueId id = node.inputs[index];
    if (!id)
        return {};
    if (node.is("CastLike") && index == 1 && view.dtype(id) != DType::undefined)
        return {};
    if (const TensorPtr tensor = view.constant(id)) {
        if (tensor->isAvailable())
            return {};
        return {false, reasons::missingExternalData(id, tensor->whyUnavailable())};
    }
    if (view.graph().isOverridable(id)) {
        return {false, reasons::overridable({id})};
    }
    return {true, std::nullopt};
}

constexpr std::int64_t beyondCounting = std::numeric_limits<std::int64_t>::max();

// What a result of unknown size is charged with: as many numbers as the inputs have, once for each
// axis. NonZero, Unique and Compress give no more.
std::int64_t bytesOfUnknown(const GraphView& view, const Node& node)
{
    std::int64_t total = 0;
    for (const ValueId input : node.inputs) {
        const TensorPtr tensor = input ? view.constant(input) : nullptr;
        if (!tensor)
            continue;
        const DType widest = bitsOf(tensor->dtype()) > 64 ? tensor->dtype() : DType::int64;
        const auto bytes = bytesOf(widest, tensor->elementCount());
        const auto axes = std::max<std::int64_t>(1, static_cast<std::int64_t>(tensor->rank()));
        if (!bytes || *bytes > (beyondCounting - total) / axes)
            return beyondCounting;
        total += *bytes * axes;
    }
    return total;
}

// Bytes that the results take, as far as their shapes are known before they are computed; the largest
// number where they are beyond counting.
std::int64_t resultBytes(const GraphView& view, const Node& node)
{
    std::int64_t total = 0;
    const std::int64_t unknown = bytesOfUnknown(view, node);
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        const Type& type = view.type(output);
        const auto sizes = type.shape.staticDims();
        if (!sizes) {
            total = unknown > beyondCounting - total ? beyondCounting : total + unknown;
            continue;
        }
        const auto count = elementCountOf(*sizes);
        const auto bytes = count ? memoryOf(type.dtype, *count) : std::nullopt;
        if (!bytes || *bytes > beyondCounting - total)
            return beyondCounting;
        total += *bytes;
    }
    return total;
}

// A fill keeps one element: ConstantOfShape, and Expand of a single element.
TensorPtr fillOf(const GraphView& view, const Node& node)
{
    if (!node.is("ConstantOfShape") && !node.is("Expand"))
        return nullptr;
    const auto sizes = view.shape(node.output(0)).staticDims();
    if (!sizes || bitsOf(view.dtype(node.output(0))) < 8)
        return nullptr;
    TensorPtr element;
    if (node.is("Expand"))
        element = view.constant(node.input(0));
    else
        element = node.attributes.getTensor("value");
    if (node.is("ConstantOfShape") && !element)
        element = std::make_shared<const Tensor>(Tensor::scalar(0.0F));
    if (!element || !element->isAvailable() || bitsOf(element->dtype()) < 8 ||
        (element->elementCount() != 1 && !element->isSplat()))
        return nullptr;
    std::array<std::byte, 16> bits{};
    const auto size = static_cast<std::size_t>(bitsOf(element->dtype())) / 8;
    std::memcpy(bits.data(), element->isSplat() ? element->splatElement() : element->data(), size);
    return std::make_shared<const Tensor>(Tensor::splat(element->dtype(), *sizes, bits.data()));
}

std::optional<Reason> tooLarge(const PassContext& context, NodeId root, std::int64_t bytes)
{
    const MatchContext& match = context.match;
    if (bytes <= 4096 || bytes <= match.policy.maxGrowth - match.grown)
        return std::nullopt;
    return reasons::growthLimit(root, bytes,
                                std::max<std::int64_t>(0, match.policy.maxGrowth - match.grown));
}

PassAnswer FoldConstant::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (node->is("Constant") || node->region || !node->bodies.empty() || node->outputs.empty())
        return {};
    if (node->inputs.empty() && !isNonDeterministic(view.graph(), *node))
        return {};
    std::vector<Reason> reasons;
    for (std::size_t i = 0; i < node->inputs.size(); ++i) {
        InputState state = stateOf(context, *node, i);
        if (state.open)
            return {};
        if (state.obstacle)
            reasons.push_back(std::move(*state.obstacle));
    }
    const bool standard = node->op.isStandard() || node->op.domain == "ai.onnx.ml";
    if (!standard || view.sinceVersion(*node) == 0) {
        if (node->inputs.empty() || view.graph().functionOf(node->op))
            return {};
        const std::string domain = node->op.domain.empty() ? "" : node->op.domain + ".";
        return missAt(rule(), root,
                      makeReason(ReasonCode::noKernel, {root},
                                 Message("headline.evaluation-failed"),
                                 Message("ops.no-kernel", {{"op", domain + node->op.type}}),
                                 Message("unblock.evaluation-failed")));
    }
    if (isNonDeterministic(view.graph(), *node))
        reasons.push_back(reasons::nonDeterministic(root, node->op.type));
    if (isQuantization(*node) && !context.match.policy.foldQuantization)
        reasons.push_back(makeReason(ReasonCode::quantizedNeighbour, {root},
                                     Message("headline.keep-quantization"),
                                     Message("reason.keep-quantization", {{"node", root}}),
                                     Message("unblock.keep-quantization")));
    if (isPinned(context, root))
        reasons.push_back(reasons::pinned(root));
    std::vector<TensorPtr> results;
    if (reasons.empty()) {
        // A fill is one element here, but is written out in a file.
        if (auto large = tooLarge(context, root, resultBytes(view, *node))) {
            reasons.push_back(std::move(*large));
        } else if (TensorPtr fill = fillOf(view, *node)) {
            results = {std::move(fill)};
        } else {
            const auto computed = context.evaluate(view.graph(), root, context.stop);
            if (!computed) {
                reasons.push_back(makeReason(
                    computed.error().code == ErrorCode::unsupported ? ReasonCode::noKernel
                                                                    : ReasonCode::evaluationFailed,
                    {root}, Message("headline.evaluation-failed"), computed.error().message,
                    Message("unblock.evaluation-failed")));
            } else {
                for (const RuntimeValue& value : *computed)
                    results.push_back(value.tensorPtr());
            }
        }
    }
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < results.size() && reasons.empty(); ++i) {
        if (results[i])
            bytes += results[i]->byteSize();
        else if (node->output(i))
            reasons.push_back(makeReason(ReasonCode::unsupportedType, {node->output(i)},
                                         Message("headline.not-a-tensor"),
                                         Message("reason.not-a-tensor", {{"value", node->output(i)}})));
    }
    if (reasons.empty()) {
        if (auto large = tooLarge(context, root, bytes))
            reasons.push_back(std::move(*large));
    }
    if (!reasons.empty()) {
        MissReason miss = missAt(rule(), root, std::move(reasons.front()));
        miss.reasons.insert(miss.reasons.end(), std::make_move_iterator(reasons.begin() + 1),
                            std::make_move_iterator(reasons.end()));
        keepFixesThatUnblock(miss.reasons);
        return miss;
    }
    Offer offer;
    offer.root = root;
    offer.title = Message("title.fold-constant", {{"node", root}});
    offer.nodes = {root};
    offer.build = [root, outputs = node->outputs,
                   results = std::move(results)](PatchBuilder& builder) -> Result<void> {
        for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
            if (outputs[i])
                makeConstant(builder, outputs[i], results[i]);
        }
        builder.removeNode(root);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> foldConstantRule()
{
    return std::make_unique<FoldConstant>();
}

} // namespace fusescope
