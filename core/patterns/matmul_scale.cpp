#include "patterns/column_scale.h"
#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/formula.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/product.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

//   a ─ MatMul(B) ─ Mul(k) ─ y                  a ─ Mul(k) ─ MatMul(B) ─ y
//   a ─ MatMul(B·k) ─ y      Gemm: its α and β times k; no constant B: region{ MatMul, Mul }
//
// k is a constant of one number, finite, not 0 where it divides, and adds no axis. What is scaled,
// or is a product, is read by the other alone. A product that the scale comes before has a constant
// B. One number a column goes into a constant B and C (column_scale.h).
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 4> roots = {"Mul", "Div", "MatMul", "Gemm"};

struct Parts
{
    Product product;
    NodeId scale; // Mul or Div
    ValueId data, constant;
    bool before = false; // the scale stands in front of the product
    bool turned = false; // k / product
    double factor = 1;   // that the product's result is multiplied with
};

std::optional<Parts> scaleAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !(node->is("Mul") || node->is("Div")))
        return std::nullopt;
    const auto operand = scalarOperand(view, *node);
    const TensorPtr tensor = operand ? view.constant(operand->constant) : nullptr;
    if (!operand || (tensor && tensor->elementCount() != 1))
        return std::nullopt;
    Parts parts;
    parts.scale = id;
    parts.data = operand->data;
    parts.constant = operand->constant;
    parts.turned = node->is("Div") && operand->dataIndex == 1;
    const double number = scalarConstant(view, operand->constant).value_or(1.0);
    parts.factor = node->is("Div") ? 1.0 / number : number;
    return parts;
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (auto parts = scaleAt(view, root)) {
        const auto product = productAt(view, view.producer(parts->data));
        if (!product)
            return std::nullopt;
        parts->product = *product;
        return parts;
    }
    const auto product = node.op.isStandard() ? productAt(view, root) : std::nullopt;
    auto parts = product ? scaleAt(view, view.producer(product->a)) : std::nullopt;
    if (!parts || parts->turned || !view.constant(product->b))
        return std::nullopt;
    parts->product = *product;
    parts->before = true;
    return parts;
}

// A float attribute holds it without another error than a float's.
bool attributeHolds(const GraphView& view, const Parts& parts)
{
    const Product& product = parts.product;
    if (view.dtype(product.output) != DType::float64)
        return true;
    const auto holds = [](double v) { return static_cast<double>(static_cast<float>(v)) == v; };
    return holds(product.alpha * parts.factor) &&
           (!product.c || holds(product.beta * parts.factor));
}

// The attribute times the factor is a float: finite, not 0 unless one of both is, and no number so
// small that it has lost digits.
bool attributeKeeps(double attribute, double factor)
{
    const double product = std::abs(rounded(DType::float32, attribute * factor));
    return attribute == 0.0 || factor == 0.0 ||
           (std::isfinite(product) &&
            product >= static_cast<double>(std::numeric_limits<float>::min()));
}

enum class Way { attribute, weight, region };

Way wayOf(const GraphView& view, const Parts& parts)
{
    if (parts.product.isGemm && !parts.before && attributeHolds(view, parts))
        return Way::attribute;
    const TensorPtr b = view.constant(parts.product.b);
    if (b && b->isAvailable() && (parts.before || !parts.product.isGemm))
        return Way::weight;
    return Way::region;
}

