#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/views.h"

#include "patterns/constants.h"
#include "patterns/proven.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <set>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"If"};
constexpr int deepest = 12;

// before:  y = If(c) {then: Squeeze(x), of rank 2; else: Identity(x), of rank 3}; z = LSTM(Unsqueeze(y))
// after:   c = true
//
// An exporter writes a squeeze of an open size as an If whose branches give different ranks. What
// reads the result in the same body, at every run, takes one rank alone; the branch that gives none
// of that rank makes every run fail that comes through it. Then the condition has the other value in
// every run that ends, and is that constant.
class FoldCondition final : public Pass
{
public:
    RuleId rule() const override { return "fold-condition"; }
    Stage stage() const override { return Stage::folding; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

std::optional<std::int64_t> axesCount(const GraphView& view, const Node& node)
{
    if (const auto axes = node.attributes.getInts("axes"))
        return static_cast<std::int64_t>(axes->size());
    const auto axes = node.input(1) ? integerConstant(view, node.input(1)) : std::nullopt;
    if (!axes)
        return std::nullopt;
    return static_cast<std::int64_t>(axes->size());
}

// The ranks that a value may have; empty: any.
std::set<std::int64_t> ranksOf(const GraphView& view, ValueId id, int depth = 0)
{
    const Value* value = view.value(id);
    if (!value || depth > deepest)
        return {};
    if (value->type.isTensor()) {
        // Not what the file declares: a branch that is said to fail would be taken away.
        if (const Shape shape = provenShape(view, id); shape.hasRank())
            return {static_cast<std::int64_t>(shape.rank())};
    }
    const NodeId maker = view.producer(id);
    const Node* node = view.node(maker);
    if (!node || !node->op.isStandard())
        return {};
    if (node->is("If")) {
        const auto at = std::find(node->outputs.begin(), node->outputs.end(), id);
        const auto index = static_cast<std::size_t>(at - node->outputs.begin());
        std::set<std::int64_t> ranks;
        for (const BodyId branch : node->bodies) {
            const Body* body = view.graph().body(branch);
            const auto given = body && index < body->outputs.size() && body->outputs[index]
                                   ? ranksOf(view, body->outputs[index], depth + 1)
                                   : std::set<std::int64_t>{};
            if (given.empty())
                return {};
            ranks.insert(given.begin(), given.end());
        }
        return ranks;
    }
    const bool same = isUnary(*node) || node->is("Identity");
    std::int64_t shift = 0;
    if (node->is("Unsqueeze") || node->is("Squeeze")) {
        const auto count = axesCount(view, *node);
        if (!count)
            return {};
        shift = node->is("Unsqueeze") ? *count : -*count;
    } else if (!same) {
        return {};
    }
    std::set<std::int64_t> ranks;
    for (const std::int64_t rank : ranksOf(view, node->input(0), depth + 1)) {
        if (rank + shift >= 0)
            ranks.insert(rank + shift);
    }
    return ranks;
}

// The rank that what reads a value at every run of its body asks for, and who asks.
struct Asked
{
    std::int64_t rank = 0;
    NodeId by;
};

std::optional<Asked> askedRank(const GraphView& view, ValueId id, BodyId body, int depth = 0)
{
    if (depth > deepest)
        return std::nullopt;
    for (const Use& use : view.uses(id)) {
        const Node* node = use.node ? view.node(use.node) : nullptr;
        if (!node || node->body != body || !node->op.isStandard())
            continue;
        const bool recurrent = node->is("LSTM") || node->is("GRU") || node->is("RNN");
        if (recurrent && (use.index == 0 || use.index == 5 || use.index == 6))
            return Asked{3, use.node};
        if ((node->is("Conv") || node->is("ConvTranspose")) && use.index == 0) {
            if (const Shape weights = provenShape(view, node->input(1)); weights.hasRank())
                return Asked{static_cast<std::int64_t>(weights.rank()), use.node};
        }
        if (node->is("Gemm") && use.index < 2)
            return Asked{2, use.node};
        if (use.index != 0)
            continue;
        if (node->is("Transpose")) {
            if (const auto perm = node->attributes.getInts("perm"))
                return Asked{static_cast<std::int64_t>(perm->size()), use.node};
            continue;
        }
        std::int64_t shift = 0;
        if (node->is("Unsqueeze") || node->is("Squeeze")) {
            const auto count = axesCount(view, *node);
            if (!count)
                continue;
            shift = node->is("Unsqueeze") ? -*count : *count;
        } else if (!isUnary(*node) && !node->is("Identity")) {
            continue;
        }
        if (auto asked = askedRank(view, node->output(0), body, depth + 1)) {
            asked->rank += shift;
            return asked;
        }
    }
    return std::nullopt;
}

// Whether every run through a branch fails: it gives output `index` in none of the ranks asked for.
bool fails(const GraphView& view, BodyId branch, std::size_t index, std::int64_t rank)
{
    const Body* body = view.graph().body(branch);
    if (!body || index >= body->outputs.size() || !body->outputs[index])
        return false;
    const std::set<std::int64_t> ranks = ranksOf(view, body->outputs[index]);
    return !ranks.empty() && !ranks.contains(rank);
}

PassAnswer FoldCondition::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    const ValueId condition = node->input(0);
    const NodeId maker = condition ? view.producer(condition) : NodeId{};
    // A condition of an outer body may be read where this If does not run.
    if (!node->is("If") || !maker || view.constant(condition) || !view.node(maker) ||
        view.node(maker)->body != node->body || view.node(maker)->outputs.size() != 1)
        return {};
    const BodyId yes = branchOf(view.graph(), *node, "then_branch");
    const BodyId no = branchOf(view.graph(), *node, "else_branch");
    for (std::size_t i = 0; i < node->outputs.size(); ++i) {
        if (!node->outputs[i])
            continue;
        const auto asked = askedRank(view, node->outputs[i], node->body);
        if (!asked)
            continue;
        const bool withoutThen = fails(view, yes, i, asked->rank);
        const bool withoutElse = fails(view, no, i, asked->rank);
        if (withoutThen == withoutElse)
            continue;
        const auto shape = view.shape(condition).staticDims();
        if (!shape || elementCountOf(*shape) != 1)
            continue;
        if (isPinned(context, root) || isPinned(context, maker))
            return missAt(rule(), root, reasons::pinned(isPinned(context, root) ? root : maker));
        Tensor constant = Tensor::allocate(DType::boolean, *shape);
        constant.storeInt(0, withoutElse ? 1 : 0);
        Offer offer;
        offer.root = root;
        offer.title = Message(withoutElse ? TextId("title.fold-condition.then")
                                          : TextId("title.fold-condition.else"),
                              {{"node", root}, {"reader", asked->by}, {"rank", asked->rank}});
        offer.nodes = {root, maker};
        offer.build = [condition, maker, value = std::make_shared<const Tensor>(
                                             std::move(constant))](PatchBuilder& builder)
            -> Result<void> {
            makeConstant(builder, condition, value);
            builder.removeNode(maker);
            return {};
        };
        return offer;
    }
    return {};
}

} // namespace

std::unique_ptr<const Pass> foldConditionRule()
{
    return std::make_unique<FoldCondition>();
}

} // namespace fusescope
