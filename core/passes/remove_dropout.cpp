#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/reasons.h"

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Dropout"};

// before:  y = Dropout(x) in inference      after:  y is x
//
// Legality 2.4: versions 1 and 6 need is_test=1; 7 and 10 are always inference; from 12 on the input
// training_mode must be absent or false, or the ratio zero. The mask, if used, is all true.
class RemoveDropout final : public Pass
{
public:
    RuleId rule() const override { return "remove-dropout"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

enum class Mode { inference, training, unknown };

Mode modeOf(const GraphView& view, const Node& node, int since)
{
    if (since < 7)
        return node.attributes.getInt("is_test", 0) != 0 ? Mode::inference : Mode::training;
    if (since < 12 || !node.input(2))
        return Mode::inference;
    const TensorPtr ratio = node.input(1) ? view.constant(node.input(1)) : nullptr;
    if (ratio && ratio->isAvailable() && ratio->elementCount() == 1 && ratio->asDouble(0) == 0)
        return Mode::inference;
    const TensorPtr training = view.constant(node.input(2));
    if (!training || !training->isAvailable() || training->elementCount() != 1)
        return Mode::unknown;
    return training->asInt(0) != 0 ? Mode::training : Mode::inference;
}

PassAnswer RemoveDropout::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    const int since = view.sinceVersion(*node);
    if (!node->is("Dropout") || since == 0 || !node->input(0) || !node->output(0))
        return {};
    MissReason miss;
    miss.rule = rule();
    miss.root = root;
    miss.depth = 1;
    miss.nodes = {root};
    const Mode mode = modeOf(view, *node, since);
    const bool maskUsed = node->output(1) && !view.uses(node->output(1)).empty();
    const auto maskShape = view.shape(node->output(0)).staticDims();
    if (mode != Mode::inference) {
        Reason reason =
            makeReason(ReasonCode::trainingModeDropout, {root},
                       Message("headline.training-mode-dropout"),
                       mode == Mode::training
                           ? Message("reason.training-mode-dropout", {{"node", root}})
                           : Message("reason.training-mode-dropout.unknown", {{"node", root}}),
                       Message("unblock.training-mode-dropout"));
        if (mode == Mode::training && !maskUsed)
            reason.fix = Fix{FixKind::inferenceDropout, root, true, false};
        miss.reasons.push_back(std::move(reason));
    }
    if (maskUsed && !maskShape)
        miss.reasons.push_back(
            makeReason(ReasonCode::optionalOutputUsed, {root, node->output(1)},
                       Message("headline.mask-used"),
                       Message("reason.mask-used", {{"value", node->output(1)}, {"node", root}}),
                       Message("unblock.mask-used")));
    if (isPinned(context, root))
        miss.reasons.push_back(reasons::pinned(root));
    if (auto reason = cannotBypass(context, node->output(0), node->input(0)))
        miss.reasons.push_back(std::move(*reason));
    if (!miss.reasons.empty()) {
        keepFixesThatUnblock(miss.reasons);
        return miss;
    }
    Offer offer;
    offer.root = root;
    offer.title = Message("title.remove-dropout", {{"node", root}});
    offer.nodes = {root};
    const DType maskType = maskUsed ? view.dtype(node->output(1)) : DType::undefined;
    offer.build = [root, from = node->output(0), to = node->input(0), mask = node->output(1),
                   maskUsed, maskShape, maskType](PatchBuilder& builder) -> Result<void> {
        if (maskUsed) {
            // Before version 10 the mask has the type of the data.
            Tensor one = Tensor::allocate(maskType == DType::undefined ? DType::boolean : maskType, {});
            one.store(0, 1);
            makeConstant(builder, mask,
                         std::make_shared<const Tensor>(
                             Tensor::splat(one.dtype(), *maskShape, one.data())));
        }
        bypass(builder, root, from, to);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> removeDropoutRule()
{
    return std::make_unique<RemoveDropout>();
}

} // namespace fusescope
