#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/slices.h"

#include "patterns/constants.h"
#include "patterns/proven.h"
#include "patterns/reasons.h"
#include "patterns/zero_sign.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

constexpr std::array<std::string_view, 27> roots = {
    "Cast",   "CastLike", "Reshape",   "Flatten",    "Squeeze",   "Unsqueeze", "Transpose",
    "Slice",  "Expand",   "Tile",      "Pad",        "Concat",    "Split",     "Sum",
    "Max",    "Min",      "Mean",      "Add",        "Sub",       "Mul",       "Div",
    "Pow",    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"};

// before:  y = Reshape(x) to the shape of x      after:  y is x
//
// Removes a node whose output is one of its inputs, bit for bit, at every size (legality 2.22): a
// Cast to the same type, a shape operator that provably changes nothing, Pad by nothing, a join or
// sum of one operand, x·1, x/1, x^1, x − 0, x + (−0). Adding +0 turns −0 into +0: it is removed where
// x is never −0 or nobody who reads the sum can tell. Sizes are those that follow from the inputs,
// not those that the file declares for the output.
class RemoveNoop final : public Pass
{
public:
    RuleId rule() const override { return "remove-noop"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

template <class Names>
bool isOneOf(const Node& node, const Names& names)
{
    return std::find(names.begin(), names.end(), node.op.type) != names.end();
}

// What a node is: the index of the input that it passes on, and why not where it nearly does.
struct Verdict
{
    bool passes = false;
    std::size_t input = 0;
    std::optional<Reason> obstacle;
};

// Equal at every size; a single size that is not shown equal follows from the others, since a view
// keeps the number of elements.
bool sameShape(const Shape& a, const Shape& b, bool keepsCount)
{
    if (provablyEqual(a, b))
        return true;
    if (!keepsCount || !a.hasRank() || !b.hasRank() || a.rank() != b.rank())
        return false;
    int open = 0;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        if (provablyEqual(a[i], b[i]) && provablyPositive(a[i]))
            continue;
        ++open;
    }
    return open <= 1;
}

bool mayBeSame(const Shape& a, const Shape& b)
{
    if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank())
        return false;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        if (provablyDifferent(a[i], b[i]))
            return false;
    }
    return true;
}

Verdict byShape(const GraphView& view, const Node& node, bool keepsCount)
{
    const Shape before = provenShape(view, node.input(0));
    const Shape after = provenShape(view, node.output(0));
    if (sameShape(before, after, keepsCount))
        return {true, 0, std::nullopt};
    if (!mayBeSame(before, after))
        return {};
    return {false, 0, reasons::notShownEqual(node.input(0), before, node.output(0), after)};
}

Verdict ofTranspose(const GraphView& view, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    auto perm = node.attributes.getInts("perm");
    if (!perm) {
        if (!shape.hasRank())
            return {};
        perm.emplace();
        for (std::size_t i = shape.rank(); i > 0; --i)
            perm->push_back(static_cast<std::int64_t>(i) - 1);
    }
    for (std::size_t i = 0; i < perm->size(); ++i) {
        if ((*perm)[i] != static_cast<std::int64_t>(i))
            return {};
    }
    return {true, 0, std::nullopt};
}

bool stepsAreOne(const GraphView& view, const Node& node)
{
    const SliceLists lists = sliceLists(view, node);
    return !lists.stepsGiven ||
           (lists.steps && std::ranges::all_of(*lists.steps, [](auto s) { return s == 1; }));
}

bool padsNothing(const GraphView& view, const Node& node)
{
    std::optional<std::vector<std::int64_t>> pads = node.attributes.getInts("pads");
    if (!pads)
        pads = node.attributes.getInts("paddings"); // version 1
    if (!pads && node.input(1))
        pads = integerConstant(view, node.input(1));
    return pads && std::all_of(pads->begin(), pads->end(), [](auto p) { return p == 0; });
}

// Whether every element of a constant is `wanted`, the sign of a zero counting for floats.
bool isEverywhere(const GraphView& view, ValueId id, double wanted)
{
    const TensorPtr tensor = id ? view.constant(id) : nullptr;
    constexpr std::int64_t most = 1 << 20;
    if (!tensor || !tensor->isAvailable() || tensor->isString() || tensor->elementCount() == 0 ||
        (!tensor->isSplat() && tensor->elementCount() > most))
        return false;
    const bool sign = isFloatingPoint(tensor->dtype());
    const std::int64_t count = tensor->isSplat() ? 1 : tensor->elementCount();
    for (std::int64_t i = 0; i < count; ++i) {
        const double element = tensor->asDouble(i);
        if (element != wanted || (sign && std::signbit(element) != std::signbit(wanted)))
            return false;
    }
    return true;
}

