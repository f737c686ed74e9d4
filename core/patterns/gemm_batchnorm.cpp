#include "patterns/batchnorm.h"
#include "patterns/fold.h"
#include "patterns/pattern_list.h"
#include "patterns/product.h"
#include "patterns/reasons.h"

#include <array>

//   a ─ Gemm(B, C) ─ BatchNormalization(γ, β, μ, σ²) ─ y
//   a ─ Gemm(B·s, (βC − μ)·s + β) ─ y           with s = γ / √(σ² + ε), per column
//
// The Gemm, or a MatMul of matrices, stands directly before the data input of an inference
// BatchNormalization, so that its channels are the columns; B, C and all parameters are constants,
// C is one row, nothing else reads what is between, and the folded numbers are finite.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"BatchNormalization"};

class GemmBatchnorm final : public FusionPattern
{
public:
    RuleId rule() const override { return "gemm-batchnorm"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        if (!node.is("BatchNormalization") || node.inputs.size() < 5 || !node.output(0))
            return NotCandidate{};
        const auto found = findProduct(view, root, node.input(0));
        if (!found)
            return NotCandidate{};
        const Product& product = found->product;
        Conditions conditions(context, rule(), root);
        std::vector<ValueId> constants{product.b, product.c};
        const auto more = checkBatchnorm(conditions, root, product.id, product.id, product.columns);
        constants.insert(constants.end(), more.begin(), more.end());
        checkProductFold(conditions, *found, root);
        conditions.checkConstants("condition.constant-weights", constants);
        conditions.check("condition.rank-two", columnsAreChannels(view, product, root));
        auto memory = foldMemory(context, product.b, product.columns);
        const auto row = product.columns > 0 && !memory ? rowOf(view, product) : std::nullopt;
        std::optional<Reason> columns;
        const Shape& factor = view.shape(product.b);
        if (product.columns == 0)
            columns = factor.hasRank() && factor.rank() < 2
                          ? reasons::unsupportedRank(product.b, factor, "2")
                          : reasons::unknownShape(product.b, factor);
        else if (!row && !memory && view.constant(product.c))
            columns = reasons::parameterShape(product.c, view.shape(product.c), product.columns);
        conditions.check("condition.columns", std::move(columns));
        conditions.check("condition.growth",
                         memory ? std::move(memory) : growth(context, product));
        const auto by = conditions.allHold() ? scaleShiftOf(view, node) : std::nullopt;
        if (by) {
            const Tensor& weight = *view.constant(product.b);
            auto wrong = columnsStayFinite(weight, product.transB, by->scale, root,
                                           Digits::ofTheLargest);
            if (!wrong)
                wrong = rowStaysFinite(weight.dtype(), *row, foldedRow(*row, *by), root);
            conditions.check("condition.finite", std::move(wrong));
        }
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {product.id, root});
        Match match;
        match.root = root;
        match.nodes = {{"product", product.id}, {"bn", root}};
        match.title = Message("title.fold-into", {{"node", root}, {"conv", product.id}});
        const std::array readers{product.id};
        remarkConstant(context, product.b, readers, match.remarks);
        if (product.c)
            remarkConstant(context, product.c, readers, match.remarks);
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Product product = *productAt(view, match.node("product"));
        const Node& batchnorm = *view.node(match.root);
        const auto by = *scaleShiftOf(view, batchnorm);
        const TensorPtr weight = view.constant(product.b);
        const std::vector<double> row = foldedRow(*rowOf(view, product), by);
        const BodyId body = product.node->body;
        const ValueId b = builder.addConstant(body, foldedName(view, product.b),
                                              scaledColumns(*weight, product.transB, by.scale));
        const ValueId c = builder.addConstant(
            body, product.c ? foldedName(view, product.c) : foldedName(view, product.b, "_bias"),
            vectorOf(weight->dtype(), row));
        replaceByGemm(builder, product.id, match.root, b, c);
        return {};
    }

private:
    static std::vector<double> foldedRow(std::vector<double> row, const ScaleShift& by)
    {
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] = row[c] * by.scale[c] + by.shift[c];
        return row;
    }

    // With more axes the channel is a row of each matrix, not a column.
    static std::optional<Reason> columnsAreChannels(const GraphView& view, const Product& product,
                                                    NodeId root)
    {
        const Shape& shape = view.shape(product.output);
        if (!shape.hasRank())
            return reasons::unknownShape(product.output, shape);
        if (shape.rank() != 2)
            return reasons::axisMismatch(root, 1, static_cast<std::int64_t>(shape.rank()) - 1);
        // A vector times a stack of matrices has two axes too.
        for (const ValueId operand : {product.a, product.b}) {
            const Shape& own = view.shape(operand);
            if (!own.hasRank())
                return reasons::unknownShape(operand, own);
            if (own.rank() != 2)
                return reasons::unsupportedRank(operand, own, "2");
        }
        return std::nullopt;
    }

    static std::optional<Reason> growth(const MatchContext& context, const Product& product)
    {
        const std::array readers{product.id};
        std::int64_t bytes = copyBytes(context.view, product.b, readers);
        if (product.c)
            bytes += copyBytes(context.view, product.c, readers);
        return withinGrowth(context, product.b, bytes);
    }
};

} // namespace

const FusionPattern& patterns::gemmBatchnorm()
{
    static const GemmBatchnorm pattern;
    return pattern;
}

} // namespace fusescope
