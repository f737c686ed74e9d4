#include "passes/reshape_target.h"
#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/slices.h"

#include "ops/axes.h"
#include "patterns/constants.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 3> roots = {"Reshape", "Expand", "Slice"};

// before:  s = Shape(x); t = Concat(s[0], s[1], 12, 64); y = Reshape(x, t)      x of shape [N, S, 768]
// after:   y = Reshape(x, [0, 0, 12, 64])
//
// Sizes that are computed at run time, but can be written as a constant that says the same at every
// size: in the target of a Reshape a 0 where the input has that very size, and −1 for a single one
// that is left; in that of an Expand a 1 where the input has that size; in the bounds of a Slice the
// end of an axis, or what lies before it. No size is frozen. −1 is taken only where no other size can
// be 0, since then it could not be inferred.
class FoldTarget final : public Pass
{
public:
    RuleId rule() const override { return "fold-target"; }
    Stage stage() const override { return Stage::folding; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The constants to write, by input; or what stands in the way; or neither.
struct Target
{
    std::vector<std::pair<std::size_t, std::vector<std::int64_t>>> inputs;
    bool zeroIsCopy = false; // allowzero must go
    std::optional<Reason> obstacle;
};

// The elements of a computed vector of integers: terms, and nothing where nothing is known of one.
// No vector when the input is a constant already or its length is not known.
std::optional<std::vector<std::optional<Dim>>> computed(const GraphView& view, ValueId id)
{
    const Value* value = id ? view.value(id) : nullptr;
    if (!value || view.constant(id) || view.graph().isOverridable(id) ||
        !value->type.isTensor() || value->type.shape.rank() != 1)
        return std::nullopt;
    const auto length = value->type.shape[0].constant();
    constexpr std::int64_t longest = 64;
    if (!length || *length < 1 || *length > longest)
        return std::nullopt;
    std::vector<std::optional<Dim>> elements(static_cast<std::size_t>(*length));
    if (value->data && value->data->size() == elements.size())
        std::copy(value->data->begin(), value->data->end(), elements.begin());
    return elements;
}

Target ofReshape(const GraphView& view, NodeId id, const Node& node)
{
    const auto wanted = computed(view, node.input(1));
    if (!wanted)
        return {};
    const bool zeroIsSize = node.attributes.getInt("allowzero", 0) != 0;
    ReshapeTarget constant = reshapeTarget(view.shape(node.input(0)), *wanted, zeroIsSize);
    const auto textOf = [&wanted](std::size_t i) {
        return (*wanted)[i] ? (*wanted)[i]->text() : std::string("?");
    };
    Target target;
    if (constant.impossible)
        return target;
    if (constant.open.size() > 1) {
        target.obstacle = makeReason(
            ReasonCode::unknownShape, {node.input(1)}, Message("headline.two-open-sizes"),
            Message("reason.two-open-sizes", {{"node", id},
                                              {"first", textOf(constant.open[0])},
                                              {"second", textOf(constant.open[1])},
                                              {"value", node.input(0)}}),
            Message("unblock.two-open-sizes"));
    } else if (constant.mayBeZero) {
        target.obstacle = makeReason(
            ReasonCode::emptyTensor, {node.input(0)}, Message("headline.may-be-empty"),
            Message("reason.may-be-empty", {{"node", id},
                                            {"open", textOf(constant.open.front())},
                                            {"size", constant.mayBeZero->text()}}),
            Message("unblock.may-be-empty"));
    } else {
        target.inputs.emplace_back(1, std::move(constant.sizes));
        target.zeroIsCopy = zeroIsSize;
    }
    return target;
}

Target ofExpand(const GraphView& view, const Node& node)
{
    const auto wanted = computed(view, node.input(1));
    const Shape& shape = view.shape(node.input(0));
    if (!wanted || !shape.hasRank())
        return {};
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        const std::optional<Dim>& size = (*wanted)[i];
        const std::size_t fromEnd = wanted->size() - i;
        if (size && size->isConstant())
            sizes.push_back(*size->constant());
        else if (size && fromEnd <= shape.rank() &&
                 provablyEqual(*size, shape[shape.rank() - fromEnd]))
            sizes.push_back(1);
        else
            return {};
    }
    return {{{1, std::move(sizes)}}, false, std::nullopt};
}

// A bound of a Slice with a step above 0: the end of the axis, or a distance from it.
std::optional<std::int64_t> boundOf(const Dim& bound, const Dim& size, std::int64_t end)
{
    if (bound.isConstant())
        return bound.constant();
    if (provablyLessEqual(size, bound))
        return end;
    const auto before = (size - bound).constant();
    // −1 before the end of an empty axis is its start, as −1 counted from an end of 0 is.
    if (before && *before > 0 && (*before == 1 || provablyLessEqual(Dim(*before), size)))
        return -*before;
    return std::nullopt;
}

Target ofSlice(const GraphView& view, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    const Shape& list = view.shape(node.input(1));
    SliceLists lists = sliceLists(view, node);
    std::size_t count = 0;
    if (lists.starts)
        count = lists.starts->size();
    else if (list.rank() == 1)
        count = static_cast<std::size_t>(list[0].constant().value_or(0));
    if (!shape.hasRank() || count == 0 || count > shape.rank())
        return {};
    lists.fillDefaults(count);
    if (!lists.axes || lists.axes->size() != count || !lists.steps ||
        std::ranges::any_of(*lists.steps, [](std::int64_t step) { return step <= 0; }))
        return {};
    const bool narrow = view.dtype(node.input(1)) == DType::int32;
    const std::int64_t end = narrow ? std::numeric_limits<std::int32_t>::max()
                                    : std::numeric_limits<std::int64_t>::max();
    Target target;
    for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
        const auto bounds = computed(view, node.input(input));
        if (!bounds)
            continue;
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < bounds->size() && i < count; ++i) {
            const auto axis = normalizeAxis((*lists.axes)[i], shape.rank());
            if (!(*bounds)[i] || !axis)
                break;
            const auto bound = boundOf(*(*bounds)[i], shape[*axis], end);
            if (!bound)
                break;
            numbers.push_back(*bound);
        }
        if (numbers.size() == count)
            target.inputs.emplace_back(input, std::move(numbers));
    }
    return target;
}

