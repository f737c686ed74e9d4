#include "passes/rule_support.h"
#include "passes/rules.h"

#include "ops/registry.h"
#include "patterns/constants.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fusescope {

namespace {

// before:  a = Op(x, w1); b = Op(x, w2), w1 and w2 equal      after:  a = Op(x, w1), read in both places
//
// The same operator with the same attributes, bit by bit, and the same operands, in one body:
// constants are the same when their bits are, the operands of what commutes in any order. A name that
// is an output's stays. Kept: random and side-effect nodes, bodies, copies that a fix made, two
// results that both are outputs, and a pair that one node reads (later rules would misread
// Op(c, c)), but for those whose operands each have a role. Not looked for: equals of nodes whose
// operands all have more than 1,024 readers.
class MergeDuplicates final : public Pass
{
public:
    RuleId rule() const override { return "merge-duplicates"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

constexpr std::size_t maxReaders = 1024; // each reader looks at all others: a second would be noticed

// The operand with the fewest readers: an equal node must read it too. Constants may be equal ones
// under another name.
ValueId searchFrom(const GraphView& view, const Node& node)
{
    for (const bool constants : {false, true}) {
        ValueId best;
        std::size_t fewest = maxReaders + 1;
        for (const ValueId input : node.inputs) {
            if (!input || static_cast<bool>(view.constant(input)) != constants)
                continue;
            const std::size_t readers = view.uses(input).size();
            if (readers < fewest) {
                best = input;
                fewest = readers;
            }
        }
        if (best)
            return best;
    }
    return {};
}

bool sameOperands(const GraphView& view, const Node& a, const Node& b)
{
    static constexpr std::array commutes{"Add", "Mul", "And", "Or", "Xor", "Equal"};
    if (a.inputs.size() != b.inputs.size())
        return false;
    bool same = true;
    for (std::size_t i = 0; i < a.inputs.size() && same; ++i)
        same = sameConstant(view, a.inputs[i], b.inputs[i]);
    return same || (a.inputs.size() == 2 && a.op.isStandard() &&
                    std::find(commutes.begin(), commutes.end(), a.op.type) != commutes.end() &&
                    sameConstant(view, a.inputs[0], b.inputs[1]) &&
                    sameConstant(view, a.inputs[1], b.inputs[0]));
}

bool equal(const GraphView& view, const Node& a, const Node& b)
{
    if (a.op != b.op || a.body != b.body || a.outputs.size() != b.outputs.size() ||
        !(a.attributes == b.attributes) || !sameOperands(view, a, b))
        return false;
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        if (!a.outputs[i] != !b.outputs[i])
            return false;
        // Sizes that depend on the data have a symbol for each node; they are equal all the same.
        if (a.outputs[i] && view.dtype(a.outputs[i]) != view.dtype(b.outputs[i]))
            return false;
    }
    return true;
}

// The only node that reads a value, when it may be folded into what makes it: a normalization, scale
// or shift by constants.
NodeId foldableReader(const GraphView& view, ValueId id)
{
    static constexpr std::array kinds{"BatchNormalization", "Mul", "Add", "Sub", "Div"};
    const auto uses = view.uses(id);
    const Node* reader = uses.size() == 1 && uses.front().node ? view.node(uses.front().node)
                                                               : nullptr;
    if (!reader || !reader->op.isStandard() ||
        std::find(kinds.begin(), kinds.end(), reader->op.type) == kinds.end())
        return {};
    for (const ValueId input : reader->inputs) {
        if (input && input != id && !view.constant(input))
            return {};
    }
    return uses.front().node;
}

// Nodes with weights of their own, though equal ones, are merged only where what follows is equal
// too: a BatchNormalization behind one of them could no longer be folded into it.
bool goOnAlike(const GraphView& view, const Node& a, const Node& b)
{
    if (a.inputs == b.inputs || a.outputs.size() != 1)
        return true;
    ValueId first = a.output(0);
    ValueId second = b.output(0);
    for (int depth = 0; depth < 8; ++depth) {
        const NodeId readerOfFirst = foldableReader(view, first);
        const NodeId readerOfSecond = foldableReader(view, second);
        if (!readerOfFirst && !readerOfSecond)
            return true;
        if (!readerOfFirst || !readerOfSecond)
            return false;
        const Node& next = *view.node(readerOfFirst);
        Node other = *view.node(readerOfSecond);
        std::replace(other.inputs.begin(), other.inputs.end(), second, first);
        if (next.op != other.op || !(next.attributes == other.attributes) ||
            next.outputs.size() != 1 || other.outputs.size() != 1 ||
            !sameOperands(view, next, other))
            return false;
        first = next.output(0);
        second = other.output(0);
    }
    return false;
}

// A fix gave each reader a producer of its own: merging them would take the fix back.
bool wasMadeTwice(NodeId aId, const Node& a, NodeId bId, const Node& b)
{
    const auto has = [](const std::vector<NodeId>& list, NodeId id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    };
    return has(a.origins, bId) || has(b.origins, aId) ||
           (!a.origins.empty() && a.origins == b.origins);
}

// The node that reads both: after merging it would read one value twice, and y = c + c is no sum of
// two terms any more to whoever looks for one. None where each operand has its role.
NodeId readTogether(const GraphView& view, const Node& a, const Node& b)
{
    static constexpr std::array apart{"LSTM", "GRU", "RNN", "Concat"}; // each operand has its role
    const auto mayReadTwice = [&view](NodeId id) {
        const Node* reader = view.node(id);
        return reader->op.isStandard() &&
               std::find(apart.begin(), apart.end(), reader->op.type) != apart.end();
    };
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        for (const Use& first : view.uses(a.outputs[i])) {
            for (const Use& second : view.uses(b.outputs[i])) {
                if (first.node && first.node == second.node && !mayReadTwice(first.node))
                    return first.node;
            }
        }
    }
    return {};
}

// That of the two which must stay, or whose output must.
NodeId pinnedOf(const PassContext& context, NodeId other, NodeId root)
{
    for (const NodeId id : {root, other}) {
        const Node& node = *context.match.view.node(id);
        if (isPinned(context, id) ||
            std::any_of(node.outputs.begin(), node.outputs.end(), [&context](ValueId value) {
                return context.match.policy.pinnedValues.count(value) > 0;
            }))
            return id;
    }
    return {};
}

// An output that both nodes make for their body: each needs a name of its own.
std::optional<std::size_t> bothAreOutputs(const GraphView& view, const Node& a, const Node& b)
{
    const auto isOutput = [&view](ValueId value) {
        const auto uses = view.uses(value);
        return std::any_of(uses.begin(), uses.end(),
                           [](const Use& use) { return use.isBodyOutput(); });
    };
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        if (a.outputs[i] && isOutput(a.outputs[i]) && isOutput(b.outputs[i]))
            return i;
    }
    return std::nullopt;
}

