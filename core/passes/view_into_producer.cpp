#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/slices.h"
#include "passes/views.h"

#include "ops/axes.h"
#include "patterns/conditions.h"
#include "patterns/constants.h"
#include "patterns/proven.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 5> roots = {"Reshape", "Flatten", "Squeeze", "Unsqueeze",
                                                   "Transpose"};

// before:  a = ReduceMean{axes = [1], keepdims = 0}(x); y = Unsqueeze(a, 1)
// after:   y = ReduceMean{axes = [1], keepdims = 1}(x)
//
// An operator that can give its result in the shape that a view makes of it: a reduction, which
// keeps its axes as size 1 or drops them; a Gather of a single place, given as a number or as a list
// of one; a Slice of a single place, whose Squeeze makes it a Gather by a number. Nothing else may
// read the result.
class ViewIntoProducer final : public Pass
{
public:
    RuleId rule() const override { return "view-into-producer"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The producer as it would be: a node, and, for a Gather, the constant of its place.
struct Other
{
    Node node;
    std::optional<Tensor> place;
};

Shape without(const Shape& shape, std::size_t axis)
{
    std::vector<Dim> dims = shape.dims();
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    return Shape::of(std::move(dims));
}

Shape withOne(const Shape& shape, std::size_t axis)
{
    std::vector<Dim> dims = shape.dims();
    dims[axis] = 1;
    return Shape::of(std::move(dims));
}

std::optional<Other> ofReduction(const GraphView& view, NodeId id, const Node& node,
                                 const Shape& wanted)
{
    const bool reduces = node.op.type.starts_with("Reduce") || node.is("ArgMax") ||
                         node.is("ArgMin");
    if (!node.op.isStandard() || !reduces)
        return std::nullopt;
    Other other{node, std::nullopt};
    other.node.attributes.set({"keepdims", node.attributes.getInt("keepdims", 1) == 1
                                               ? std::int64_t{0}
                                               : std::int64_t{1}});
    const auto known = [&view](ValueId input) {
        const Value* value = view.value(input);
        return value ? KnownValue{value->type, value->data, view.constant(input)} : KnownValue{};
    };
    const auto outputs = inferNode(view.graph(), id, other.node, known);
    if (!outputs || outputs->empty() || !provablyEqual(outputs->front().type.shape, wanted))
        return std::nullopt;
    return other;
}

std::optional<Other> ofGather(const GraphView& view, const Node& node, const Shape& wanted)
{
    const Shape& shape = view.shape(node.input(0));
    const TensorPtr place = node.is("Gather") && node.input(1) ? view.constant(node.input(1))
                                                               : nullptr;
    const auto axis = normalizeAxis(node.attributes.getInt("axis", 0), shape.rank());
    if (!place || !place->isAvailable() || place->elementCount() != 1 || place->rank() > 1 || !axis)
        return std::nullopt;
    const bool list = place->rank() == 1;
    if (!provablyEqual(list ? without(shape, *axis) : withOne(shape, *axis), wanted))
        return std::nullopt;
    return Other{node, place->reshaped(list ? std::vector<std::int64_t>{}
                                            : std::vector<std::int64_t>{1})};
}

std::optional<Other> ofSlice(const GraphView& view, const Node& node, const Shape& wanted)
{
    if (!node.is("Slice") || view.sinceVersion(node) < 10 || !node.input(1) || !node.output(0))
        return std::nullopt;
    const Shape& shape = view.shape(node.input(0));
    const SliceLists lists = sliceLists(view, node);
    if (!lists.starts || lists.starts->size() != 1 || !lists.axes || lists.axes->size() != 1)
        return std::nullopt;
    const auto axis = normalizeAxis(lists.axes->front(), shape.rank());
    const Shape& cut = view.shape(node.output(0));
    if (!axis || !cut.hasRank() || cut.rank() != shape.rank())
        return std::nullopt;
    // One place is taken at every size; as a Gather it must lie inside, counted from the start.
    const std::int64_t given = lists.starts->front();
    const std::int64_t start = fromFront(given, shape[*axis].constant().value_or(0));
    if (lists.steps != SliceLists::Ints{1} || start < 0 || !(cut[*axis] == Dim(1)) ||
        !provablyLessEqual(Dim(start + 1), shape[*axis]) ||
        !provablyEqual(without(shape, *axis), wanted))
        return std::nullopt;
    Node gather;
    gather.op.type = "Gather";
    gather.name = node.name;
    gather.attributes.set({"axis", static_cast<std::int64_t>(*axis)});
    gather.inputs = {node.input(0), node.input(1)};
    gather.outputs = node.outputs;
    return Other{std::move(gather), Tensor::scalar(start)};
}

PassAnswer ViewIntoProducer::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!isView(view, *last) || !view.shape(last->output(0)).hasRank())
        return {};
    const NodeId makerId = view.producer(last->input(0));
    const Node* maker = view.node(makerId);
    if (!maker || !maker->op.isStandard() || maker->output(0) != last->input(0) ||
        view.sinceVersion(*maker) == 0)
        return {};
    const Shape wanted = provenShape(view, last->output(0));
    auto other = ofReduction(view, makerId, *maker, wanted);
    if (!other)
        other = ofGather(view, *maker, wanted);
    if (!other)
        other = ofSlice(view, *maker, wanted);
    if (!other)
        return {};
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.same-scope", sameScope(context.match, makerId, root));
    conditions.checkSingleReader(last->input(0), root);
    const std::array nodes{makerId, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {makerId, root});
    Offer offer;
    offer.root = root;
    offer.nodes = {makerId, root};
    offer.title = Message("title.view-into-producer", {{"first", makerId}, {"last", root}});
    offer.build = [root, makerId, other = *std::move(other),
                   output = last->output(0)](PatchBuilder& builder) -> Result<void> {
        Node node = other.node;
        if (other.place)
            node.inputs[1] = builder.addConstant(node.body ? node.body : builder.node(root)->body,
                                                 "place", *other.place);
        node.outputs = {output};
        node.origins.clear();
        builder.removeNode(root);
        builder.removeNode(makerId);
        builder.addNode(std::move(node));
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> viewIntoProducerRule()
{
    return std::make_unique<ViewIntoProducer>();
}

} // namespace fusescope