class MatMulScale final : public FusionPattern
{
public:
    RuleId rule() const override { return "matmul-scale"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto parts = partsAt(view, root);
        if (!parts) {
            const auto columns = columnScaleAt(view, root);
            return columns ? matchColumnScale(context, rule(), *columns) : behind(context, root);
        }
        const Product& product = parts->product;
        FormulaNodes formula;
        formula.add(parts->before ? parts->scale : product.id);
        formula.add(root);
        formula.addConstant(parts->constant);
        Conditions conditions(context, rule(), root);
        checkFormula(conditions, formula, parts->data);
        checkNumber(conditions, *parts);
        if (conditions.allHold() && wayOf(view, *parts) == Way::weight) {
            const TensorPtr weight = view.constant(product.b);
            const std::array readers{product.id};
            conditions.check("condition.growth",
                             withinGrowth(context, product.b, copyBytes(view, product.b, readers)));
            std::optional<Reason> rank;
            if (weight->rank() < 2)
                rank = reasons::unsupportedRank(product.b, view.shape(product.b), "2");
            else
                checkColumns(conditions, *parts, *weight);
            conditions.check("condition.rank-two", std::move(rank));
        }
        if (!conditions.allHold())
            return std::move(conditions).miss(2, formula.nodes);
        Match match;
        match.root = root;
        match.nodes = {{"product", product.id}, {"scale", parts->scale}};
        match.title = Message("title.fold-scale", {{"node", parts->scale}, {"conv", product.id}});
        if (wayOf(view, *parts) == Way::region)
            match.title = Message("title.fuse", {{"first", product.id}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const auto found = partsAt(view, match.root);
        if (!found) {
            rewriteColumnScale(builder, *columnScaleAt(view, match.root));
            return {};
        }
        const Parts& parts = *found;
        const Product& product = parts.product;
        if (wayOf(view, parts) == Way::region) {
            const std::vector<std::pair<NodeId, Role>> roles{{product.id, Role::main},
                                                             {parts.scale, Role::part}};
            builder.makeRegion("matmul-scale", {product.id, parts.scale}, roles);
            return {};
        }
        const ValueId output = view.node(match.root)->output(0);
        ValueId b = product.b;
        if (wayOf(view, parts) == Way::weight) {
            const TensorPtr weight = view.constant(product.b);
            const std::vector<double> factor(static_cast<std::size_t>(columnsOf(*weight, product)),
                                             parts.factor);
            b = builder.addConstant(product.node->body, foldedName(view, product.b),
                                    scaledColumns(*weight, product.transB, factor));
        }
        const bool attribute = wayOf(view, parts) == Way::attribute;
        placeAt(builder, product.id, match.root);
        builder.removeNode(parts.scale);
        builder.editNode(product.id, [&](Node& node) {
            node.inputs[1] = b;
            if (parts.before)
                node.inputs[0] = parts.data;
            if (attribute) {
                node.attributes.set(
                    Attribute("alpha", static_cast<float>(product.alpha * parts.factor)));
                if (product.c)
                    node.attributes.set(
                        Attribute("beta", static_cast<float>(product.beta * parts.factor)));
            }
            node.outputs[0] = output;
        });
        return {};
    }

private:
    // The two with another operator between them.
    MatchResult behind(const MatchContext& context, NodeId root) const
    {
        const GraphView& view = context.view;
        auto parts = scaleAt(view, root);
        std::optional<Found> found;
        if (parts) {
            const auto product = findProduct(view, root, parts->data);
            if (!product)
                return NotCandidate{};
            found = product->found;
            parts->product = product->product;
        } else {
            const auto product =
                view.node(root)->op.isStandard() ? productAt(view, root) : std::nullopt;
            if (!product || !view.constant(product->b))
                return NotCandidate{};
            found = findProducer(view, root, product->a, [&](NodeId id, const Node&) {
                return scaleAt(view, id).has_value();
            });
            if (!found)
                return NotCandidate{};
            parts = scaleAt(view, found->node);
            // Freed, it would go into the product before it instead.
            if (findProduct(view, found->node, parts->data))
                return NotCandidate{};
            parts->product = *product;
            parts->before = true;
        }
        if (found->isDirect() || !isNearby(view, *found) || parts->turned)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        conditions.check("condition.same-scope", sameScope(context, found->node, root));
        conditions.check("condition.float-type",
                         gemmType(context, parts->product.id, parts->product.output));
        conditions.checkSingleReader(found->value, found->reader);
        const std::array constants{parts->constant};
        checkNumbers(conditions, constants, parts->data);
        checkNumber(conditions, *parts);
        const std::array nodes{found->node, root};
        conditions.checkNotPinned(nodes);
        return missBehind(std::move(conditions), true, {found->node, root});
    }

    static std::int64_t columnsOf(const Tensor& weight, const Product& product)
    {
        return weight.shape()[weight.rank() - (product.transB ? 2 : 1)];
    }

    static void checkColumns(Conditions& conditions, const Parts& parts, const Tensor& weight)
    {
        const Product& product = parts.product;
        const std::int64_t columns = columnsOf(weight, product);
        if (auto memory = foldMemory(conditions.context(), product.b, columns)) {
            conditions.check("condition.growth", std::move(memory));
            return;
        }
        const std::vector<double> factor(static_cast<std::size_t>(columns), parts.factor);
        conditions.check("condition.finite",
                         columnsStayFinite(weight, product.transB, factor, parts.constant));
    }

    static void checkNumber(Conditions& conditions, const Parts& parts)
    {
        const GraphView& view = conditions.context().view;
        std::optional<Reason> order, infinite;
        if (parts.turned)
            order = reasons::operandOrder(parts.scale, "k / product", "product / k");
        conditions.check("condition.operand-order", std::move(order));
        const auto number = scalarConstant(view, parts.constant);
        if (number && !std::isfinite(parts.factor))
            infinite = reasons::notFinite(parts.constant, 1, 1, 0);
        conditions.check("condition.finite-number", std::move(infinite));
        std::optional<Reason> lost;
        if (number && std::isfinite(parts.factor)) {
            const Product& product = parts.product;
            if (wayOf(view, parts) == Way::attribute &&
                (!attributeKeeps(product.alpha, parts.factor) ||
                 (product.c && !attributeKeeps(product.beta, parts.factor))))
                lost = outOfRange(parts.constant, DType::float32);
        }
        conditions.check("condition.finite-number", std::move(lost));
    }
};

} // namespace

const FusionPattern& patterns::matmulScale()
{
    static const MatMulScale pattern;
    return pattern;
}

} // namespace fusescope
