#include "patterns/attention_parts.h"
#include "patterns/constants.h"
#include "patterns/finite_range.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <cmath>

//   q ─┐
//   k ─┴─ MatMul ─ Mul(scale) ─ Add(mask) ─ Softmax ─┐
//   v ───────────────────────────────────────────────┴─ MatMul ─ y
//   [q, k, v, mask] ─ Attention ─ y      or [q, k, mask, v] ─ region{ … } ─ y
//
// Softmax works along the last axis of the scores and is the left operand of the second product.
// The scale is one number, on the scores, on q, on k or on both; masks are added or chosen by Where
// and enlarge nothing; a Transpose of k that swaps its last two axes goes in, and so do Reshapes
// that leave the last two axes as they are. Nothing else reads what is inside.
// From opset 23 on the operator stands for it where heads and sizes are shown to agree, the scale
// is a constant and there is one mask at most, of numbers: a row that is −∞ throughout is NaN as
// written and zero in the operator.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"MatMul"};
std::optional<Reason> alongLastAxis(const GraphView& view, NodeId id)
{
    const Node& softmax = *view.node(id);
    const Shape& shape = view.shape(softmax.input(0));
    const int version = view.sinceVersion(softmax);
    const std::int64_t axis = softmax.attributes.getInt("axis", version >= 13 ? -1 : 1);
    if (axis == -1)
        return std::nullopt;
    if (!shape.hasRank())
        return reasons::unknownShape(softmax.input(0), shape);
    const auto last = static_cast<std::int64_t>(shape.rank()) - 1;
    if (axis == last)
        return std::nullopt;
    return reasons::axisMismatch(id, axis, last);
}

std::optional<Reason> masksFit(const GraphView& view, const AttentionParts& parts)
{
    for (const auto& mask : parts.masks) {
        const Shape& shape = view.shape(mask.data);
        for (const ValueId value : {mask.value, mask.keep}) {
            if (!value)
                continue;
            const Shape& own = view.shape(value);
            if (own.hasRank() && shape.hasRank() && broadcastsTo(own, shape) == Answer::no)
                return reasons::broadcastEnlarges(value, own, shape);
        }
    }
    return std::nullopt;
}

std::optional<Reason> numbersFit(const GraphView& view, const AttentionParts& parts)
{
    for (const auto& [number, data] : parts.numbers) {
        if (auto reason = addsAxes(view, number, data))
            return reason;
    }
    return std::nullopt;
}

// The Transpose of another order that k comes from, for the Transpose that makes k itself.
const Node* transposeOf(const GraphView& view, const AttentionParts& parts)
{
    const Node* node = view.producerNode(parts.k.value);
    const bool fits = node && node->is("Transpose") && node->attributes.has("perm") &&
                      view.shape(parts.k.value).hasRank();
    return fits ? node : nullptr;
}

// k as the operator wants it, [batch, heads, length, width]; what stands there is its transpose
// unless the formula swaps it.
std::optional<Shape> keyShape(const GraphView& view, const AttentionParts& parts)
{
    const Shape& shape = view.shape(parts.k.value);
    if (!shape.hasRank() || shape.rank() < 2)
        return std::nullopt;
    std::vector<Dim> dims(shape.dims().begin(), shape.dims().end());
    if (!parts.k.swapped) {
        if (!transposeOf(view, parts))
            return std::nullopt;
        std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    }
    return Shape::of(std::move(dims));
}

bool isKnownScale(const GraphView& view, const AttentionParts& parts, double scale)
{
    const bool isDouble = view.dtype(parts.v) == DType::float64;
    return std::isfinite(scale) && scale > 0 &&
           (!isDouble || static_cast<double>(static_cast<float>(scale)) == scale);
}

std::optional<double> scaleOf(const AttentionParts& parts)
{
    if (!parts.scale || !parts.q.scale || !parts.k.scale)
        return std::nullopt;
    return *parts.scale * *parts.q.scale * *parts.k.scale;
}

bool maskFitsOperator(const GraphView& view, const AttentionParts& parts)
{
    if (parts.masks.empty())
        return true;
    const auto& mask = parts.masks.front();
    const Shape& own = view.shape(mask.value);
    const Shape& scores = view.shape(mask.data);
    // With three axes the second of the operator's four is the head, of which there is one. The last
    // two are written out: runtimes do not take a mask that is to be broadcast there, though the
    // standard lets it be.
    const bool ranksFit = own.hasRank() && scores.hasRank() && own.rank() >= 2 &&
                          (scores.rank() == 4 || own.rank() < 3 || own[0].constant() == 1) &&
                          provablyEqual(own[own.rank() - 1], scores[scores.rank() - 1]) &&
                          provablyEqual(own[own.rank() - 2], scores[scores.rank() - 2]);
    return parts.masks.size() == 1 && !mask.keep && ranksFit &&
           broadcastsTo(own, scores) == Answer::yes &&
           view.dtype(mask.value) == view.dtype(parts.v) && finiteRange(view, mask.value);
}

