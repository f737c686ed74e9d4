#include "patterns/product.h"

#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"
#include "report/make_reason.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

std::optional<Product> productAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !(node->is("MatMul") || node->is("Gemm")) || !node->input(0) || !node->input(1) ||
        node->outputs.size() != 1 || !node->output(0))
        return std::nullopt;
    Product product;
    product.id = id;
    product.node = node;
    product.isGemm = node->is("Gemm");
    product.a = node->input(0);
    product.b = node->input(1);
    product.output = node->output(0);
    if (product.isGemm) {
        product.c = node->input(2);
        product.transA = node->attributes.getInt("transA", 0) != 0;
        product.transB = node->attributes.getInt("transB", 0) != 0;
        product.alpha = static_cast<double>(node->attributes.getFloat("alpha", 1.0F));
        product.beta = static_cast<double>(node->attributes.getFloat("beta", 1.0F));
    }
    const Shape& b = view.shape(product.b);
    if (b.hasRank() && b.rank() >= 2)
        product.columns = b[b.rank() - (product.transB ? 2 : 1)].constant().value_or(0);
    return product;
}

std::optional<FoundProduct> findProduct(const GraphView& view, NodeId root, ValueId value)
{
    const auto found = findProducer(
        view, root, value, [&](NodeId id, const Node&) { return productAt(view, id).has_value(); });
    if (!found)
        return std::nullopt;
    return FoundProduct{*found, *productAt(view, found->node)};
}

bool isProductOrRegion(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || node->outputs.size() != 1)
        return false;
    if (node->region)
        return (node->region->kind == "matmul-add" || node->region->kind == "matmul-scale") &&
               !node->region->nodeOf(Role::activation);
    return productAt(view, id).has_value();
}

Tensor scaledColumns(const Tensor& weight, bool transposed, std::span<const double> factor)
{
    return scaled(weight, matrixColumns(weight, transposed), factor);
}

std::optional<Reason> columnsStayFinite(const Tensor& weight, bool transposed,
                                        std::span<const double> factor, Subject source,
                                        Digits digits)
{
    const ChannelRuns runs = matrixColumns(weight, transposed);
    const std::vector<bool> bad = infiniteChannels(weight, runs, factor);
    const auto first = std::find(bad.begin(), bad.end(), true);
    if (first == bad.end())
        return keepsDigits(weight, runs, factor, source, digits);
    return reasons::notFinite(source, std::count(bad.begin(), bad.end(), true),
                              static_cast<std::int64_t>(bad.size()), first - bad.begin());
}

std::optional<Reason> rowStaysFinite(DType type, std::span<const double> before,
                                     std::span<const double> after, Subject source)
{
    std::int64_t bad = 0, first = -1;
    for (std::size_t c = 0; c < after.size(); ++c) {
        if (!overflows(type, before[c], after[c]))
            continue;
        ++bad;
        first = first < 0 ? static_cast<std::int64_t>(c) : first;
    }
    if (bad == 0)
        return std::nullopt;
    return reasons::notFinite(source, bad, static_cast<std::int64_t>(after.size()), first);
}

std::optional<std::vector<double>> rowOf(const GraphView& view, const Product& product)
{
    std::vector<double> row(static_cast<std::size_t>(product.columns), 0.0);
    if (!product.c || product.beta == 0.0)
        return row;
    const DoubleTensor c = constantAsDouble(view, product.c);
    const bool isRow = c.count == 1 || (c.count == product.columns && !c.shape.empty() &&
                                        c.shape.back() == product.columns);
    if (c.count == 0 || !isRow)
        return std::nullopt;
    for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = product.beta * c.at(c.count == 1 ? 0 : static_cast<std::int64_t>(i));
    return row;
}

