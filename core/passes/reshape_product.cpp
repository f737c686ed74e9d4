#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/conditions.h"
#include "patterns/proven.h"
#include "patterns/reasons.h"

#include <array>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Reshape"};

// before:  a = Reshape(x, [−1, k]); p = MatMul(a, w); y = Reshape(p, [b, t, n])
// after:   y = MatMul(x, w)           p = Gemm(a, w, c):   y = Add(MatMul(x, w), c)
//
// Exporters flatten x for a product by a matrix and shape the result back, which MatMul does by
// itself: x ends with the rows of w, and y has the axes of x, but for the last, at every size. Only
// the second Reshape reads the product. A Gemm is A·B + C of floats, C no more than a row.
class ReshapeProduct final : public Pass
{
public:
    RuleId rule() const override { return "reshape-product"; }
    Stage stage() const override { return Stage::fusion; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

struct Parts
{
    NodeId first, product;
    ValueId source, weight, bias;
};

bool isRow(const Shape& shape)
{
    return shape.hasRank() && (shape.rank() < 2 || (shape.rank() == 2 && shape[0] == Dim(1)));
}

// A Gemm that MatMul and Add say.
bool isPlain(const GraphView& view, const Node& gemm)
{
    const Attributes& a = gemm.attributes;
    const DType type = view.dtype(gemm.output(0));
    return view.sinceVersion(gemm) >= 7 && a.getInt("transA", 0) == 0 &&
           a.getInt("transB", 0) == 0 && a.getFloat("alpha", 1) == 1.0F &&
           (!gemm.input(2) || a.getFloat("beta", 1) == 1.0F) &&
           (type == DType::float32 || type == DType::float64) &&
           (!gemm.input(2) || isRow(view.shape(gemm.input(2))));
}

std::optional<Parts> partsAt(const GraphView& view, const Node& last)
{
    const NodeId productId = view.producer(last.input(0));
    const Node* product = view.node(productId);
    if (!product || !product->input(0) || !product->input(1) || !product->output(0) ||
        !(product->is("MatMul") || (product->is("Gemm") && isPlain(view, *product))))
        return std::nullopt;
    const NodeId firstId = view.producer(product->input(0));
    const Node* first = view.node(firstId);
    if (!first || !(first->is("Reshape") || first->is("Flatten")) || !first->input(0))
        return std::nullopt;
    return Parts{firstId, productId, first->input(0), product->input(1), product->input(2)};
}

enum class Fit { no, open, yes };

// Whether y has the axes of x with w's columns at the end, and the flattened x the rows of w.
Fit fitOf(const GraphView& view, const Parts& parts, const Node& last)
{
    const Shape x = provenShape(view, parts.source);
    const Shape w = provenShape(view, parts.weight);
    const Shape flat = provenShape(view, view.node(parts.product)->input(0));
    const Shape y = provenShape(view, last.output(0));
    const bool ranks = x.hasRank() && x.rank() > 2 && w.hasRank() && w.rank() == 2 &&
                       flat.hasRank() && flat.rank() == 2 && y.hasRank() && y.rank() == x.rank();
    if (!ranks)
        return Fit::no;
    std::vector<std::pair<Dim, Dim>> pairs{
        {x.dims().back(), w[0]}, {flat[1], w[0]}, {y.dims().back(), w[1]}};
    for (std::size_t i = 0; i + 1 < x.rank(); ++i)
        pairs.emplace_back(x[i], y[i]);
    Fit fit = Fit::yes;
    for (const auto& [a, b] : pairs) {
        if (provablyDifferent(a, b))
            return Fit::no;
        fit = provablyEqual(a, b) ? fit : Fit::open;
    }
    return fit;
}

Offer offerOf(NodeId root, const Parts& parts, ValueId output)
{
    Offer offer;
    offer.root = root;
    offer.nodes = {parts.first, parts.product, root};
    offer.title =
        Message("title.reshape-product", {{"node", parts.product}, {"value", parts.source}});
    offer.build = [root, parts, output](PatchBuilder& builder) -> Result<void> {
        const Node old = *builder.node(parts.product);
        Node product;
        product.op.type = "MatMul";
        product.name = old.name;
        product.inputs = {parts.source, parts.weight};
        const std::string stem = builder.value(output)->name;
        const ValueId result = parts.bias ? builder.addValue(old.body, stem + "_product") : output;
        product.outputs = {result};
        const std::string name = builder.node(root)->name;
        builder.removeNode(root);
        builder.removeNode(parts.product);
        builder.addNode(std::move(product));
        if (!parts.bias)
            return {};
        Node sum;
        sum.op.type = "Add";
        sum.name = name;
        sum.inputs = {result, parts.bias};
        sum.outputs = {output};
        builder.addNode(std::move(sum));
        return {};
    };
    return offer;
}

PassAnswer ReshapeProduct::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!last->is("Reshape") || !last->input(0) || !last->output(0))
        return {};
    const auto parts = partsAt(view, *last);
    const Fit fit = parts ? fitOf(view, *parts, *last) : Fit::no;
    if (fit == Fit::no)
        return {};
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.same-scope", sameScope(context.match, parts->product, root));
    conditions.check("condition.same-scope", sameScope(context.match, parts->first, root));
    std::optional<Reason> open;
    if (fit == Fit::open)
        open = reasons::notShownEqual(last->output(0), view.shape(last->output(0)), parts->source,
                                      view.shape(parts->source));
    conditions.check("condition.keeps-leading-axes", std::move(open));
    conditions.checkSingleReader(last->input(0), root);
    if (parts->bias)
        conditions.checkSingleReader(view.node(parts->product)->input(0), parts->product);
    const std::array nodes{parts->first, parts->product, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(3, {parts->first, parts->product, root});
    return offerOf(root, *parts, last->output(0));
}

} // namespace

std::unique_ptr<const Pass> reshapeProductRule()
{
    return std::make_unique<ReshapeProduct>();
}

} // namespace fusescope
