#include "patterns/attention_parts.h"

#include "patterns/constants.h"
#include "patterns/product.h"
#include "patterns/reasons.h"

#include <numeric>

namespace fusescope {

namespace {

constexpr int longest = 8;

bool isOneNumber(const GraphView& view, ValueId value)
{
    const auto count = view.shape(value).elementCount();
    return count && count->constant() == 1;
}

bool isView(const Node& node)
{
    return node.is("Reshape") || node.is("Squeeze") || node.is("Unsqueeze");
}

bool isShapeOperator(const Node& node)
{
    return isView(node) || node.is("Transpose") || node.is("Slice");
}

bool keepsLastTwo(const Shape& a, const Shape& b)
{
    if (!a.hasRank() || !b.hasRank() || a.rank() < 2 || b.rank() < 2)
        return false;
    for (std::size_t i = 1; i <= 2; ++i) {
        if (!provablyEqual(a[a.rank() - i], b[b.rank() - i]))
            return false;
    }
    return true;
}

std::optional<double> times(std::optional<double> a, std::optional<double> b)
{
    if (!a || !b)
        return std::nullopt;
    return *a * *b;
}

// The factor that a Mul or Div by one number is.
std::optional<double> factorOf(const GraphView& view, const Node& node, ValueId number)
{
    const auto value = scalarConstant(view, number);
    if (!value)
        return std::nullopt;
    return node.is("Div") ? 1.0 / *value : *value;
}

// One node of the chain between scores and Softmax, of which `way` leads on to the scores.
void takeNode(const GraphView& view, NodeId id, std::size_t way, NodeId reader,
              AttentionParts& parts)
{
    const Node& node = *view.node(id);
    parts.formula.add(id);
    const ValueId other = node.input(node.is("Where") ? 3 - way : 1 - way);
    if (node.is("Cast")) {
        parts.between.push_back(reasons::castBetween(id, parts.scores, reader));
    } else if (isShapeOperator(node)) {
        if (isView(node) && keepsLastTwo(view.shape(node.input(0)), view.shape(node.output(0))))
            parts.hasViews = true;
        else
            parts.between.push_back(
                reasons::shapeOperatorBetween(id, node.op.type, parts.scores, reader));
    } else if (node.is("Mul") || node.is("Div")) {
        if (!isOneNumber(view, other))
            parts.between.push_back(
                reasons::operatorBetween(id, node.op.type, parts.scores, reader));
        else
            parts.numbers.push_back({other, node.input(way)});
        parts.scale = times(parts.scale, factorOf(view, node, other));
        parts.scaledMask = parts.scaledMask || !parts.masks.empty();
    } else if (node.is("Add")) {
        parts.masks.push_back({other, node.input(way), {}, false});
    } else if (node.is("Where")) {
        parts.masks.push_back({other, node.input(way), node.input(0), way == 2});
    }
}

// From the Softmax's input up to the product that makes the scores.
bool walk(const GraphView& view, ValueId value, NodeId reader, int left, AttentionParts& parts)
{
    const NodeId id = view.producer(value);
    const Node* node = view.node(id);
    if (!node || left == 0)
        return false;
    if (node->is("MatMul") || (node->region && isProductOrRegion(view, id))) {
        parts.scores = id;
        parts.formula.add(id);
        return true;
    }
    if (node->region || !node->op.isStandard())
        return false;
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
        takeNode(view, id, way, reader, parts);
        return true;
    }
    return false;
}

// Reshape, Transpose, Reshape around the leading axes, which swap the last two: what they read.
std::optional<std::vector<NodeId>> swapByViews(const GraphView& view, NodeId last)
{
    const Node& outer = *view.node(last);
    const NodeId turn = outer.is("Reshape") ? view.producer(outer.input(0)) : NodeId{};
    const Node* transpose = view.node(turn);
    if (!transpose || !transpose->is("Transpose") || !swapsLastAxes(view, *transpose) ||
        onlyReader(view, outer.input(0)) != last)
        return std::nullopt;
    const NodeId first = view.producer(transpose->input(0));
    const Node* inner = view.node(first);
    if (!inner || !inner->is("Reshape") || onlyReader(view, transpose->input(0)) != turn ||
        !keepsLastTwo(view.shape(inner->input(0)), view.shape(inner->output(0))))
        return std::nullopt;
    const Shape& from = view.shape(inner->input(0));
    const Shape& to = view.shape(outer.output(0));
    if (!to.hasRank() || from.rank() != to.rank())
        return std::nullopt;
    std::vector<Dim> wanted(from.dims().begin(), from.dims().end());
    std::swap(wanted[wanted.size() - 1], wanted[wanted.size() - 2]);
    if (!provablyEqual(Shape::of(wanted), to))
        return std::nullopt;
    return std::vector{first, turn, last};
}

// The scale of an operand and, for k, its Transpose, where the scores alone read them.
void takeOperand(const GraphView& view, ValueId value, bool isKey, AttentionParts& parts)
{
    AttentionParts::Operand& operand = isKey ? parts.k : parts.q;
    NodeId reader = parts.scores;
    for (int step = 0; step < 3; ++step) {
        operand.value = value;
        const NodeId id = view.producer(value);
        const Node* node = view.node(id);
        if (!node || node->region || onlyReader(view, value) != reader)
            return;
        if (isKey && node->is("Transpose") && swapsLastAxes(view, *node)) {
            value = node->input(0);
            operand.swapped = !operand.swapped;
        } else if (const auto views = isKey ? swapByViews(view, id) : std::nullopt) {
            for (const NodeId part : *views)
                parts.formula.add(part);
            value = view.node(views->front())->input(0);
            operand.swapped = !operand.swapped;
            reader = views->front();
            continue;
        } else if (node->is("Mul") || node->is("Div")) {
            const std::size_t way = isOneNumber(view, node->input(1)) ? 0 : 1;
            const bool scales =
                node->inputs.size() == 2 && isOneNumber(view, node->input(1 - way)) &&
                !isOneNumber(view, node->input(way)) && (way == 0 || node->is("Mul")) &&
                !addsAxes(view, node->input(1 - way), node->input(way));
            if (!scales)
                return;
            operand.scale = times(operand.scale, factorOf(view, *node, node->input(1 - way)));
            value = node->input(way);
        } else {
            return;
        }
        parts.formula.add(id);
        reader = id;
    }
    operand.value = value;
}

} // namespace

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

std::optional<AttentionParts> attentionAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (!node.is("MatMul") || node.inputs.size() != 2)
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        NodeId id = view.producer(node.input(i));
        const Node* producer = view.node(id);
        AttentionParts parts;
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
        parts.v = node.input(1 - i);
        if (!walk(view, producer->input(0), id, longest, parts))
            return std::nullopt;
        if (!view.node(parts.scores)->region) {
            takeOperand(view, view.node(parts.scores)->input(0), false, parts);
            takeOperand(view, view.node(parts.scores)->input(1), true, parts);
        }
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

} // namespace fusescope
