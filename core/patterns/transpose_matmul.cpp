#include "patterns/formula.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/product.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <numeric>

//   b ─ Transpose ─┐
//   a ─────────────┴─ MatMul ─ y
//   matrices: [a, b] ─ Gemm(transB) ─ y      more axes: [a, b] ─ region{ Transpose, MatMul } ─ y
//
// The Transpose swaps the last two axes and no other. A Gemm turns its own flag and reads what the
// Transpose reads, whoever else reads that; a region needs the Transpose for itself.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> roots = {"MatMul", "Gemm"};

struct Parts
{
    Product product;
    std::size_t operand = 0; // that is transposed
    NodeId transpose;
    ValueId data;
    Found found;
};

// What stands between leaves the axes where they are: else the Transpose swaps others.
bool keepsAxes(const GraphView& view, const Found& found, ValueId operand)
{
    const Node& between = *view.node(found.reader);
    return found.kind != BetweenKind::shape ||
           (between.is("Slice") && view.shape(found.value).hasRank() &&
            view.shape(operand).hasRank());
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const auto product = productAt(view, root);
    if (!product)
        return std::nullopt;
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
        const ValueId operand = product->node->input(i);
        const auto found = findProducer(view, root, operand, [](NodeId, const Node& node) {
            return node.is("Transpose") && node.input(0);
        });
        if (found && isNearby(view, *found) && product->a != product->b &&
            keepsAxes(view, *found, operand))
            return Parts{*product, i, found->node, view.node(found->node)->input(0), *found};
    }
    return std::nullopt;
}

std::optional<Reason> swapsLastAxes(const GraphView& view, const Parts& parts)
{
    const Node& node = *view.node(parts.transpose);
    const Shape& shape = view.shape(parts.data);
    if (!shape.hasRank())
        return reasons::unknownShape(parts.data, shape);
    const auto rank = static_cast<std::int64_t>(shape.rank());
    auto perm = node.attributes.getInts("perm");
    if (!perm) {
        perm.emplace(shape.rank());
        std::iota(perm->rbegin(), perm->rend(), 0);
    }
    std::vector<std::int64_t> wanted(shape.rank());
    std::iota(wanted.begin(), wanted.end(), 0);
    if (rank >= 2)
        std::swap(wanted[shape.rank() - 1], wanted[shape.rank() - 2]);
    if (rank >= 2 && *perm == wanted)
        return std::nullopt;
    const auto last = perm->empty() ? 0 : perm->back();
    return reasons::axisMismatch(parts.transpose, last, std::max<std::int64_t>(0, rank - 2),
                                 "reason.transposes-others");
}

bool areMatrices(const GraphView& view, const Product& product)
{
    const auto isMatrix = [&](ValueId value) {
        return view.shape(value).hasRank() && view.shape(value).rank() == 2;
    };
    return isMatrix(product.a) && isMatrix(product.b);
}

// A MatMul becomes a Gemm without a third operand, which exists from opset 11 on.
bool becomesGemm(const GraphView& view, const Product& product)
{
    if (product.isGemm)
        return true;
    const DType type = view.dtype(product.output);
    const bool isFloat = type == DType::float32 || type == DType::float64 || type == DType::float16;
    return isFloat && view.opset(*product.node) >= 11 && areMatrices(view, product);
}

class TransposeMatMul final : public FusionPattern
{
public:
    RuleId rule() const override { return "transpose-matmul"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto parts = partsAt(view, root);
        if (!parts)
            return NotCandidate{};
        const bool toGemm = becomesGemm(view, parts->product);
        // Of other axes it is the usual splitting into heads, which no product can take in.
        const auto swap = swapsLastAxes(view, *parts);
        if (swap && !parts->found.isDirect())
            return NotCandidate{};
        if (swap && swap->code == ReasonCode::axisMismatch && !areMatrices(view, parts->product) &&
            !isNear(view, *parts))
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, parts->found, root);
        conditions.check("condition.swaps-last-axes", swap);
        conditions.check("condition.same-scope", sameScope(context, parts->transpose, root));
        if (!toGemm)
            conditions.checkSingleReader(parts->found.value, parts->found.reader);
        const std::array nodes{parts->transpose, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return missBehind(std::move(conditions), !parts->found.isDirect(), {parts->transpose, root});
        Match match;
        match.root = root;
        match.nodes = {{"transpose", parts->transpose}, {"product", root}};
        match.title = Message("title.fuse", {{"first", parts->transpose}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Parts parts = *partsAt(view, match.root);
        if (!becomesGemm(view, parts.product)) {
            builder.makeRegion("transpose-matmul", {parts.transpose, match.root},
                               {{parts.transpose, Role::part}, {match.root, Role::main}});
            return {};
        }
        const char* flag = parts.operand == 0 ? "transA" : "transB";
        const bool on = parts.operand == 0 ? !parts.product.transA : !parts.product.transB;
        Node node = *parts.product.node;
        node.op.type = "Gemm";
        node.inputs[parts.operand] = parts.data;
        node.attributes.set(Attribute(flag, std::int64_t{on ? 1 : 0}));
        // A Transpose that nobody else reads dies with it.
        const bool alone = onlyReader(view, view.node(parts.transpose)->output(0)) == match.root;
        if (parts.product.isGemm) {
            builder.editNode(match.root, [&](Node& n) {
                n.inputs = node.inputs;
                n.attributes = node.attributes;
            });
        } else {
            Node made;
            made.op.type = "Gemm";
            made.name = node.name;
            made.body = node.body;
            made.inputs = node.inputs;
            made.outputs = node.outputs;
            made.attributes = node.attributes;
            builder.removeNode(match.root);
            builder.addNode(std::move(made));
        }
        if (alone)
            builder.removeNode(parts.transpose);
        return {};
    }

private:
    // The last two axes take part, among others.
    static bool isNear(const GraphView& view, const Parts& parts)
    {
        const auto perm = view.node(parts.transpose)->attributes.getInts("perm");
        const std::size_t rank = view.shape(parts.data).rank();
        return perm && rank == 3 && perm->size() == 3 &&
               perm->back() == static_cast<std::int64_t>(rank) - 2;
    }
};

} // namespace

const FusionPattern& patterns::transposeMatmul()
{
    static const TransposeMatMul pattern;
    return pattern;
}

} // namespace fusescope
