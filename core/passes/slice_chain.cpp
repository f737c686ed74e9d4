#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/slices.h"

#include "patterns/conditions.h"
#include "patterns/constants.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Slice"};
constexpr std::size_t maxReaders = 64;

// before:  a = Slice(x, rows); y = Slice(a, columns)      after:  y = Slice(x, rows and columns)
//
// Two Slices by constants, from version 10 on. Along different axes their bounds stand side by side;
// along the same axis the second counts from the start of the first, which must step by 1. Bounds
// below 0 need the size they count from. The first may have several readers as long as each is such
// a Slice: then none needs it in the end.
class SliceChain final : public Pass
{
public:
    RuleId rule() const override { return "slice-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// Both as one; nothing where that needs a size that is not known.
std::optional<std::vector<Cut>> joined(std::vector<Cut> cuts, const std::vector<Cut>& later)
{
    for (const Cut& cut : later) {
        const auto same = std::find_if(cuts.begin(), cuts.end(),
                                       [&cut](const Cut& c) { return c.axis == cut.axis; });
        if (same == cuts.end()) {
            cuts.push_back(cut);
            continue;
        }
        if (same->step != 1 || cut.step < 1 || same->start < 0 || same->end < 0 || cut.start < 0 ||
            cut.end < 0)
            return std::nullopt;
        const auto sum = [](std::int64_t a, std::int64_t b) {
            constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
            return a > most - b ? most : a + b;
        };
        *same = {cut.axis, sum(same->start, cut.start),
                 std::min(same->end, sum(same->start, cut.end)), cut.step};
    }
    return cuts;
}

// Why the bounds of two Slices are not two lists of numbers from the front.
void checkBounds(Conditions& conditions, NodeId firstId, NodeId lastId)
{
    constexpr std::array known{10, 11, 13};
    const MatchContext& context = conditions.context();
    const GraphView& view = context.view;
    std::optional<Reason> old, size;
    std::vector<ValueId> bounds;
    for (const NodeId id : {firstId, lastId}) {
        const Node& node = *view.node(id);
        if (!old)
            old = knownVersion(context, id, known);
        for (std::size_t i = 1; i < node.inputs.size(); ++i)
            bounds.push_back(node.inputs[i]);
    }
    conditions.check("condition.version", std::move(old));
    conditions.checkConstants("condition.constant-bounds", bounds);
    const auto fromTheEnd = [&view](NodeId id) {
        const auto cuts = cutsOf(view, *view.node(id));
        return !cuts || std::any_of(cuts->begin(), cuts->end(),
                                    [](const Cut& c) { return c.start < 0 || c.end < 0; });
    };
    if (conditions.allHold() && !view.shape(view.node(firstId)->input(0)).isStatic() &&
        (fromTheEnd(firstId) || fromTheEnd(lastId)))
        size = reasons::unknownShape(view.node(firstId)->input(0),
                                     view.shape(view.node(firstId)->input(0)));
    conditions.check("condition.constant-bounds", std::move(size));
}

PassAnswer SliceChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!last->is("Slice") || !last->input(0) || !last->output(0))
        return {};
    const NodeId firstId = view.producer(last->input(0));
    const Node* first = view.node(firstId);
    if (!first || !first->is("Slice"))
        return {};
    const auto before = cutsOf(view, *first);
    const auto after = cutsOf(view, *last);
    const auto cuts = before && after ? joined(*before, *after) : std::nullopt;
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.same-scope", sameScope(context.match, firstId, root));
    if (!cuts) {
        checkBounds(conditions, firstId, root);
        return conditions.allHold() ? PassAnswer{}
                                    : PassAnswer(std::move(conditions).miss(2, {firstId, root}));
    }
    // Another reader that stays would make the values be read twice and save no node.
    const ValueId between = last->input(0);
    const auto uses = view.uses(between);
    const bool allJoin =
        uses.size() <= maxReaders && std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
            const Node* reader = use.node ? view.node(use.node) : nullptr;
            if (!reader || reader->body != last->body || use.index != 0 ||
                isPinned(context, use.node))
                return false;
            const auto theirs = cutsOf(view, *reader);
            return theirs && joined(*before, *theirs);
        });
    if (!allJoin)
        conditions.checkSingleReader(between, root);
    const std::array nodes{firstId, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {firstId, root});
    Offer offer;
    offer.root = root;
    offer.nodes = {firstId, root};
    offer.title = Message("title.join-chain", {{"first", firstId}, {"last", root}});
    const DType type = view.dtype(last->input(1));
    offer.build = [root, cuts = *cuts, type, source = first->input(0),
                   body = last->body](PatchBuilder& builder) -> Result<void> {
        const auto constant = [&](const char* name, std::int64_t Cut::*part) {
            Tensor tensor = Tensor::allocate(type, {static_cast<std::int64_t>(cuts.size())});
            const bool narrow = type == DType::int32;
            for (std::size_t i = 0; i < cuts.size(); ++i) {
                std::int64_t number = cuts[i].*part;
                if (narrow)
                    number = std::clamp<std::int64_t>(number,
                                                      std::numeric_limits<std::int32_t>::min(),
                                                      std::numeric_limits<std::int32_t>::max());
                tensor.storeInt(static_cast<std::int64_t>(i), number);
            }
            return builder.addConstant(body, name, std::move(tensor));
        };
        const std::vector<ValueId> inputs{source, constant("starts", &Cut::start),
                                          constant("ends", &Cut::end),
                                          constant("axes", &Cut::axis),
                                          constant("steps", &Cut::step)};
        builder.editNode(root, [&inputs](Node& node) { node.inputs = inputs; });
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> sliceChainRule()
{
    return std::make_unique<SliceChain>();
}

} // namespace fusescope
