#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/reasons.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"LSTM", "GRU", "RNN"};
constexpr std::int64_t mostElements = 1 << 20; // that are looked at
constexpr int deepest = 12;

// before:  y = LSTM(x, W, R, B, , Expand(0, sizes), Expand(0, sizes))      after:  y = LSTM(x, W, R, B)
//
// Exporters make the first states of a recurrent node by filling a tensor of the batch's size with
// zeros; left out, they are zero all the same (ONNX: "assumed to be 0" of B, initial_h, initial_c and
// P at every since-version). Only +0 counts, and only where nobody can put something else there.
class ZeroState final : public Pass
{
public:
    RuleId rule() const override { return "zero-state"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool isZero(const Tensor& tensor)
{
    static constexpr std::array<std::byte, 16> zero{};
    return tensor.isAvailable() && !tensor.isString() && bitsOf(tensor.dtype()) >= 8 &&
           tensor.elementCount() <= mostElements &&
           tensor.bitwiseEquals(Tensor::splat(tensor.dtype(), tensor.shape(), zero.data()));
}

// Whether every element of a value is +0 in every run, whatever its sizes are.
bool isZero(const GraphView& view, ValueId id, int depth = 0)
{
    // What lays elements out anew, or repeats them.
    static constexpr std::array moves{"Expand",  "Reshape", "Unsqueeze", "Squeeze", "Transpose",
                                      "Flatten", "Slice",   "Gather",    "Tile",    "Identity",
                                      "Split",   "Cast",    "CastLike"};
    if (!id || depth > deepest)
        return false;
    if (const TensorPtr constant = view.constant(id))
        return isZero(*constant);
    const Node* node = view.producerNode(id);
    if (!node || !node->op.isStandard())
        return false;
    if (node->is("ConstantOfShape")) {
        const TensorPtr fill = node->attributes.getTensor("value");
        return !node->attributes.has("value") || (fill && isZero(*fill));
    }
    if (node->is("Concat"))
        return !node->inputs.empty() && std::ranges::all_of(node->inputs, [&](ValueId input) {
            return isZero(view, input, depth + 1);
        });
    return std::ranges::find(moves, node->op.type) != moves.end() &&
           isZero(view, node->input(0), depth + 1);
}

PassAnswer ZeroState::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    const OpSchema* schema = view.graph().schema(*node);
    if (!schema || node->region)
        return {};
    std::vector<ValueId> inputs = node->inputs;
    std::int64_t dropped = 0;
    for (std::size_t i = 3; i < inputs.size(); ++i) {
        const FormalParameter* parameter = schema->input(i);
        const bool lengths = i == 4; // of the sequences: no state
        if (lengths || !parameter || parameter->option != ParamOption::optional ||
            !isZero(view, inputs[i]))
            continue;
        inputs[i] = {};
        ++dropped;
    }
    if (dropped == 0)
        return {};
    if (isPinned(context, root))
        return missAt(rule(), root, reasons::pinned(root));
    while (!inputs.empty() && !inputs.back())
        inputs.pop_back();
    Offer offer;
    offer.root = root;
    offer.title = Message("title.zero-state", {{"count", dropped}, {"node", root}});
    offer.nodes = {root};
    offer.build = [root, inputs](PatchBuilder& builder) -> Result<void> {
        builder.editNode(root, [&inputs](Node& n) { n.inputs = inputs; });
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> zeroStateRule()
{
    return std::make_unique<ZeroState>();
}

} // namespace fusescope
