#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/slices.h"

#include "ops/axes.h"
#include "patterns/conditions.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Concat"};

// before:  y = Concat(x[0::2, 0::2], x[1::2, 0::2], x[0::2, 1::2], x[1::2, 1::2])
// after:   s = SpaceToDepth{blocksize = 2}(x); y = Gather(s, the order of the parts)
//
// The Focus of YOLO: Slices of one value that take every b-th row and column, each offset once,
// joined along the channels. SpaceToDepth gives the same parts by rows, then columns; any other order
// is a Gather of the channels behind it. The parts are equally large only where b divides rows and
// columns, so a Concat that runs asks for no more than SpaceToDepth does.
class SpaceToDepth final : public Pass
{
public:
    RuleId rule() const override { return "space-to-depth"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// Row and column where a part begins; nothing when it is no part of blocks of that size.
std::optional<std::int64_t> placeOf(const std::vector<Cut>& cuts, const Shape& shape,
                                    std::int64_t block)
{
    if (cuts.size() != 2)
        return std::nullopt;
    std::int64_t starts[2] = {-1, -1};
    for (const Cut& cut : cuts) {
        if (cut.axis < 2 || cut.axis > 3)
            return std::nullopt;
        const bool toTheEnd =
            cut.end == std::numeric_limits<std::int64_t>::max() ||
            provablyLessEqual(shape[static_cast<std::size_t>(cut.axis)], Dim(cut.end));
        if (cut.step != block || cut.start < 0 || cut.start >= block || !toTheEnd)
            return std::nullopt;
        starts[cut.axis - 2] = cut.start;
    }
    if (starts[0] < 0 || starts[1] < 0)
        return std::nullopt;
    return starts[0] * block + starts[1];
}

PassAnswer SpaceToDepth::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    const std::size_t count = node->inputs.size();
    std::int64_t block = 2;
    while (block < 8 && block * block < static_cast<std::int64_t>(count))
        ++block;
    if (!node->is("Concat") || !node->output(0) ||
        block * block != static_cast<std::int64_t>(count) ||
        normalizeAxis(node->attributes.getInt("axis", 1), 4) != std::size_t{1})
        return {};
    ValueId source;
    std::vector<NodeId> parts;
    std::vector<std::int64_t> places;
    for (const ValueId input : node->inputs) {
        const NodeId id = view.producer(input);
        const Node* part = view.node(id);
        if (!part || !part->is("Slice") || (source && part->input(0) != source))
            return {};
        source = part->input(0);
        const Shape& shape = view.shape(source);
        const auto cuts = shape.rank() == 4 ? cutsOf(view, *part) : std::nullopt;
        const auto place = cuts ? placeOf(*cuts, shape, block) : std::nullopt;
        if (!place || std::find(places.begin(), places.end(), *place) != places.end())
            return {};
        parts.push_back(id);
        places.push_back(*place);
    }
    const Dim& channels = view.shape(source)[1];
    Conditions conditions(context.match, rule(), root);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        conditions.check("condition.same-scope", sameScope(context.match, parts[i], root));
        conditions.checkSingleReader(node->inputs[i], root);
    }
    const bool inOrder = std::is_sorted(places.begin(), places.end());
    std::optional<Reason> symbolic;
    if (!inOrder && !channels.isConstant())
        symbolic = makeReason(ReasonCode::unknownShape, {source},
                              Message("headline.symbolic-size"),
                              Message("reason.symbolic-size", {{"axis", std::int64_t{1}},
                                                               {"value", source},
                                                               {"size", channels.text()}}),
                              Message("unblock.symbolic-size", {{"size", channels.text()}}));
    conditions.check("condition.known-channels", symbolic);
    // Those that ONNX Runtime's kernel takes; Slice and Concat take every type.
    constexpr std::array types{DType::float32, DType::float64, DType::float16, DType::int8,
                               DType::uint8};
    const DType type = view.dtype(source);
    std::optional<Reason> notTaken;
    if (std::find(types.begin(), types.end(), type) == types.end())
        notTaken = reasons::unsupportedType(source, "SpaceToDepth", type);
    conditions.check("condition.element-type", std::move(notTaken));
    // The order of the channels is stored, eight bytes for each.
    std::optional<std::int64_t> orderBytes;
    if (!inOrder && channels.isConstant()) {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t each = 8 * block * block;
        orderBytes = *channels.constant() > most / each ? most : *channels.constant() * each;
    }
    conditions.check("condition.growth", withinGrowth(context.match, root, orderBytes.value_or(0)));
    std::vector<NodeId> nodes = parts;
    nodes.push_back(root);
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, std::move(nodes));
    const std::int64_t moved = inOrder ? 0 : *channels.constant();
    Offer offer;
    offer.root = root;
    offer.nodes = nodes;
    offer.title = Message("title.space-to-depth", {{"node", root}});
    offer.build = [root, source, block, moved, places = std::move(places), old = *node,
                   output = node->output(0)](PatchBuilder& builder) -> Result<void> {
        std::vector<std::int64_t> order;
        order.reserve(static_cast<std::size_t>(moved) * places.size());
        for (const std::int64_t place : places) {
            for (std::int64_t c = 0; c < moved; ++c)
                order.push_back(place * moved + c);
        }
        Node blocks;
        blocks.op.type = "SpaceToDepth";
        blocks.name = old.name;
        blocks.attributes.set({"blocksize", block});
        blocks.inputs = {source};
        blocks.outputs = {order.empty() ? output : builder.addValue(old.body)};
        const ValueId made = blocks.outputs.front();
        builder.removeNode(root);
        builder.addNode(std::move(blocks));
        if (order.empty())
            return {};
        Node gather;
        gather.op.type = "Gather";
        gather.attributes.set({"axis", std::int64_t{1}});
        gather.inputs = {made, builder.addConstant(old.body, "order", Tensor::vector(order))};
        gather.outputs = {output};
        builder.addNode(std::move(gather));
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> spaceToDepthRule()
{
    return std::make_unique<SpaceToDepth>();
}

} // namespace fusescope
