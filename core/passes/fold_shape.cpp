#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/proven.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

// before:  s = Shape(x), x of shape [4, 3, H, W]; d = Gather(s, 1)     after:  d = 3
//
// Folds a node that makes a shape vector whose every element is a known number, though what it reads
// is computed at run time. A symbolic size is never frozen: one element that is a term keeps the
// node.
class FoldShape final : public Pass
{
public:
    RuleId rule() const override { return "fold-shape"; }
    Stage stage() const override { return Stage::folding; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The node whose data decides a size: where its term stands in no shape that the node reads, and the
// operator is one whose result is as large as what it finds.
NodeId decidedByData(const GraphView& view, ValueId value, const Dim& size)
{
    constexpr std::array<std::string_view, 14> deciders = {
        "NonZero", "Unique", "NonMaxSuppression", "Compress", "Reshape", "Range", "ConstantOfShape",
        "Expand",  "Tile",   "Resize",            "Slice",    "Pad",     "TopK",  "OneHot"};
    constexpr int farthest = 64;
    for (int step = 0; step < farthest; ++step) {
        const NodeId id = view.producer(value);
        const Node* node = view.node(id);
        if (!node)
            return {};
        const auto has = [&](ValueId input) {
            const auto& dims = view.shape(input).dims();
            return input && view.shape(input).hasRank() &&
                   std::find(dims.begin(), dims.end(), size) != dims.end();
        };
        const auto from = std::find_if(node->inputs.begin(), node->inputs.end(), has);
        if (from == node->inputs.end())
            return node->op.isStandard() && std::find(deciders.begin(), deciders.end(),
                                                      node->op.type) != deciders.end()
                       ? id
                       : NodeId{};
        value = *from;
    }
    return {};
}

// The first size that a Shape or Size reads and that is no number.
std::optional<Reason> openSize(const GraphView& view, const Node& node)
{
    const Shape shape = provenShape(view, node.input(0));
    if (!shape.hasRank())
        return std::nullopt;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (shape.dims()[axis].isConstant())
            continue;
        if (const NodeId by = decidedByData(view, node.input(0), shape.dims()[axis]))
            return makeReason(ReasonCode::dataDependentShape, {by, node.input(0)},
                              Message("headline.data-dependent"),
                              Message("reason.data-dependent",
                                      {{"axis", static_cast<std::int64_t>(axis)},
                                       {"value", node.input(0)},
                                       {"node", by}}),
                              Message("unblock.data-dependent"));
        return makeReason(ReasonCode::unknownShape, {node.input(0)},
                          Message("headline.symbolic-size"),
                          Message("reason.symbolic-size",
                                  {{"axis", static_cast<std::int64_t>(axis)},
                                   {"value", node.input(0)},
                                   {"size", shape.dims()[axis].text()}}),
                          Message("unblock.symbolic-size",
                                  {{"size", shape.dims()[axis].text()}}));
    }
    return std::nullopt;
}

PassAnswer FoldShape::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (!node->op.isStandard() || node->is("Constant") || node->region || node->outputs.size() != 1)
        return {};
    const Value* output = view.value(node->output(0));
    if (!output || output->isInitializer() || !output->type.isTensor())
        return {};
    const bool reads = node->is("Shape") || node->is("Size");
    const auto isNumber = [](const Dim& dim) { return dim.isConstant(); };
    bool known = output->data && output->type.shape.isStatic() && isInteger(output->type.dtype) &&
                 std::all_of(output->data->begin(), output->data->end(), isNumber);
    KnownValue proven;
    if (known) {
        proven = provenValue(view, node->output(0));
        known = proven.data && proven.type.shape.isStatic() &&
                std::all_of(proven.data->begin(), proven.data->end(), isNumber);
    }
    const auto sizes = proven.type.shape.staticDims();
    if (!known) {
        if (!reads)
            return {};
        if (auto reason = openSize(view, *node))
            return missAt(rule(), root, std::move(*reason));
        return {};
    }
    if (!sizes || elementCountOf(*sizes) != static_cast<std::int64_t>(proven.data->size()))
        return {};
    if (isPinned(context, root))
        return missAt(rule(), root, reasons::pinned(root));
    Tensor tensor = Tensor::allocate(output->type.dtype, *sizes);
    for (std::size_t i = 0; i < proven.data->size(); ++i)
        tensor.storeInt(static_cast<std::int64_t>(i), *(*proven.data)[i].constant());
    Offer offer;
    offer.root = root;
    offer.title = Message("title.fold-shape", {{"node", root}});
    offer.nodes = {root};
    offer.build = [root, value = node->output(0),
                   result = std::make_shared<const Tensor>(std::move(tensor))](
                      PatchBuilder& builder) -> Result<void> {
        makeConstant(builder, value, result);
        builder.removeNode(root);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> foldShapeRule()
{
    return std::make_unique<FoldShape>();
}

} // namespace fusescope
