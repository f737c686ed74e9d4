#include "patterns/fold.h"
#include "patterns/formula.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/product.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"
#include "patterns/saw.h"

#include <array>

//   a ─┐
//   b ─┴─ MatMul ─ Add(c) ─ y
//   matmul-add-gemm, of matrices:    [a, b, c] ─ Gemm ─ y
//   matmul-add, of more axes:        [a, b, c] ─ region{ MatMul, Add } ─ y
//
// The Add alone reads the product, and c enlarges nothing: Gemm broadcasts c alone. A region takes
// another addend of the product's own shape when it holds a bias already. Sub(c) is the Add of −c:
// a Gemm reads −c where c is a constant, else it has beta = −1; a region holds the Sub of a constant
// as it is. c − product is refused.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 3> roots = {"Add", "Sub", "Sum"};

struct Side
{
    NodeId product;
    ValueId result, other;
    bool minus = false, otherFirst = false;
};

bool isMatrix(const GraphView& view, ValueId value)
{
    return view.shape(value).hasRank() && view.shape(value).rank() == 2;
}

class MatMulAdd final : public FusionPattern
{
public:
    explicit MatMulAdd(bool toGemm) : m_toGemm(toGemm) {}

    RuleId rule() const override { return m_toGemm ? "matmul-add-gemm" : "matmul-add"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        const bool sumOfTwo = m_toGemm && node.is("Sum"); // is an Add
        if (!(node.is("Add") || node.is("Sub") || sumOfTwo) || node.inputs.size() != 2)
            return NotCandidate{};
        MatchResult first = NotCandidate{};
        for (std::size_t i = 0; i < 2; ++i) {
            const Side side{view.producer(node.input(i)), node.input(i), node.input(1 - i),
                            node.is("Sub"), i == 1};
            if (!isCandidate(view, side))
                continue;
            const MatchContext silent{context.view, context.policy, nullptr};
            MatchResult result = evaluate(silent, side, root);
            if (std::holds_alternative<Match>(result))
                return evaluate(context, side, root);
            if (std::holds_alternative<NotCandidate>(first))
                first = evaluate(context, side, root);
        }
        return std::holds_alternative<NotCandidate>(first) ? behind(context, root, node) : first;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId product = match.node("product");
        if (m_toGemm) {
            ValueId other = match.value("other");
            const TensorPtr subtracted =
                view.node(match.root)->is("Sub") ? view.constant(other) : nullptr;
            const double beta = view.node(match.root)->is("Sub") && !subtracted ? -1.0 : 1.0;
            if (subtracted)
                other = builder.addConstant(view.node(match.root)->body,
                                            foldedName(view, other, "_negated"),
                                            negated(*subtracted));
            replaceByGemm(builder, product, match.root, view.node(product)->input(1), other, 1.0,
                          beta);
            return {};
        }
        auto roles = rolesOf(view, product, Role::main);
        const bool constant = static_cast<bool>(view.constant(match.value("other")));
        roles.emplace_back(match.root, constant ? Role::bias : Role::residual);
        builder.makeRegion("matmul-add", {product, match.root}, roles);
        return {};
    }

private:
    bool isCandidate(const GraphView& view, const Side& side) const
    {
        const auto product = productAt(view, side.product);
        if (m_toGemm)
            return product && !product->isGemm && isMatrix(view, product->a) &&
                   isMatrix(view, product->b);
        if (product)
            return !product->isGemm &&
                   !(isMatrix(view, product->a) && isMatrix(view, product->b)) &&
                   (countsAsConstant(view, side.other) ||
                    (!side.minus && mayBeResidual(view, side)));
        const Node* node = view.node(side.product);
        return node && node->region && !side.minus && isProductOrRegion(view, side.product) &&
               !node->region->nodeOf(Role::residual) && mayBeResidual(view, side);
    }

    // A product that passes another operator before a constant is added: that would be its bias.
    MatchResult behind(const MatchContext& context, NodeId root, const Node& node) const
    {
        const GraphView& view = context.view;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto found = findProduct(view, root, node.input(i));
            if (!found || found->found.isDirect() || !isNearby(view, found->found))
                continue;
            const Side side{found->product.id, found->found.value, node.input(1 - i),
                            node.is("Sub"), i == 1};
            if (!countsAsConstant(view, side.other) || !isCandidate(view, side) ||
                fitsInto(view, side.other, node.input(i)))
                continue;
            return evaluate(context, side, root, &found->found);
        }
        return NotCandidate{};
    }

    // Another tensor of the run is worth a region only where it is as large as the product.
    static bool mayBeResidual(const GraphView& view, const Side& side)
    {
        return !view.constant(side.other) && side.other != side.result &&
               provablyEqual(view.shape(side.other), view.shape(side.result)) &&
               view.shape(side.other).hasRank();
    }

    MatchResult evaluate(const MatchContext& context, const Side& side, NodeId root,
                         const Found* apart = nullptr) const
    {
        const GraphView& view = context.view;
        Conditions conditions(context, rule(), root);
        if (apart)
            checkDirect(conditions, *apart, root);
        conditions.check("condition.same-scope", sameScope(context, side.product, root));
        constexpr std::array known{7, 8, 13, 14};
        conditions.check("condition.version", knownVersion(context, root, known),
                         saw::version(context, root));
        if (m_toGemm)
            conditions.check("condition.float-type", gemmType(context, root, side.result));
        std::optional<Reason> order;
        if (side.minus && side.otherFirst)
            order = reasons::operandOrder(root, "c − product", "product − c");
        conditions.check("condition.operand-order", std::move(order));
        conditions.checkSingleReader(side.result, apart ? apart->reader : root);
        if (side.other != side.result)
            conditions.check("condition.no-enlarging", fitsInto(view, side.other, side.result));
        if (!m_toGemm && countsAsConstant(view, side.other)) {
            const std::array constants{side.other};
            conditions.checkConstants("condition.constant-operand", constants);
        }
        const std::array readers{root};
        const TensorPtr subtracted =
            m_toGemm && side.minus ? view.constant(side.other) : nullptr;
        if (subtracted && !subtracted->isAvailable())
            conditions.check("condition.constant-operand", isConstant(context, side.other));
        if (subtracted)
            conditions.check("condition.growth",
                             withinGrowth(context, side.other,
                                          copyBytes(view, side.other, readers)));
        const std::array nodes{side.product, root};
        conditions.checkNotPinned(nodes);
        if (apart)
            return missBehind(std::move(conditions), true, {side.product, root});
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {side.product, root});
        Match match;
        match.root = root;
        match.nodes = {{"product", side.product}, {"add", root}};
        match.values = {{"other", side.other}};
        if (subtracted)
            remarkConstant(context, side.other, readers, match.remarks);
        match.title = Message(m_toGemm ? TextId("title.to-gemm") : TextId("title.fuse"),
                              {{"first", side.product}, {"last", root}});
        return match;
    }

    bool m_toGemm;
};

} // namespace

const FusionPattern& patterns::matmulAddGemm()
{
    static const MatMulAdd pattern(true);
    return pattern;
}

const FusionPattern& patterns::matmulAdd()
{
    static const MatMulAdd pattern(false);
    return pattern;
}

} // namespace fusescope
