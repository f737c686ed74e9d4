#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/slices.h"
#include "passes/views.h"

#include "ops/axes.h"
#include "patterns/conditions.h"
#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/reasons.h"
#include "report/make_reason.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Gather", "Slice"};
constexpr std::size_t maxReaders = 512; // more are no Split that a person wrote

// before:  a = Slice(x, [0], [2], [1]); b = Slice(x, [2], [6], [1])
// after:   a, b = Split(x, [2, 4]){axis = 1}
//
// Gathers by constant indices, or Slices by constant bounds, of one value along one axis, in one
// body, that take every place of that axis exactly once, each of them a run in ascending order. A
// Gather by a single number loses its axis: a Squeeze follows its part. The root is the last of the
// parts in the order of the file; the Split stands where the first one stood. Not where that would
// be more nodes in the end: a Squeeze counts unless a view alone reads it, which then says both,
// and the Constant nodes that go with the parts count too.
class GatherToSplit final : public Pass
{
public:
    RuleId rule() const override { return "gather-to-split"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The run of places that a node takes: [begin, end) of one axis.
struct Part
{
    NodeId node;
    std::int64_t axis = 0, begin = 0, end = 0;
    bool losesAxis = false;
};

std::optional<Part> partOfGather(const GraphView& view, NodeId id, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    const auto axis = normalizeAxis(node.attributes.getInt("axis", 0), shape.rank());
    const TensorPtr indices = view.constant(node.input(1));
    if (!axis || !indices || !indices->isAvailable() || !isInteger(indices->dtype()))
        return std::nullopt;
    const auto size = shape[*axis].constant();
    const std::int64_t count = indices->elementCount();
    // A fill of more than one place is no run.
    if (indices->rank() > 1 || !size || count < 1 || count > *size ||
        (indices->isSplat() && count > 1))
        return std::nullopt;
    Part part{id, static_cast<std::int64_t>(*axis), 0, 0, indices->rank() == 0};
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t place = fromFront(indices->asInt(i), *size);
        if (place < 0 || place >= *size || (i > 0 && place != part.end))
            return std::nullopt;
        if (i == 0)
            part.begin = place;
        part.end = place + 1;
    }
    return part;
}

// Axes that are taken whole do not count.
std::optional<Part> partOfSlice(const GraphView& view, NodeId id, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    const SliceLists lists = sliceLists(view, node);
    if (!lists.areComplete())
        return std::nullopt;
    std::optional<Part> part;
    for (std::size_t i = 0; i < lists.starts->size(); ++i) {
        const std::int64_t start = (*lists.starts)[i];
        const auto axis = normalizeAxis((*lists.axes)[i], shape.rank());
        if (!axis || (*lists.steps)[i] != 1)
            return std::nullopt;
        const auto size = shape[*axis].constant();
        if (!size) {
            if (start == 0 && (*lists.ends)[i] >= std::numeric_limits<std::int32_t>::max())
                continue;
            return std::nullopt;
        }
        const auto [begin, end] = sliceRun(start, (*lists.ends)[i], 1, *size);
        if (begin == 0 && end == *size)
            continue;
        if (part || begin >= end)
            return std::nullopt;
        part = Part{id, static_cast<std::int64_t>(*axis), begin, end, false};
    }
    return part;
}

std::optional<Part> partAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !node->op.isStandard() || node->outputs.size() != 1 || !node->output(0) ||
        !node->input(0))
        return std::nullopt;
    if (node->is("Gather"))
        return partOfGather(view, id, *node);
    return node->is("Slice") ? partOfSlice(view, id, *node) : std::nullopt;
}

// Every part of the value along the axis in one body, in the order of the file; none when the root is
// not the last of them, so that all are read for one root only.
std::vector<Part> partsOf(const GraphView& view, ValueId value, const Part& root, BodyId body)
{
    std::vector<NodeId> readers;
    for (const Use& use : view.uses(value)) {
        const Node* node = view.node(use.node);
        if (node && use.index == 0 && node->body == body)
            readers.push_back(use.node);
    }
    std::sort(readers.begin(), readers.end(), [&view](NodeId a, NodeId b) {
        return view.node(a)->order > view.node(b)->order;
    });
    std::vector<Part> parts;
    for (const NodeId reader : readers) {
        const auto part = reader == root.node ? std::optional(root) : partAt(view, reader);
        if (!part || part->axis != root.axis)
            continue;
        if (parts.empty() && reader != root.node)
            return {};
        parts.push_back(*part);
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
}

std::vector<Part> byPlace(std::vector<Part> parts)
{
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.begin < b.begin; });
    return parts;
}

bool covers(const std::vector<Part>& sorted, std::int64_t size)
{
    std::int64_t next = 0;
    for (const Part& part : sorted) {
        if (part.begin != next)
            return false;
        next = part.end;
    }
    return next == size;
}

// Whether a Squeeze in front of what reads the value would be one with it: a view that alone reads it
// and can be given as sizes.
bool mergesWithReader(const GraphView& view, ValueId value)
{
    const Node* reader = view.node(onlyReader(view, value));
    if (!reader || reader->is("Transpose") || reader->is("Gather") || !isView(view, *reader))
        return false;
    const Shape& shape = view.shape(reader->output(0));
    return shape.hasRank() && std::ranges::count_if(shape.dims(), [](const Dim& dim) {
                                  return !dim.isConstant();
                              }) <= 1;
}

