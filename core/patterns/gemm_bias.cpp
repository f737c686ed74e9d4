#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/product.h"
#include "patterns/reasons.h"

#include <array>

//   a ─ Gemm(B, C) ─ Add(d) ─ y
//   a ─ Gemm(B, β·C + d) ─ y        without C: a ─ Gemm(B, d) ─ y
//
// The Add (or the Sub of d) alone reads the Gemm. C and d are constants, C a row, d one too; where
// there is no C, or its factor is 0, d may be computed and of any shape that the Gemm can
// broadcast: a Sub of it is a Gemm with β = −1.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 3> roots = {"Add", "Sub", "Sum"};

struct Parts
{
    FoundProduct found;
    ValueId addend;
    bool addendFirst = false;
};

// A Sum of two is an Add.
bool isAdd(const Node& node)
{
    return node.is("Add") || node.is("Sum");
}

bool hasBias(const Product& product)
{
    return product.c && product.beta != 0.0;
}

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const Node& node = *view.node(root);
    if (!(isAdd(node) || node.is("Sub")) || node.inputs.size() != 2)
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto found = findProduct(view, root, node.input(i));
        const ValueId addend = node.input(1 - i);
        if (!found || !found->product.isGemm || addend == node.input(i))
            continue;
        const bool constant = countsAsConstant(view, addend);
        const bool free = (isAdd(node) || i == 0) && found->found.isDirect() &&
                          !hasBias(found->product);
        const bool near = found->found.isDirect() || found->found.kind == BetweenKind::cast ||
                          found->found.kind == BetweenKind::shape;
        if ((constant && near) || free)
            return Parts{*found, addend, i == 1};
    }
    return std::nullopt;
}

// Whether β·C ± d is computed now; else the Gemm reads d as it is.
bool foldsRow(const GraphView& view, const Parts& parts, bool minus)
{
    return hasBias(parts.found.product) || (minus && countsAsConstant(view, parts.addend));
}

// β·C ± d, column by column; nothing where one of them is no row.
std::optional<std::vector<double>> foldedRow(const GraphView& view, const Parts& parts, bool minus)
{
    const Product& product = parts.found.product;
    auto row = product.columns > 0 ? rowOf(view, product) : std::nullopt;
    const DoubleTensor d = constantAsDouble(view, parts.addend);
    if (!row || d.count == 0 || (d.count != 1 && d.count != product.columns) ||
        (d.count > 1 && d.shape.back() != product.columns))
        return std::nullopt;
    for (std::size_t i = 0; i < row->size(); ++i) {
        const double by = d.at(d.count == 1 ? 0 : static_cast<std::int64_t>(i));
        (*row)[i] += minus ? -by : by;
    }
    return row;
}

class GemmBias final : public FusionPattern
{
public:
    RuleId rule() const override { return "gemm-bias"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto parts = partsAt(view, root);
        if (!parts)
            return NotCandidate{};
        const Product& product = parts->found.product;
        const bool minus = view.node(root)->is("Sub");
        Conditions conditions(context, rule(), root);
        checkProductFold(conditions, parts->found, root);
        std::optional<Reason> order;
        if (minus && parts->addendFirst)
            order = reasons::operandOrder(root, "d − gemm", "gemm − d");
        conditions.check("condition.operand-order", std::move(order));
        conditions.check("condition.no-enlarging", fitsInto(view, parts->addend, product.output));
        if (foldsRow(view, *parts, minus))
            checkRows(conditions, *parts, minus, root);
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {product.id, root});
        Match match;
        match.root = root;
        match.nodes = {{"product", product.id}, {"add", root}};
        match.values = {{"addend", parts->addend}};
        match.title = Message("title.fold-bias", {{"node", root}, {"conv", product.id}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const auto parts = partsAt(view, match.root);
        const Product& product = parts->found.product;
        const bool minus = view.node(match.root)->is("Sub");
        ValueId c = parts->addend;
        const bool folds = foldsRow(view, *parts, minus);
        if (folds) {
            const auto row = foldedRow(view, *parts, minus);
            c = builder.addConstant(product.node->body,
                                    product.c ? foldedName(view, product.c)
                                              : foldedName(view, product.b, "_bias"),
                                    vectorOf(view.constant(parts->addend)->dtype(), *row));
        }
        replaceByGemm(builder, product.id, match.root, product.b, c, 1.0,
                      minus && !folds ? -1.0 : 1.0);
        return {};
    }

private:
    static void checkRows(Conditions& conditions, const Parts& parts, bool minus, NodeId root)
    {
        const GraphView& view = conditions.context().view;
        const Product& product = parts.found.product;
        const std::array constants{product.c, parts.addend};
        conditions.checkConstants("condition.constant-weights", constants);
        if (auto memory = foldMemory(conditions.context(), product.b, product.columns))
            conditions.check("condition.growth", std::move(memory));
        if (!conditions.allHold())
            return;
        std::optional<Reason> shape, infinite;
        const auto row = foldedRow(view, parts, minus);
        if (!row)
            shape = product.columns == 0
                        ? reasons::unknownShape(product.b, view.shape(product.b))
                        : reasons::parameterShape(
                              rowOf(view, product) ? parts.addend : product.c,
                              view.shape(rowOf(view, product) ? parts.addend : product.c),
                              product.columns);
        conditions.check("condition.columns", std::move(shape));
        if (row)
            infinite = rowStaysFinite(view.dtype(product.output), *rowOf(view, product), *row, root);
        conditions.check("condition.finite", std::move(infinite));
    }
};

} // namespace

const FusionPattern& patterns::gemmBias()
{
    static const GemmBias pattern;
    return pattern;
}

} // namespace fusescope
