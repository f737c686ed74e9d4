#include "patterns/activation.h"
#include "patterns/convolution.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/region_support.h"

#include <array>

//   x ─ Conv(W, B) ─ Relu ─ y
//   x ─ region{ Conv, Relu } ─ y
//
// The activation directly follows a Conv or ConvTranspose, or a region around one that has no activation yet, and
// alone reads it. Its parameters are constants. An activation written out that is a region already
// (silu, …) is swallowed with its nodes.
namespace fusescope {

namespace {

bool isWorthAWord(const FoundConvolution& found)
{
    switch (found.found.kind) {
    case BetweenKind::activation:
    case BetweenKind::none:
        return false;
    case BetweenKind::noop:
    case BetweenKind::shape:
    case BetweenKind::cast:
    case BetweenKind::quantize:
    case BetweenKind::sideEffect:
        break;
    }
    return true;
}

class ConvActivation final : public FusionPattern
{
public:
    RuleId rule() const override { return "conv-activation"; }
    std::span<const std::string_view> rootTypes() const override { return activationTypes(); }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        Conditions conditions(context, rule(), root);
        if (!node.op.isStandard() && !node.region) {
            const auto found = findConvolution(view, root, node.input(0), ConvolutionKind::any);
            if (!found || !found->found.isDirect() || !isActivationType(node.op.type))
                return NotCandidate{};
            conditions.check("condition.standard-domain", standardDomain(context, root));
            return std::move(conditions).miss(2, {found->found.node, root});
        }
        const ValueId data = activationData(view, node);
        const auto found =
            data ? findConvolution(view, root, data, ConvolutionKind::any)
                 : std::optional<FoundConvolution>();
        if (!found || !isWorthAWord(*found))
            return NotCandidate{};
        checkPartner(conditions, *found, root);
        checkActivation(conditions, root);
        conditions.check("condition.same-scope", sameScope(context, found->found.node, root));
        conditions.checkSingleReader(found->found.value, found->found.reader);
        const std::array nodes{found->found.node, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {found->found.node, root});
        Match match;
        match.root = root;
        match.nodes = {{"conv", found->found.node}, {"activation", root}};
        match.title = Message("title.fuse", {{"first", found->found.node}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId conv = match.node("conv");
        auto roles = rolesOf(view, conv, Role::main);
        const auto more = rolesOf(view, match.root, Role::activation);
        roles.insert(roles.end(), more.begin(), more.end());
        const bool residual = static_cast<bool>(mainOperator(view, conv)->residual);
        builder.makeRegion(residual ? "conv-add-activation" : "conv-activation",
                           {conv, match.root}, roles);
        return {};
    }

private:
    static void checkPartner(Conditions& conditions, const FoundConvolution& found, NodeId root)
    {
        const MatchContext& context = conditions.context();
        const GraphView& view = context.view;
        std::optional<Reason> apart;
        if (!found.found.isDirect())
            apart = betweenReason(context, found.found, root);
        conditions.check("condition.partner", std::move(apart), [&] {
            return Message("saw.partner", {{"root", root}, {"node", found.found.node}});
        });
        const auto main = mainOperator(view, found.found.node);
        std::optional<Reason> second;
        if (main && main->activation)
            second = reasons::alreadyHasActivation(main->main, main->activation,
                                                   view.node(main->activation)->op.type);
        conditions.check("condition.no-activation-yet", std::move(second));
    }
};

} // namespace

const FusionPattern& patterns::convActivation()
{
    static const ConvActivation pattern;
    return pattern;
}

} // namespace fusescope
