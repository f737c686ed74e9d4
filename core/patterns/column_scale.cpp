#include "patterns/column_scale.h"

#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/formula.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

std::optional<Reason> addsAxis(const GraphView& view, const ColumnScale& parts)
{
    const TensorPtr tensor = view.constant(parts.constant);
    const Shape& shape = view.shape(parts.product.output);
    if (!tensor || tensor->rank() <= 1)
        return std::nullopt;
    if (!shape.hasRank())
        return reasons::unknownShape(parts.product.output, shape);
    if (tensor->rank() > shape.rank())
        return reasons::broadcastEnlarges(parts.constant, Shape::ofSizes(tensor->shape()), shape);
    return std::nullopt;
}

bool hasRow(const Product& product)
{
    return product.c && product.beta != 0.0;
}

// C with β and the factors; nothing where C is no row.
std::optional<std::vector<double>> scaledRow(const GraphView& view, const ColumnScale& parts)
{
    auto row = rowOf(view, parts.product);
    for (std::size_t i = 0; row && i < row->size(); ++i)
        (*row)[i] *= parts.factor[i];
    return row;
}

void checkNumbers(Conditions& conditions, const ColumnScale& parts)
{
    const GraphView& view = conditions.context().view;
    const Product& product = parts.product;
    conditions.check("condition.finite",
                     columnsStayFinite(*view.constant(product.b), product.transB, parts.factor,
                                       parts.constant));
    const TensorPtr weight = view.constant(product.b);
    if (!hasRow(product))
        return;
    const auto row = scaledRow(view, parts);
    std::optional<Reason> wrong;
    if (!row)
        wrong = reasons::unsupportedRank(product.c, view.shape(product.c), "1");
    else
        wrong = rowStaysFinite(weight->dtype(), *rowOf(view, product), *row, parts.constant);
    conditions.check("condition.constant-operand", std::move(wrong));
}

} // namespace

std::optional<ColumnScale> columnScaleAt(const GraphView& view, NodeId root)
{
    const Node* node = view.node(root);
    if (!node || !(node->is("Mul") || node->is("Div")))
        return std::nullopt;
    const auto operand = scalarOperand(view, *node);
    if (!operand || (node->is("Div") && operand->dataIndex == 1))
        return std::nullopt;
    const auto product = productAt(view, view.producer(operand->data));
    const DoubleTensor all = constantAsDouble(view, operand->constant);
    if (!product || product->columns < 2 || all.count != product->columns || all.shape.empty() ||
        all.shape.back() != product->columns || !view.constant(product->b))
        return std::nullopt;
    // Nobody writes a fill of so many columns times another: their factors are not worth the memory.
    constexpr std::int64_t columnsOfFills = 1 << 18;
    if (all.values.size() == 1 && view.constant(product->b)->isSplat() &&
        all.count > columnsOfFills)
        return std::nullopt;
    ColumnScale parts{*product, root, operand->constant, {}};
    for (std::int64_t i = 0; i < all.count; ++i)
        parts.factor.push_back(node->is("Div") ? 1.0 / all.at(i) : all.at(i));
    return parts;
}

MatchResult matchColumnScale(const MatchContext& context, RuleId rule, const ColumnScale& parts)
{
    const GraphView& view = context.view;
    const Product& product = parts.product;
    FormulaNodes formula;
    formula.add(product.id);
    formula.add(parts.scale);
    Conditions conditions(context, rule, parts.scale);
    checkFormulaNodes(conditions, formula, product.output);
    const std::array constants{parts.constant, product.b,
                               hasRow(product) ? product.c : ValueId{}};
    conditions.checkConstants("condition.constant-operand", constants);
    conditions.check("condition.no-more-axes", addsAxis(view, parts));
    conditions.check("condition.one-type", sameType(context, product.output, parts.constant));
    const std::array readers{product.id};
    std::int64_t bytes = copyBytes(view, product.b, readers);
    if (hasRow(product))
        bytes += copyBytes(view, product.c, readers);
    conditions.check("condition.growth", withinGrowth(context, product.b, bytes));
    if (conditions.allHold())
        checkNumbers(conditions, parts);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, formula.nodes);
    Match match;
    match.root = parts.scale;
    match.nodes = {{"product", product.id}, {"scale", parts.scale}};
    match.title = Message("title.fold-scale", {{"node", parts.scale}, {"conv", product.id}});
    remarkConstant(context, product.b, readers, match.remarks);
    return match;
}

void rewriteColumnScale(PatchBuilder& builder, const ColumnScale& parts)
{
    const GraphView view(builder.graph());
    const Product& product = parts.product;
    const BodyId body = product.node->body;
    const TensorPtr weight = view.constant(product.b);
    const ValueId b = builder.addConstant(body, foldedName(view, product.b),
                                          scaledColumns(*weight, product.transB, parts.factor));
    ValueId c = product.c;
    if (hasRow(product))
        c = builder.addConstant(body, foldedName(view, product.c),
                                vectorOf(weight->dtype(), *scaledRow(view, parts)));
    const ValueId output = view.node(parts.scale)->output(0);
    placeAt(builder, product.id, parts.scale);
    builder.removeNode(parts.scale);
    builder.editNode(product.id, [&](Node& node) {
        node.inputs[1] = b;
        if (c) {
            node.inputs[2] = c;
            node.attributes.remove("beta");
        }
        node.outputs[0] = output;
    });
}

} // namespace fusescope
