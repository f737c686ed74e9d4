#include "patterns/batchnorm.h"
#include "patterns/fold.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"

#include <array>

//   x ─ Conv(W, B) ─ BatchNormalization(γ, β, μ, σ²) ─ y
//   x ─ Conv(W·s, (B − μ)·s + β) ─ y            with s = γ / √(σ² + ε), per output channel
//
// The Conv stands directly before the data input of an inference BatchNormalization, all weights and
// parameters are constants with one element a channel, nothing else reads what is between, and the
// folded numbers are finite. Groups, pads, strides, rank and a shared weight do not matter.
// convtranspose-batchnorm is the same with the channels on axis 1 of W, cut into groups.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> rootOperators = {"BatchNormalization"};

// Whether the input leads to one of the partners that another rule folds into.
bool leadsTo(const GraphView& view, NodeId root, ValueId value,
             std::span<const std::string_view> types)
{
    const auto accept = [&](NodeId, const Node& node) {
        for (const std::string_view type : types) {
            if (node.is(type))
                return true;
        }
        return false;
    };
    return findProducer(view, root, value, accept).has_value();
}

class ConvBatchnorm final : public FusionPattern
{
public:
    explicit ConvBatchnorm(bool transposed) : m_transposed(transposed) {}

    RuleId rule() const override
    {
        return m_transposed ? "convtranspose-batchnorm" : "conv-batchnorm";
    }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        if (node.region || node.inputs.size() < 5 || !node.output(0))
            return NotCandidate{};
        auto found = findConvolution(view, root, node.input(0),
                                     m_transposed ? ConvolutionKind::transposed
                                                  : ConvolutionKind::conv);
        if (found && found->inRegion && mainOperator(view, found->found.node)->residual)
            found.reset(); // it reads an Add, not a convolution
        Conditions conditions(context, rule(), root);
        if (!node.op.isStandard()) {
            if (!found || !found->found.isDirect())
                return NotCandidate{};
            conditions.check("condition.standard-domain", standardDomain(context, root));
            return std::move(conditions).miss(2, {found->conv.id, root});
        }
        if (!found)
            return m_transposed ? MatchResult(NotCandidate{}) : alone(conditions, root, node);
        return withConvolution(conditions, *found, root, node);
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId root = match.node("bn");
        const auto by = scaleShiftOf(view, *view.node(root));
        foldInto(builder, match.node("conv"), root, {by->scale, by->shift});
        return {};
    }

private:
    // No convolution in sight: what the BatchNormalization reads instead.
    MatchResult alone(Conditions& conditions, NodeId root, const Node& node) const
    {
        constexpr std::array<std::string_view, 3> others = {"ConvTranspose", "Gemm", "MatMul"};
        const MatchContext& context = conditions.context();
        const GraphView& view = context.view;
        if (leadsTo(view, root, node.input(0), others))
            return NotCandidate{};
        for (std::size_t i = 1; i < 5; ++i) {
            const auto maker =
                findConvolution(view, root, node.input(i), ConvolutionKind::conv);
            if (maker)
                conditions.check("condition.data-input",
                                 reasons::wrongOperand(maker->conv.id, root, i));
        }
        conditions.check("condition.partner", noPartner(context, root, node.input(0)));
        const NodeId data = view.producer(node.input(0));
        const auto constants = checkBatchnorm(conditions, root, data, data, 0);
        conditions.checkConstants("condition.constant-parameters", constants);
        return std::move(conditions).miss(1, {root});
    }

    MatchResult withConvolution(Conditions& conditions, const FoundConvolution& found, NodeId root,
                                const Node& node) const
    {
        const MatchContext& context = conditions.context();
        const GraphView& view = context.view;
        const Convolution& conv = found.conv;
        const auto constants =
            checkBatchnorm(conditions, root, found.found.node, conv.id, conv.channels);
        checkFoldable(conditions, found, root, constants);
        auto growth = foldMemory(context, conv.weight, conv.channels);
        auto by = growth || !conditions.allHold() ? std::nullopt : scaleShiftOf(view, node);
        const bool weightChanges = !by || ChannelScale{by->scale, by->shift}.changesWeight();
        conditions.check("condition.growth",
                         growth ? std::move(growth) : foldGrowth(context, conv, weightChanges));
        if (!conditions.allHold())
            by.reset();
        if (!by && conditions.allHold())
            conditions.check("condition.parameter-shapes",
                             reasons::parameterShape(node.input(1), view.shape(node.input(1)),
                                                     conv.channels));
        if (by)
            conditions.check("condition.finite",
                             staysFinite(context, conv, {by->scale, by->shift}, root,
                                         Digits::ofTheLargest));
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {conv.id, root});
        Match match;
        match.root = root;
        match.nodes = {{"conv", conv.id}, {"bn", root}};
        match.title = Message("title.fold-into", {{"node", root}, {"conv", conv.id}});
        remarkFold(context, conv, weightChanges, match.remarks);
        return match;
    }

    bool m_transposed;
};

} // namespace

const FusionPattern& patterns::convBatchnorm()
{
    static const ConvBatchnorm pattern(false);
    return pattern;
}

const FusionPattern& patterns::convtransposeBatchnorm()
{
    static const ConvBatchnorm pattern(true);
    return pattern;
}

} // namespace fusescope