void checkProductFold(Conditions& conditions, const FoundProduct& found, NodeId root)
{
    const MatchContext& context = conditions.context();
    std::optional<Reason> apart;
    if (!found.found.isDirect())
        apart = betweenReason(context, found.found, root);
    conditions.check("condition.partner", std::move(apart), [&] {
        return Message("saw.partner", {{"root", root}, {"node", found.found.node}});
    });
    conditions.check("condition.same-scope", sameScope(context, found.product.id, root));
    // Constants are folded as doubles, which hold no int64.
    conditions.check("condition.float-type",
                     gemmType(context, found.product.id, found.product.output));
    // Gemm before 7 broadcasts C only where an attribute says so.
    constexpr std::array gemms{7, 9, 11, 13};
    constexpr std::array matmuls{9, 13};
    const std::span<const int> known =
        found.product.isGemm ? std::span<const int>(gemms) : std::span<const int>(matmuls);
    conditions.check("condition.version", knownVersion(context, found.product.id, known),
                     saw::version(context, found.product.id));
    conditions.check("condition.known-attributes", knownAttributes(context, found.product.id),
                     saw::attributes(context, found.product.id));
    conditions.checkSingleReader(found.found.value, found.found.reader);
    const std::array nodes{found.product.id, root};
    conditions.checkNotPinned(nodes);
}

namespace {

Reason noFloat(ValueId product, DType type)
{
    return makeReason(ReasonCode::unsupportedType, {product}, "headline.unsupported-type",
                      "reason.no-float", "unblock.unsupported-type",
                      {{"value", product}, {"type", std::string(nameOf(type))}});
}

} // namespace

std::optional<Reason> gemmType(const MatchContext& context, NodeId node, ValueId value)
{
    constexpr std::array floats{DType::float32, DType::float64, DType::float16, DType::bfloat16};
    const DType type = context.view.dtype(value);
    if (std::find(floats.begin(), floats.end(), type) == floats.end())
        return noFloat(value, type);
    if (type == DType::bfloat16 && context.view.opset(*context.view.node(node)) < 13)
        return reasons::unsupportedType(value, "Gemm", DType::bfloat16);
    return std::nullopt;
}

std::optional<Reason> fitsInto(const GraphView& view, ValueId operand, ValueId data)
{
    const Shape& own = view.shape(operand);
    const Shape& shape = view.shape(data);
    if (!own.hasRank())
        return reasons::unknownShape(operand, own);
    if (!shape.hasRank())
        return reasons::unknownShape(data, shape);
    switch (broadcastsTo(own, shape)) {
    case Answer::yes:
        return std::nullopt;
    case Answer::no:
        return reasons::broadcastEnlarges(operand, own, shape);
    case Answer::unknown:
        break;
    }
    return reasons::notShownEqual(operand, own, data, shape);
}

void replaceByGemm(PatchBuilder& builder, NodeId productId, NodeId root, ValueId b, ValueId c,
                   double alpha, double beta)
{
    const Node old = *builder.node(productId);
    const Node last = *builder.node(root);
    Node node;
    node.op.type = "Gemm";
    node.name = old.name;
    node.body = last.body;
    if (old.is("Gemm")) {
        node.attributes = old.attributes;
        node.attributes.remove("beta");
    }
    if (alpha != 1.0)
        node.attributes.set(Attribute("alpha", static_cast<float>(alpha)));
    if (beta != 1.0)
        node.attributes.set(Attribute("beta", static_cast<float>(beta)));
    node.inputs = {old.input(0), b};
    if (c)
        node.inputs.push_back(c);
    node.outputs = {last.output(0)};
    builder.removeNode(productId);
    if (root != productId)
        builder.removeNode(root);
    builder.addNode(std::move(node));
}

Tensor negated(const Tensor& c)
{
    Tensor result = Tensor::allocate(c.dtype(), c.shape());
    for (std::int64_t i = 0; i < c.elementCount(); ++i)
        result.store(i, -c.asDouble(c.isSplat() ? 0 : i));
    return result;
}

} // namespace fusescope