PassAnswer FoldTarget::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (!node->op.isStandard() || !node->input(0) || !node->input(1) || !node->output(0) ||
        view.sinceVersion(*node) == 0)
        return {};
    Target target = node->is("Reshape")  ? ofReshape(view, root, *node)
                    : node->is("Expand") ? ofExpand(view, *node)
                                         : ofSlice(view, *node);
    std::vector<Reason> reasons;
    if (target.obstacle)
        reasons.push_back(std::move(*target.obstacle));
    if (target.inputs.empty() && reasons.empty())
        return {};
    if (isPinned(context, root))
        reasons.push_back(reasons::pinned(root));
    if (!reasons.empty()) {
        MissReason miss = missAt(rule(), root, std::move(reasons.front()));
        miss.reasons.insert(miss.reasons.end(), reasons.begin() + 1, reasons.end());
        return miss;
    }
    Offer offer;
    offer.root = root;
    offer.title = Message("title.fold-target", {{"node", root}});
    offer.nodes = {root};
    const DType type = view.dtype(node->input(1));
    offer.build = [root, type, body = node->body,
                   target = std::move(target)](PatchBuilder& builder) -> Result<void> {
        for (const auto& [input, numbers] : target.inputs) {
            const std::int64_t count = static_cast<std::int64_t>(numbers.size());
            Tensor tensor = Tensor::allocate(type, {count});
            for (std::int64_t i = 0; i < count; ++i)
                tensor.storeInt(i, numbers[static_cast<std::size_t>(i)]);
            const ValueId constant = builder.addConstant(body, "sizes", std::move(tensor));
            builder.editNode(root, [input = input, constant](Node& n) {
                n.inputs[input] = constant;
            });
        }
        if (target.zeroIsCopy)
            builder.editNode(root, [](Node& n) { n.attributes.remove("allowzero"); });
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> foldTargetRule()
{
    return std::make_unique<FoldTarget>();
}

} // namespace fusescope