bool fitsOperator(const GraphView& view, const AttentionParts& parts)
{
    if (parts.hasViews || parts.scaledMask || view.node(parts.scores)->region)
        return false;
    const Shape& q = view.shape(parts.q.value);
    const Shape& v = view.shape(parts.v);
    const auto k = keyShape(view, parts);
    const auto scale = scaleOf(parts);
    const DType type = view.dtype(parts.v);
    if (!k || !q.hasRank() || !v.hasRank() || !scale || !isKnownScale(view, parts, *scale) ||
        view.dtype(parts.q.value) != type || view.dtype(parts.k.value) != type)
        return false;
    const std::size_t rank = q.rank();
    if ((rank != 3 && rank != 4) || k->rank() != rank || v.rank() != rank)
        return false;
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        if (!provablyEqual(q[i], (*k)[i]) || !provablyEqual(q[i], v[i]))
            return false;
    }
    return provablyEqual(q[rank - 1], (*k)[rank - 1]) &&
           provablyEqual((*k)[rank - 2], v[rank - 2]) && maskFitsOperator(view, parts);
}

class Attention final : public FusionPattern
{
public:
    RuleId rule() const override { return "attention"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        auto parts = attentionAt(view, root);
        if (!parts)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        std::optional<Reason> order;
        if (parts->turned)
            order = reasons::operandOrder(root, "v · softmax", "softmax · v");
        conditions.check("condition.operand-order", std::move(order));
        conditions.check("condition.partner", std::move(parts->between));
        conditions.check("condition.last-axis", alongLastAxis(view, parts->softmax));
        conditions.check("condition.no-more-axes", numbersFit(view, *parts));
        conditions.check("condition.no-enlarging", masksFit(view, *parts));
        checkFormulaNodes(conditions, parts->formula, view.node(root)->output(0));
        if (!conditions.allHold())
            return std::move(conditions)
                .miss(static_cast<int>(parts->formula.nodes.size()), parts->formula.nodes);
        return formulaMatch(root, parts->formula, view.node(parts->scores)->input(0),
                            "title.formula-attention");
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const AttentionParts parts = *attentionAt(view, match.root);
        if (view.opset(*view.node(match.root)) < 23 || !fitsOperator(view, parts)) {
            makeFormulaRegion(builder, match, "attention");
            return {};
        }
        Node node;
        node.op.type = "Attention";
        node.attributes.set(Attribute("scale", static_cast<float>(*scaleOf(parts))));
        if (view.shape(parts.q.value).rank() == 3) {
            node.attributes.set(Attribute("q_num_heads", std::int64_t{1}));
            node.attributes.set(Attribute("kv_num_heads", std::int64_t{1}));
        }
        node.inputs = {parts.q.value, parts.k.value, parts.v};
        if (!parts.k.swapped)
            node.inputs[1] = untransposed(builder, match.root, *transposeOf(view, parts));
        if (!parts.masks.empty())
            node.inputs.push_back(parts.masks.front().value);
        replaceFormula(builder, match, std::move(node));
        return {};
    }

private:
    // k in the order of the operator, from what its own Transpose reads.
    static ValueId untransposed(PatchBuilder& builder, NodeId root, const Node& transpose)
    {
        auto perm = *transpose.attributes.getInts("perm");
        std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
        if (std::is_sorted(perm.begin(), perm.end()))
            return transpose.input(0);
        Node node;
        node.op.type = "Transpose";
        if (!transpose.name.empty())
            node.name = builder.uniqueName(transpose.name + "_key"); // other readers may keep it
        node.body = builder.node(root)->body;
        node.attributes.set(Attribute("perm", perm));
        node.inputs = {transpose.input(0)};
        const ValueId key =
            builder.addValue(node.body, builder.value(transpose.output(0))->name + "_key");
        node.outputs = {key};
        builder.addNode(std::move(node));
        return key;
    }
};

} // namespace

const FusionPattern& patterns::attention()
{
    static const Attention pattern;
    return pattern;
}

} // namespace fusescope
