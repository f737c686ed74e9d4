#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/walk.h"

#include <algorithm>
#include <array>
#include <numeric>

//   q ─┐
//   k ─┴─ MatMul ─ Mul(scale) ─ Add(mask) ─ Softmax ─┐
//   v ───────────────────────────────────────────────┴─ MatMul ─ y
//   [q, k, mask, v] ─ region{ … } ─ y
//
// Softmax works along the last axis of the scores and is the left operand of the second product.
// The scale is one number, on the scores, on q, on k or on both; masks are added or chosen by Where
// and enlarge nothing; a Transpose of k that swaps its last two axes goes in. Nothing else reads
// what is inside.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"MatMul"};
constexpr int longest = 6;

struct Parts
{
    NodeId softmax, scores;
    FormulaNodes formula;
    std::vector<ValueId> masks;
    std::vector<Reason> between; // what stands there and cannot go in
    bool turned = false;         // v · softmax
};

bool isOneNumber(const GraphView& view, ValueId value)
{
    const auto count = view.shape(value).elementCount();
    return count && count->constant() == 1;
}

bool isShapeOperator(const Node& node)
{
    return node.is("Reshape") || node.is("Transpose") || node.is("Squeeze") ||
           node.is("Unsqueeze") || node.is("Slice");
}

// From the Softmax's input up to the product that makes the scores.
bool walk(const GraphView& view, ValueId value, NodeId reader, int left, Parts& parts)
{
    const NodeId id = view.producer(value);
    const Node* node = view.node(id);
    if (!node || node->region || !node->op.isStandard() || left == 0)
        return false;
    if (node->is("MatMul")) {
        parts.scores = id;
        parts.formula.add(id);
        return true;
    }
    std::vector<std::size_t> ways;
    if (node->is("Add") || node->is("Mul"))
        ways = {0, 1};
    else if (node->is("Where"))
        ways = {1, 2};
    else if (node->is("Div") || node->is("Cast") || isShapeOperator(*node))
        ways = {0};
    for (const std::size_t way : ways) {
        if (!node->input(way) || !walk(view, node->input(way), id, left - 1, parts))
            continue;
        parts.formula.add(id);
        const ValueId other = node->input(node->is("Where") ? 3 - way : 1 - way);
        if (node->is("Cast"))
            parts.between.push_back(reasons::castBetween(id, parts.scores, reader));
        else if (isShapeOperator(*node))
            parts.between.push_back(
                reasons::shapeOperatorBetween(id, node->op.type, parts.scores, reader));
        else if ((node->is("Mul") || node->is("Div")) && !isOneNumber(view, other))
            parts.between.push_back(
                reasons::operatorBetween(id, node->op.type, parts.scores, reader));
        else if (node->is("Add"))
            parts.masks.push_back(other);
        else if (node->is("Where"))
            parts.masks.insert(parts.masks.end(), {node->input(0), other});
        return true;
    }
    return false;
}

bool swapsLastAxes(const GraphView& view, const Node& transpose)
{
    const auto perm = transpose.attributes.getInts("perm");
    const std::size_t rank = perm ? perm->size() : view.shape(transpose.input(0)).rank();
    if (!perm)
        return rank == 2;
    std::vector<std::int64_t> wanted(rank);
    std::iota(wanted.begin(), wanted.end(), 0);
    if (rank >= 2)
        std::swap(wanted[rank - 1], wanted[rank - 2]);
    return rank >= 2 && *perm == wanted;
}

// The scale of an operand and, for k, its Transpose, where the scores alone read them.
void takeOperand(const GraphView& view, ValueId value, bool isKey, Parts& parts)
{
    NodeId reader = parts.scores;
    for (int step = 0; step < 3; ++step) {
        const NodeId id = view.producer(value);
        const Node* node = view.node(id);
        if (!node || node->region || onlyReader(view, value) != reader)
            return;
        if (isKey && node->is("Transpose") && swapsLastAxes(view, *node)) {
            value = node->input(0);
        } else if (node->is("Mul") || node->is("Div")) {
            const std::size_t way = isOneNumber(view, node->input(1)) ? 0 : 1;
            const bool scales =
                node->inputs.size() == 2 && isOneNumber(view, node->input(1 - way)) &&
                !isOneNumber(view, node->input(way)) && (way == 0 || node->is("Mul"));
            if (!scales)
                return;
            value = node->input(way);
        } else {
            return;
        }
        parts.formula.add(id);
        reader = id;
    }
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (!node.is("MatMul") || node.inputs.size() != 2)
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        NodeId id = view.producer(node.input(i));
        const Node* producer = view.node(id);
        Parts parts;
        NodeId cast;
        if (producer && producer->is("Cast")) {
            cast = id;
            id = view.producer(producer->input(0));
            producer = view.node(id);
        }
        if (!producer || !producer->is("Softmax"))
            continue;
        parts.softmax = id;
        parts.turned = i == 1;
        if (!walk(view, producer->input(0), id, longest, parts))
            return std::nullopt;
        takeOperand(view, view.node(parts.scores)->input(0), false, parts);
        takeOperand(view, view.node(parts.scores)->input(1), true, parts);
        if (cast) {
            parts.between.push_back(reasons::castBetween(cast, id, root));
            parts.formula.add(cast);
        }
        parts.formula.add(id);
        parts.formula.add(root);
        return parts;
    }
    return std::nullopt;
}

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

std::optional<Reason> masksFit(const GraphView& view, const Parts& parts)
{
    const ValueId scores = view.node(parts.scores)->output(0);
    for (const ValueId mask : parts.masks) {
        const Shape& own = view.shape(mask);
        const Shape& shape = view.shape(scores);
        if (own.hasRank() && shape.hasRank() && broadcastsTo(own, shape) == Answer::no)
            return reasons::broadcastEnlarges(mask, own, shape);
    }
    return std::nullopt;
}

class Attention final : public FusionPattern
{
public:
    RuleId rule() const override { return "attention"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        auto parts = partsAt(view, root);
        if (!parts)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        std::optional<Reason> order;
        if (parts->turned)
            order = reasons::operandOrder(root, "v · softmax", "softmax · v");
        conditions.check("condition.operand-order", std::move(order));
        conditions.check("condition.partner", std::move(parts->between));
        conditions.check("condition.last-axis", alongLastAxis(view, parts->softmax));
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
        makeFormulaRegion(builder, match, "attention");
        return {};
    }
};

} // namespace

const FusionPattern& patterns::attention()
{
    static const Attention pattern;
    return pattern;
}

} // namespace fusescope
