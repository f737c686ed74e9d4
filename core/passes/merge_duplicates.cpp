#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/registry.h"

namespace fusescope {

namespace {

// before:  a = Op(x, w); b = Op(x, w)      after:  a = Op(x, w), read in both places
//
// The same operator with the same attributes, bit by bit, and the same operands, in one body. Kept:
// random and side-effect nodes, bodies, and a pair that one Add or Mul reads as its two operands
// (later rules would misread Op(c, c)).
class MergeDuplicates final : public Pass
{
public:
    RuleId rule() const override { return "merge-duplicates"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

constexpr std::size_t maxReaders = 64; // a constant that many read is no place to search

// The operand with the fewest readers: an equal node must read it too.
ValueId searchFrom(const GraphView& view, const Node& node)
{
    ValueId best;
    std::size_t fewest = maxReaders + 1;
    for (const ValueId input : node.inputs) {
        const std::size_t readers = input ? view.uses(input).size() : fewest;
        if (readers < fewest) {
            best = input;
            fewest = readers;
        }
    }
    return best;
}

bool equal(const GraphView& view, const Node& a, const Node& b)
{
    if (a.op != b.op || a.body != b.body || a.inputs != b.inputs ||
        a.outputs.size() != b.outputs.size() || !(a.attributes == b.attributes))
        return false;
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        if (!a.outputs[i] != !b.outputs[i])
            return false;
        if (a.outputs[i] && !(view.type(a.outputs[i]) == view.type(b.outputs[i])))
            return false;
    }
    return true;
}

bool readTogether(const GraphView& view, const Node& a, const Node& b)
{
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        for (const Use& first : view.uses(a.outputs[i])) {
            for (const Use& second : view.uses(b.outputs[i])) {
                if (first.node && first.node == second.node)
                    return true;
            }
        }
    }
    return false;
}

PassAnswer MergeDuplicates::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (!view.graph().schema(*node) || !node->bodies.empty() || node->region || node->is("Constant") ||
        isPinned(context, root) || isNonDeterministic(view.graph(), *node) ||
        mayHaveSideEffects(view.graph(), *node))
        return {};
    const ValueId shared = searchFrom(view, *node);
    if (!shared)
        return {};
    for (const Use& use : view.uses(shared)) {
        if (!use.node || use.node == root)
            continue;
        const Node* other = view.node(use.node);
        if (other->order >= node->order || !equal(view, *other, *node) ||
            isPinned(context, use.node) || readTogether(view, *other, *node))
            continue;
        // Of two model outputs each needs a node of its own.
        const bool bothPublic = view.graph().isBodyOutput(node->output(0));
        if (bothPublic)
            continue;
        Offer offer;
        offer.root = root;
        offer.title = Message("title.merge-duplicates", {{"node", root}, {"other", use.node}});
        offer.nodes = {root, use.node};
        offer.build = [root, from = node->outputs,
                       to = other->outputs](PatchBuilder& builder) -> Result<void> {
            for (std::size_t i = 0; i < from.size(); ++i) {
                if (from[i])
                    builder.rewire(from[i], to[i]);
            }
            builder.removeNode(root);
            return {};
        };
        return offer;
    }
    return {};
}

} // namespace

std::unique_ptr<const Pass> mergeDuplicatesRule()
{
    return std::make_unique<MergeDuplicates>();
}

} // namespace fusescope
