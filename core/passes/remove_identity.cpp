#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/reasons.h"

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Identity"};

// before:  q = Relu(x); y = Identity(q); z = Op(y)      after:  q = Relu(x); z = Op(q)
//
// Kept where a public name would change: from an input or an initializer to an output, a second
// output of one value, a body's output that comes from outside.
class RemoveIdentity final : public Pass
{
public:
    RuleId rule() const override { return "remove-identity"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    PassAnswer examine(const PassContext& context, NodeId root) const override
    {
        const GraphView& view = context.match.view;
        const Node* node = view.node(root);
        if (!node->is("Identity") || !node->input(0) || !node->output(0))
            return {};
        if (isPinned(context, root))
            return missAt(rule(), root, reasons::pinned(root));
        if (auto reason = cannotBypass(context, node->output(0), node->input(0)))
            return missAt(rule(), root, std::move(*reason));
        Offer offer;
        offer.root = root;
        offer.title = Message("title.remove-identity", {{"node", root}});
        offer.nodes = {root};
        offer.build = [root, from = node->output(0),
                       to = node->input(0)](PatchBuilder& builder) -> Result<void> {
            bypass(builder, root, from, to);
            return {};
        };
        return offer;
    }
};

} // namespace

std::unique_ptr<const Pass> removeIdentityRule()
{
    return std::make_unique<RemoveIdentity>();
}

} // namespace fusescope
