#include "passes/rule_support.h"
#include "passes/rules.h"

#include "model/schema.h"
#include "patterns/reasons.h"

#include <algorithm>

namespace fusescope {

namespace {

// before:  y, indices = MaxPool(x), nobody reads indices      after:  y = MaxPool(x)
//
// Optional outputs that nobody reads. Kept: those of a BatchNormalization and of a Dropout, whose
// number tells its mode in some versions; required and variadic ones; the outputs of what owns a
// body, which are tied to those of the body.
class RemoveOutputs final : public Pass
{
public:
    RuleId rule() const override { return "remove-outputs"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

PassAnswer RemoveOutputs::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (node->outputs.size() < 2 || !node->bodies.empty() || node->region || !node->output(0) ||
        node->is("BatchNormalization") || node->is("Dropout"))
        return {};
    const OpSchema* schema = view.graph().schema(*node);
    if (!schema)
        return {};
    std::vector<ValueId> outputs = node->outputs;
    std::int64_t dropped = 0;
    bool used = false;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const FormalParameter* parameter = schema->output(i);
        const bool read = outputs[i] && !view.uses(outputs[i]).empty();
        used = used || read;
        if (read || !outputs[i] || !parameter || parameter->option != ParamOption::optional ||
            context.match.policy.pinnedValues.count(outputs[i]) > 0)
            continue;
        outputs[i] = {};
        ++dropped;
    }
    // What nobody reads at all goes as a whole.
    if (dropped == 0 || !used)
        return {};
    if (isPinned(context, root))
        return missAt(rule(), root, reasons::pinned(root));
    while (!outputs.empty() && !outputs.back())
        outputs.pop_back();
    Offer offer;
    offer.root = root;
    offer.title = Message("title.remove-outputs", {{"count", dropped}, {"node", root}});
    offer.nodes = {root};
    offer.build = [root, outputs](PatchBuilder& builder) -> Result<void> {
        builder.editNode(root, [&outputs](Node& n) { n.outputs = outputs; });
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> removeOutputsRule()
{
    return std::make_unique<RemoveOutputs>();
}

} // namespace fusescope
