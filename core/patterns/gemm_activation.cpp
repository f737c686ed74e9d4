#include "patterns/activation.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/product.h"
#include "patterns/region_support.h"

#include <array>

//   a ─ Gemm(B, C) ─ Relu ─ y
//   a ─ region{ Gemm, Relu } ─ y
//
// The activation directly follows a Gemm, a MatMul, or the region of a MatMul and its Add, and
// alone reads it. Its parameters are constants. An activation written out that is a region already
// is swallowed with its nodes.
namespace fusescope {

namespace {

class GemmActivation final : public FusionPattern
{
public:
    RuleId rule() const override { return "gemm-activation"; }
    std::span<const std::string_view> rootTypes() const override { return activationTypes(); }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& node = *view.node(root);
        const ValueId data = activationData(view, node);
        if (!data)
            return NotCandidate{};
        const auto found = findProducer(view, root, data, [&](NodeId id, const Node&) {
            return isProductOrRegion(view, id);
        });
        if (!found || !isNearby(view, *found))
            return NotCandidate{};
        const NodeId product = found->node;
        Conditions conditions(context, rule(), root);
        checkDirect(conditions, *found, root);
        conditions.check("condition.same-scope", sameScope(context, product, root));
        checkActivation(conditions, root);
        conditions.checkSingleReader(found->value, found->reader);
        const std::array nodes{product, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return missBehind(std::move(conditions), !found->isDirect(), {product, root});
        Match match;
        match.root = root;
        match.nodes = {{"product", product}, {"activation", root}};
        match.title = Message("title.fuse", {{"first", product}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const NodeId product = match.node("product");
        auto roles = rolesOf(view, product, Role::main);
        const auto more = rolesOf(view, match.root, Role::activation);
        roles.insert(roles.end(), more.begin(), more.end());
        builder.makeRegion("gemm-activation", {product, match.root}, roles);
        return {};
    }
};

} // namespace

const FusionPattern& patterns::gemmActivation()
{
    static const GemmActivation pattern;
    return pattern;
}

} // namespace fusescope