PassAnswer MergeDuplicates::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (!view.graph().schema(*node) || !node->bodies.empty() || node->region || node->is("Constant") ||
        isNonDeterministic(view.graph(), *node) ||
        mayHaveSideEffects(view.graph(), *node))
        return {};
    const ValueId shared = searchFrom(view, *node);
    if (!shared)
        return {};
    std::optional<MissReason> refusal;
    for (const Use& use : view.uses(shared)) {
        if (!use.node || use.node == root)
            continue;
        const Node* other = view.node(use.node);
        if (other->order >= node->order || !equal(view, *other, *node) ||
            wasMadeTwice(use.node, *other, root, *node) || !goOnAlike(view, *other, *node))
            continue;
        if (const NodeId pinned = pinnedOf(context, use.node, root)) {
            if (!refusal)
                refusal = missAt(rule(), root, reasons::pinned(pinned));
            continue;
        }
        if (const NodeId reader = readTogether(view, *other, *node)) {
            if (!refusal)
                refusal = missAt(rule(), root, reasons::readsBoth(root, use.node, reader));
            continue;
        }
        if (const auto i = bothAreOutputs(view, *other, *node)) {
            if (!refusal)
                refusal = missAt(rule(), root,
                                 publicName(other->outputs[*i], node->outputs[*i]));
            continue;
        }
        Offer offer;
        offer.root = root;
        offer.title = Message("title.merge-duplicates", {{"node", root}, {"other", use.node}});
        offer.nodes = {root, use.node};
        offer.build = [root, from = node->outputs,
                       to = other->outputs](PatchBuilder& builder) -> Result<void> {
            builder.removeNode(root);
            for (std::size_t i = 0; i < from.size(); ++i) {
                if (from[i])
                    replaceBy(builder, from[i], to[i]);
            }
            return {};
        };
        return offer;
    }
    if (refusal)
        return std::move(*refusal);
    return {};
}

} // namespace

std::unique_ptr<const Pass> mergeDuplicatesRule()
{
    return std::make_unique<MergeDuplicates>();
}

} // namespace fusescope
