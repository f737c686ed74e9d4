#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "patterns/written_norm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fusescope {

namespace {

void checkReduction(Conditions& conditions, const WrittenNorm& norm, NodeId id)
{
    const GraphView& view = conditions.context().view;
    const Node& node = *view.node(id);
    std::optional<Reason> keeps;
    const bool expanded =
        std::find(norm.expanded.begin(), norm.expanded.end(), id) != norm.expanded.end();
    if (node.attributes.getInt("keepdims", 1) != 1 && !expanded)
        keeps = reasons::unsupportedAttribute(id, "keepdims", "0", "1");
    conditions.check("condition.keeps-axes", std::move(keeps));
    if (!node.attributes.has("axes") && node.input(1)) {
        const std::array axes{node.input(1)};
        conditions.checkConstants("condition.trailing-axes", axes);
    }
    const auto axes = reducedAxes(view, node);
    std::optional<Reason> others;
    const Shape& shape = view.shape(node.input(0));
    if (axes && axes->empty() && node.attributes.getInt("noop_with_empty_axes", 0) != 0)
        others = reasons::unsupportedAttribute(id, "noop_with_empty_axes", "1", "0");
    else if (axes && !trailingAxis(view, node))
        others = shape.hasRank() ? reasons::otherAxes(id, fmt::format("{}", *axes), "the last axes")
                                 : reasons::unknownShape(node.input(0), shape);
    conditions.check("condition.trailing-axes", std::move(others));
}

std::optional<Reason> squareIsSquare(const GraphView& view, const WrittenNorm& norm)
{
    const auto found = scalarConstant(view, norm.exponent);
    if (!norm.exponent || !found || *found == 2.0)
        return std::nullopt;
    return reasons::unexpectedConstant(norm.exponent, *found, "2");
}

std::optional<Reason> epsilonIsNumber(const GraphView& view, const WrittenNorm& norm)
{
    const auto found = scalarConstant(view, norm.epsilon);
    if (!found || (*found >= 0 && std::isfinite(*found)))
        return std::nullopt;
    return reasons::unexpectedConstant(norm.epsilon, *found, "≥ 0");
}

// γ or β against x: it may not enlarge the result.
std::optional<Reason> fits(const GraphView& view, ValueId operand, ValueId x)
{
    if (!operand)
        return std::nullopt;
    const Shape& own = view.shape(operand);
    const Shape& data = view.shape(x);
    if (!own.hasRank())
        return reasons::unknownShape(operand, own);
    if (!data.hasRank())
        return reasons::unknownShape(x, data);
    switch (broadcastsTo(own, data)) {
    case Answer::yes:
        return std::nullopt;
    case Answer::no:
        return reasons::broadcastEnlarges(operand, own, data);
    case Answer::unknown:
        break;
    }
    return reasons::notShownEqual(operand, own, x, data);
}

} // namespace

void checkWrittenNorm(Conditions& conditions, const WrittenNorm& norm)
{
    const MatchContext& context = conditions.context();
    const GraphView& view = context.view;
    FormulaNodes formula = norm.formula;
    checkFormulaNodes(conditions, formula, norm.x);
    std::optional<Reason> turned;
    if (norm.turnedQuotient)
        turned = reasons::operandOrder(norm.quotient, "std / d", "d / std");
    else if (norm.turnedCenter)
        turned = reasons::operandOrder(norm.center, "mean − x", "x − mean");
    conditions.check("condition.operand-order", std::move(turned));
    std::vector<ValueId> numbers = formula.constants;
    numbers.push_back(norm.epsilon);
    if (norm.exponent)
        numbers.push_back(norm.exponent);
    checkNumbers(conditions, numbers, norm.x);
    conditions.check("condition.exponent", squareIsSquare(view, norm));
    conditions.check("condition.epsilon", epsilonIsNumber(view, norm));
    checkReduction(conditions, norm, norm.variance);
    for (const NodeId mean : {norm.mean, norm.squaredMean}) {
        if (!mean)
            continue;
        checkReduction(conditions, norm, mean);
        const auto first = trailingAxis(view, *view.node(mean));
        const auto second = trailingAxis(view, *view.node(norm.variance));
        std::optional<Reason> differ;
        if (first && second && *first != *second)
            differ = reasons::otherAxes(
                norm.variance, fmt::format("{}", *reducedAxes(view, *view.node(norm.variance))),
                fmt::format("{}", *reducedAxes(view, *view.node(mean))));
        conditions.check("condition.same-axes", std::move(differ));
    }
    for (const ValueId operand : {norm.scale, norm.shift}) {
        conditions.check("condition.no-enlarging", fits(view, operand, norm.x));
        if (operand)
            conditions.check("condition.one-type", sameType(context, norm.x, operand));
    }
}

bool fitsOperator(const GraphView& view, const WrittenNorm& norm)
{
    const Shape& x = view.shape(norm.x);
    const auto axis = trailingAxis(view, *view.node(norm.variance));
    if (view.dtype(norm.x) != DType::float32 || !x.hasRank() || !axis)
        return false;
    std::vector<Dim> dims(x.dims().end() + *axis, x.dims().end());
    const Shape normalized = Shape::of(std::move(dims));
    if (norm.scale ? !provablyEqual(view.shape(norm.scale), normalized) : !normalized.isStatic())
        return false;
    return !norm.shift || provablyEqual(view.shape(norm.shift), normalized);
}

ValueId scaleFor(PatchBuilder& builder, const WrittenNorm& norm)
{
    if (norm.scale)
        return norm.scale;
    const GraphView view(builder.graph());
    const Shape& x = view.shape(norm.x);
    const auto axis = trailingAxis(view, *view.node(norm.variance));
    std::vector<std::int64_t> sizes;
    for (auto dim = x.dims().end() + *axis; dim != x.dims().end(); ++dim)
        sizes.push_back(*dim->constant());
    Tensor one = Tensor::allocate(DType::float32, {1});
    one.store(0, 1.0);
    return builder.addConstant(view.node(norm.quotient)->body, "ones",
                               Tensor::splat(DType::float32, sizes, one.data()));
}

} // namespace fusescope