// The Constant nodes that only these parts read: they are dead afterwards.
std::int64_t ownConstants(const GraphView& view, const std::vector<Part>& parts)
{
    std::set<NodeId> readers;
    std::set<ValueId> constants;
    for (const Part& part : parts) {
        const Node& node = *view.node(part.node);
        readers.insert(part.node);
        for (std::size_t i = 1; i < node.inputs.size(); ++i) {
            const Node* maker = view.producerNode(node.inputs[i]);
            if (maker && maker->is("Constant"))
                constants.insert(node.inputs[i]);
        }
    }
    return std::ranges::count_if(constants, [&](ValueId constant) {
        return std::ranges::all_of(view.uses(constant), [&readers](const Use& use) {
            return readers.contains(use.node);
        });
    });
}

std::optional<Reason> addsNodes(const GraphView& view, ValueId value,
                                const std::vector<Part>& parts)
{
    const auto squeezes = std::ranges::count_if(parts, [&view](const Part& part) {
        return part.losesAxis && !mergesWithReader(view, view.node(part.node)->output(0));
    });
    const auto now = static_cast<std::int64_t>(parts.size()) + ownConstants(view, parts);
    if (1 + squeezes <= now)
        return std::nullopt;
    return makeReason(ReasonCode::notProfitable, {value}, "headline.adds-nodes",
                      "reason.adds-nodes", "unblock.adds-nodes",
                      {{"value", value}, {"count", static_cast<std::int64_t>(squeezes)},
                       {"found", now}});
}

void build(PatchBuilder& builder, ValueId value, const std::vector<Part>& inOrder)
{
    const Graph& graph = builder.graph();
    const NodeId first = inOrder.front().node;
    const BodyId body = builder.node(first)->body;
    const std::int64_t opset = graph.opset(body, "");
    const std::int64_t axis = inOrder.front().axis;
    Node split;
    split.op.type = "Split";
    split.body = body;
    if (const std::string& name = builder.node(first)->name; !name.empty())
        split.name = builder.uniqueName(name + "_split"); // the node's own goes to what follows it
    split.attributes.set({"axis", axis});
    split.inputs = {value};
    std::vector<std::int64_t> sizes;
    std::vector<Node> squeezes;
    ValueId axes;
    for (const Part& part : byPlace(inOrder)) {
        sizes.push_back(part.end - part.begin);
        const Node old = *builder.node(part.node);
        if (!part.losesAxis) {
            split.outputs.push_back(old.output(0));
            continue;
        }
        Node squeeze;
        squeeze.op.type = "Squeeze";
        squeeze.body = body;
        squeeze.name = old.name;
        squeeze.origins = old.origins.empty() ? std::vector{part.node} : old.origins;
        squeeze.outputs = {old.output(0)};
        squeeze.inputs = {builder.addValue(body, graph.value(old.output(0))->name + "_part")};
        if (opset < 13) {
            squeeze.attributes.set({"axes", std::vector{axis}});
        } else {
            if (!axes)
                axes = builder.addConstant(body, "axes", Tensor::vector(std::vector{axis}));
            squeeze.inputs.push_back(axes);
        }
        split.outputs.push_back(squeeze.inputs.front());
        squeezes.push_back(std::move(squeeze));
    }
    if (opset < 13)
        split.attributes.set({"split", sizes});
    else
        split.inputs.push_back(builder.addConstant(body, "split", Tensor::vector(sizes)));
    builder.addNodeBefore(first, std::move(split));
    for (Node& squeeze : squeezes)
        builder.addNodeBefore(first, std::move(squeeze));
    for (const Part& part : inOrder)
        builder.removeNode(part.node);
}

PassAnswer GatherToSplit::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    const ValueId value = node->input(0);
    // Constants are folded, and the parts of a shape are arithmetic.
    if (!value || view.constant(value) || view.uses(value).size() > maxReaders)
        return {};
    const Node* producer = view.producerNode(value);
    if (producer && producer->is("Shape"))
        return {};
    const auto own = partAt(view, root);
    if (!own)
        return {};
    const std::vector<Part> parts = partsOf(view, value, *own, node->body);
    if (parts.size() < 2)
        return {};
    std::vector<NodeId> nodes;
    for (const Part& part : parts)
        nodes.push_back(part.node);
    const std::int64_t size = *view.shape(value)[static_cast<std::size_t>(own->axis)].constant();
    Conditions conditions(context.match, rule(), root);
    std::optional<Reason> gap;
    if (!covers(byPlace(parts), size))
        gap = reasons::incompleteCover(value, own->axis);
    conditions.check("condition.covers-axis", std::move(gap), [&] {
        return Message("saw.covers-axis", {{"count", static_cast<std::int64_t>(parts.size())},
                                           {"axis", own->axis},
                                           {"value", value}});
    });
    conditions.check("condition.no-more-nodes", addsNodes(view, value, parts));
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(static_cast<int>(nodes.size()), nodes);
    Offer offer;
    offer.root = root;
    offer.nodes = nodes;
    offer.title = Message("title.gather-to-split",
                          {{"count", static_cast<std::int64_t>(parts.size())}, {"value", value}});
    offer.build = [value, parts](PatchBuilder& builder) -> Result<void> {
        build(builder, value, parts);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> gatherToSplitRule()
{
    return std::make_unique<GatherToSplit>();
}

} // namespace fusescope