// x op c with the neutral element c, whose broadcast does not enlarge x.
Verdict ofArithmetic(const GraphView& view, NodeId id, const Node& node)
{
    const bool isFloat = isFloatingPoint(view.dtype(node.output(0)));
    const bool commutes = node.is("Mul") || node.is("Add");
    for (const std::size_t x : {std::size_t{0}, std::size_t{1}}) {
        if (x == 1 && !commutes)
            break;
        const ValueId constant = node.input(1 - x);
        double neutral = 1;
        if (node.is("Sub"))
            neutral = 0;
        if (node.is("Add"))
            neutral = isFloat ? -0.0 : 0.0;
        const bool addsZero = node.is("Add") && isFloat && isEverywhere(view, constant, 0.0);
        if (!addsZero && !isEverywhere(view, constant, neutral))
            continue;
        if (node.is("Pow") && !isFloat)
            continue;
        const Shape after = provenShape(view, node.output(0));
        const Shape before = provenShape(view, node.input(x));
        if (!provablyEqual(before, after)) {
            if (mayBeSame(before, after))
                return {false, x,
                        reasons::notShownEqual(node.input(x), before, node.output(0), after)};
            continue;
        }
        if (addsZero && !isNeverNegativeZero(view, node.input(x)) &&
            !isSignOfZeroUnseen(view, node.output(0)))
            return {false, x,
                    makeReason(ReasonCode::unexpectedConstant, {constant},
                               Message("headline.adds-zero"),
                               Message("reason.adds-zero", {{"node", id}, {"value", constant}}),
                               Message("unblock.adds-zero"))};
        return {true, x, std::nullopt};
    }
    return {};
}

bool reducesNothing(const GraphView& view, const Node& node)
{
    if (node.attributes.getInt("noop_with_empty_axes", 0) == 0)
        return false;
    if (!node.input(1))
        return !node.attributes.has("axes");
    const TensorPtr axes = view.constant(node.input(1));
    return axes && axes->elementCount() == 0;
}

Verdict verdictOf(const GraphView& view, NodeId id, const Node& node)
{
    static constexpr std::array views{"Reshape", "Flatten", "Squeeze", "Unsqueeze"};
    static constexpr std::array joins{"Concat", "Sum", "Max", "Min", "Mean"};
    static constexpr std::array arithmetic{"Add", "Sub", "Mul", "Div", "Pow"};
    const Verdict yes{true, 0, std::nullopt};
    if (node.is("Cast") || node.is("CastLike"))
        return yes; // the types are compared below
    if (isOneOf(node, views))
        return byShape(view, node, true);
    if (node.is("Transpose"))
        return ofTranspose(view, node);
    if (node.is("Expand") || node.is("Tile"))
        return byShape(view, node, false);
    if (node.is("Slice"))
        return stepsAreOne(view, node) ? byShape(view, node, false) : Verdict{};
    if (node.is("Pad"))
        return padsNothing(view, node) ? yes : Verdict{};
    if (isOneOf(node, joins))
        return node.inputs.size() == 1 ? yes : Verdict{};
    if (node.is("Split"))
        return node.outputs.size() == 1 ? byShape(view, node, false) : Verdict{};
    if (isOneOf(node, arithmetic))
        return ofArithmetic(view, id, node);
    return reducesNothing(view, node) ? yes : Verdict{};
}

bool mayPassOn(const GraphView& view, const Node& node)
{
    return node.op.isStandard() && node.input(0) && node.output(0) && view.sinceVersion(node) != 0 &&
           isOneOf(node, roots);
}

PassAnswer RemoveNoop::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (!mayPassOn(view, *node))
        return {};
    Verdict verdict = verdictOf(view, root, *node);
    const ValueId source = node->input(verdict.input);
    // A size that only running tells is an obstacle for shape operators that copy; for a view it is
    // the usual case and no news, unless the ranks are equal.
    if (!verdict.passes && !verdict.obstacle)
        return {};
    if (!source || view.dtype(source) == DType::undefined ||
        view.dtype(source) != view.dtype(node->output(0)))
        return {};
    std::vector<Reason> reasons;
    if (verdict.obstacle)
        reasons.push_back(std::move(*verdict.obstacle));
    if (isPinned(context, root))
        reasons.push_back(reasons::pinned(root));
    if (auto reason = cannotBypass(context, node->output(0), source))
        reasons.push_back(std::move(*reason));
    if (!reasons.empty()) {
        MissReason miss = missAt(rule(), root, std::move(reasons.front()));
        miss.reasons.insert(miss.reasons.end(), reasons.begin() + 1, reasons.end());
        return miss;
    }
    Offer offer;
    offer.root = root;
    offer.title = Message("title.remove-noop", {{"node", root}});
    offer.nodes = {root};
    offer.build = [root, from = node->output(0), source](PatchBuilder& builder) -> Result<void> {
        bypass(builder, root, from, source);
        return {};
    };
    return offer;
}

} // namespace

ValueId passedOn(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !mayPassOn(view, *node))
        return node && node->is("Identity") ? node->input(0) : ValueId{};
    const Verdict verdict = verdictOf(view, id, *node);
    const ValueId source = node->input(verdict.input);
    const bool oneType = source && view.dtype(source) != DType::undefined &&
                         view.dtype(source) == view.dtype(node->output(0));
    return verdict.passes && oneType ? source : ValueId{};
}

std::unique_ptr<const Pass> removeNoopRule()
{
    return std::make_unique<RemoveNoop>();
}

} // namespace fusescope
