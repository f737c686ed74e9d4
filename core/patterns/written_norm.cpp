#include "patterns/written_norm.h"

#include "patterns/constants.h"
#include "patterns/written_norm_binder.h"

#include <algorithm>

namespace fusescope {

namespace {

// γ or β, as far as shapes show it: nothing along the axes that are not normalized. A gate or a
// residual of the data's own shape is neither.
bool mayBeParameter(const GraphView& view, const WrittenNorm& norm, ValueId operand)
{
    const Shape& shape = view.shape(operand);
    const auto axis = trailingAxis(view, *view.node(norm.variance));
    if (countsAsConstant(view, operand) || !shape.hasRank() || !axis)
        return true;
    const auto normalized = static_cast<std::size_t>(-*axis);
    for (std::size_t i = 0; i + normalized < shape.rank(); ++i) {
        if (shape[i].constant() != 1)
            return false;
    }
    return true;
}

std::optional<WrittenNorm> coreAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !isTwo(*node) || node->region || !(node->is("Div") || node->is("Mul")))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        WrittenNorm norm;
        WrittenNormBinder binder(view, norm);
        const bool bound = node->is("Div") ? binder.quotient(id, node->input(i), node->input(1 - i))
                                           : binder.product(id, node->input(i), node->input(1 - i));
        if (!bound)
            continue;
        norm.turnedQuotient = node->is("Div") && i == 1;
        norm.formula.add(id);
        return norm;
    }
    return std::nullopt;
}

// x·s + (β − m·s) with s = γ/√(mean((x − m)²) + ε), or without γ.
std::optional<WrittenNorm> spreadAt(const GraphView& view, NodeId root)
{
    const Node& add = *view.node(root);
    for (int turns = 0; turns < 16; ++turns) {
        const auto at = [turns](int bit) { return static_cast<std::size_t>((turns >> bit) & 1); };
        const NodeId scaledId = view.producer(add.input(at(0)));
        const NodeId shiftedId = view.producer(add.input(1 - at(0)));
        const Node* scaled = view.node(scaledId);
        const Node* shifted = view.node(shiftedId);
        if (!scaled || !shifted || !scaled->is("Mul") || !shifted->is("Sub") || !isTwo(*scaled) ||
            !isTwo(*shifted))
            continue;
        const NodeId offsetId = view.producer(shifted->input(1));
        const Node* offset = view.node(offsetId);
        const ValueId x = scaled->input(at(1)), factor = scaled->input(1 - at(1));
        if (!offset || !offset->is("Mul") || !isTwo(*offset) || offset->input(at(2)) != factor)
            continue;
        const ValueId mean = offset->input(1 - at(2));
        const NodeId factorId = view.producer(factor);
        const Node* product = view.node(factorId);
        const bool hasScale = product && product->is("Mul") && isTwo(*product);
        if (!hasScale && at(3) == 1)
            continue;
        WrittenNorm norm;
        WrittenNormBinder binder(view, norm);
        if (!binder.spread(scaledId, x, mean, hasScale ? product->input(at(3)) : factor))
            continue;
        if (hasScale) {
            norm.scale = product->input(1 - at(3));
            norm.scaleNode = factorId;
            norm.formula.add(factorId);
        }
        norm.shift = shifted->input(0);
        norm.shiftNode = root;
        for (const NodeId id : {scaledId, offsetId, shiftedId, root})
            norm.formula.add(id);
        if (mayBeParameter(view, norm, norm.shift) &&
            (!norm.scale || mayBeParameter(view, norm, norm.scale)))
            return norm;
    }
    return std::nullopt;
}

// d · (1/√(…) · γ)
std::optional<WrittenNorm> scaledRootAt(const GraphView& view, NodeId id, std::size_t side)
{
    const Node& node = *view.node(id);
    const NodeId factorId = view.producer(node.input(1 - side));
    const Node* factor = view.node(factorId);
    if (!factor || !factor->is("Mul") || !isTwo(*factor))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        WrittenNorm norm;
        WrittenNormBinder binder(view, norm);
        if (!binder.product(id, node.input(side), factor->input(i)) ||
            !mayBeParameter(view, norm, factor->input(1 - i)))
            continue;
        norm.scaleNode = id;
        norm.scale = factor->input(1 - i);
        norm.formula.add(factorId);
        norm.formula.add(id);
        return norm;
    }
    return std::nullopt;
}

std::optional<WrittenNorm> scaledAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !node->is("Mul") || !isTwo(*node))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        if (auto norm = scaledRootAt(view, id, i))
            return norm;
        auto norm = coreAt(view, view.producer(node->input(i)));
        if (!norm || !mayBeParameter(view, *norm, node->input(1 - i)))
            continue;
        norm->scaleNode = id;
        norm->scale = node->input(1 - i);
        norm->formula.add(id);
        return norm;
    }
    return std::nullopt;
}

} // namespace

std::optional<WrittenNorm> writtenNormAt(const GraphView& view, NodeId root)
{
    const Node* node = view.node(root);
    if (!node)
        return std::nullopt;
    if (auto core = coreAt(view, root))
        return core;
    if (auto scaled = scaledAt(view, root))
        return scaled;
    if (!node->is("Add") || !isTwo(*node))
        return std::nullopt;
    if (auto spread = spreadAt(view, root))
        return spread;
    for (std::size_t i = 0; i < 2; ++i) {
        const NodeId inner = view.producer(node->input(i));
        auto norm = scaledAt(view, inner);
        if (!norm)
            norm = coreAt(view, inner);
        // A root mean square has no shift: the Add is something else.
        if (!norm || !norm->centered || !mayBeParameter(view, *norm, node->input(1 - i)))
            continue;
        norm->shiftNode = root;
        norm->shift = node->input(1 - i);
        norm->formula.add(root);
        return norm;
    }
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> reducedAxes(const GraphView& view, const Node& node)
{
    if (const auto axes = node.attributes.getInts("axes"))
        return axes;
    if (!node.input(1))
        return std::vector<std::int64_t>();
    return integerConstant(view, node.input(1));
}

std::optional<std::int64_t> trailingAxis(const GraphView& view, const Node& reduction)
{
    auto axes = reducedAxes(view, reduction);
    if (!axes)
        return std::nullopt;
    const Shape& shape = view.shape(reduction.input(0));
    const auto rank = static_cast<std::int64_t>(shape.rank());
    if (axes->empty()) {
        if (!shape.hasRank() || rank == 0 || reduction.attributes.getInt("noop_with_empty_axes", 0))
            return std::nullopt;
        return -rank;
    }
    for (std::int64_t& axis : *axes) {
        if (axis >= 0 && !shape.hasRank())
            return std::nullopt;
        axis = axis >= 0 ? axis - rank : axis;
    }
    std::sort(axes->begin(), axes->end());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        if ((*axes)[i] != -static_cast<std::int64_t>(axes->size() - i))
            return std::nullopt;
    }
    return axes->front();
}

} // namespace fusescope
