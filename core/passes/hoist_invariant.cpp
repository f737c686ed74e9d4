#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/reasons.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Loop", "Scan"};

// before:  y, k' = Loop(n, c, x, k){body: (i, go, a, b) => (go, Add(a, b), b)}
// after:   y = Loop(n, c, x){body: (i, go, a) => (go, Add(a, k))}
//
// What a Loop or Scan carries round and gives back as it came, directly or by an Identity, is the
// same at every iteration: the body reads it from outside, and nothing is carried.
class HoistInvariant final : public Pass
{
public:
    RuleId rule() const override { return "hoist-invariant"; }
    Stage stage() const override { return Stage::folding; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// Where the carried values stand in the four lists.
struct Layout
{
    std::size_t count = 0;
    std::size_t nodeInput = 0, bodyInput = 0, bodyOutput = 0;
};

std::optional<Layout> layoutOf(const GraphView& view, const Node& node)
{
    if (node.is("Loop") && node.inputs.size() > 2)
        return Layout{node.inputs.size() - 2, 2, 2, 1};
    if (!node.is("Scan") || view.sinceVersion(node) < 9)
        return std::nullopt;
    const std::int64_t scanned = node.attributes.getInt("num_scan_inputs", 0);
    const auto inputs = static_cast<std::int64_t>(node.inputs.size());
    if (scanned < 0 || scanned >= inputs)
        return std::nullopt;
    return Layout{static_cast<std::size_t>(inputs - scanned), 0, 0, 0};
}

// The value that a body gives back, through Identities.
ValueId behindIdentities(const GraphView& view, ValueId id, BodyId body)
{
    for (int depth = 0; depth < 8; ++depth) {
        const Node* node = view.producerNode(id);
        if (!node || !node->is("Identity") || node->body != body || !node->input(0))
            return id;
        id = node->input(0);
    }
    return id;
}

PassAnswer HoistInvariant::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Graph& graph = view.graph();
    const Node* node = view.node(root);
    const auto layout = layoutOf(view, *node);
    const BodyId inner = node->attributes.getBody("body");
    const Body* body = inner ? graph.body(inner) : nullptr;
    if (!layout || !body || layout->bodyInput + layout->count > body->inputs.size() ||
        layout->bodyOutput + layout->count > body->outputs.size())
        return {};
    // An outer value must not be what a body gives back: its own outputs are made inside.
    const auto isGivenElsewhere = [&](ValueId input, std::size_t at) {
        for (std::size_t i = 0; i < body->outputs.size(); ++i) {
            if (i != at && body->outputs[i] == input)
                return true;
        }
        return false;
    };
    // Something must be left to give.
    const auto given = std::count_if(node->outputs.begin(), node->outputs.end(),
                                     [](ValueId v) { return static_cast<bool>(v); });
    for (std::size_t i = 0; i < layout->count; ++i) {
        const ValueId outer = node->inputs[layout->nodeInput + i];
        const ValueId input = body->inputs[layout->bodyInput + i];
        const ValueId result = body->outputs[layout->bodyOutput + i];
        const ValueId output = node->output(i);
        if (!outer || !input || !result || behindIdentities(view, result, inner) != input ||
            (output && given < 2) || isGivenElsewhere(input, layout->bodyOutput + i))
            continue;
        std::vector<Reason> reasons;
        if (isPinned(context, root))
            reasons.push_back(reasons::pinned(root));
        if (output) {
            if (auto reason = cannotBypass(context, output, outer))
                reasons.push_back(std::move(*reason));
        }
        // An outer value whose producer would take the name of an output of the body.
        const auto uses = output ? view.uses(output) : std::span<const Use>{};
        const bool isPublic = std::any_of(uses.begin(), uses.end(),
                                          [](const Use& use) { return use.isBodyOutput(); });
        if (isPublic && reasons.empty())
            continue;
        if (!reasons.empty()) {
            MissReason miss = missAt(rule(), root, std::move(reasons.front()));
            miss.reasons.insert(miss.reasons.end(), reasons.begin() + 1, reasons.end());
            return miss;
        }
        Offer offer;
        offer.root = root;
        offer.title = Message("title.hoist-invariant", {{"node", root}, {"value", outer}});
        offer.nodes = {root};
        offer.build = [root, inner, i, layout = *layout, outer, input,
                       output](PatchBuilder& builder) -> Result<void> {
            const auto at = [i](std::size_t first) {
                return static_cast<std::ptrdiff_t>(first + i);
            };
            builder.editBody(inner, [&](Body& b) {
                b.outputs.erase(b.outputs.begin() + at(layout.bodyOutput));
                b.inputs.erase(b.inputs.begin() + at(layout.bodyInput));
            });
            builder.rewire(input, outer);
            builder.editValue(input, [](Value& v) { v.isInput = false; });
            if (output)
                builder.rewire(output, outer);
            builder.editNode(root, [&](Node& n) {
                n.inputs.erase(n.inputs.begin() + at(layout.nodeInput));
                if (i < n.outputs.size())
                    n.outputs.erase(n.outputs.begin() + static_cast<std::ptrdiff_t>(i));
            });
            return {};
        };
        return offer;
    }
    return {};
}

} // namespace

std::unique_ptr<const Pass> hoistInvariantRule()
{
    return std::make_unique<HoistInvariant>();
}

} // namespace fusescope
