#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"

#include "ops/activation/clip_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

//   x ─ Clip(a, b) ─ Clip(c, d) ─ y
//   x ─ Clip(max(a, c), min(b, d)) ─ y          Relu is Clip(0, ∞), which no Clip by default is
//
// The second alone reads the first, every bound is a constant of one number and none is NaN, and
// every low is at most every high. With a Relu the type is one of floats.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 2> roots = {"Clip", "Relu"};
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Bound
{
    double value = 0;
    ValueId id;         // none: an attribute, a Relu's zero, or no bound
    TensorPtr integer;  // its contents, where they are an integer
};

struct Bounds
{
    Bound low{-infinity, {}, {}}, high{infinity, {}, {}};
};

// Integers are compared as they are: 2^53 and 2^53 + 1 are one double.
bool isBelow(const Bound& a, const Bound& b)
{
    if (!a.integer || !b.integer)
        return a.value < b.value;
    if (a.integer->dtype() == DType::uint64 && b.integer->dtype() == DType::uint64)
        return a.integer->load<std::uint64_t>(0) < b.integer->load<std::uint64_t>(0);
    return a.integer->asInt(0) < b.integer->asInt(0);
}

bool isClipOrRelu(const Node* node)
{
    return node && (node->is("Clip") || node->is("Relu")) && node->input(0) && node->output(0);
}

Bounds boundsOf(const GraphView& view, const Node& node)
{
    if (node.is("Relu"))
        return {{0.0, {}, {}}, {infinity, {}, {}}};
    const int version = view.sinceVersion(node);
    const ClipBounds own = clipBounds(node.attributes, version, view.dtype(node.input(0)));
    if (version < 11)
        return {{own.low, {}, {}}, {own.high, {}, {}}};
    const auto bound = [&](std::size_t input, double none) {
        const ValueId id = node.input(input);
        const auto number = scalarConstant(view, id);
        const TensorPtr tensor = number ? view.constant(id) : nullptr;
        return Bound{number.value_or(none), id,
                     tensor && isInteger(tensor->dtype()) ? tensor : nullptr};
    };
    return {bound(1, own.low), bound(2, own.high)};
}

struct Chain
{
    NodeId first, last;
    Bounds a, b;

    Bounds merged() const
    {
        return {isBelow(a.low, b.low) ? b.low : a.low, isBelow(b.high, a.high) ? b.high : a.high};
    }
};

std::optional<Chain> chainAt(const GraphView& view, NodeId root)
{
    const Node* last = view.node(root);
    if (!isClipOrRelu(last))
        return std::nullopt;
    const NodeId first = view.producer(last->input(0));
    const Node* inner = view.node(first);
    if (!isClipOrRelu(inner))
        return std::nullopt;
    return Chain{first, root, boundsOf(view, *inner), boundsOf(view, *last)};
}

class ClipChain final : public FusionPattern
{
public:
    RuleId rule() const override { return "clip-chain"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto chain = chainAt(view, root);
        if (!chain)
            return NotCandidate{};
        const Node& first = *view.node(chain->first);
        const Node& last = *view.node(root);
        Conditions conditions(context, rule(), root);
        conditions.check("condition.same-scope", sameScope(context, chain->first, root));
        std::vector<Reason> versions;
        for (const NodeId id : {chain->first, root}) {
            constexpr std::array known{6, 11, 12, 13, 14};
            if (auto failure = knownVersion(context, id, known))
                versions.push_back(std::move(*failure));
        }
        conditions.check("condition.version", std::move(versions));
        if (first.is("Relu") || last.is("Relu")) {
            constexpr std::array floats{DType::float32, DType::float64, DType::float16,
                                        DType::bfloat16};
            conditions.check("condition.float-type", hasType(context, first.input(0), floats));
        }
        checkBounds(conditions, *chain);
        conditions.checkSingleReader(first.output(0), root);
        const std::array nodes{chain->first, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {chain->first, root});
        Match match;
        match.root = root;
        match.nodes = {{"first", chain->first}, {"last", root}};
        match.title = Message("title.merge-clips", {{"first", chain->first}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Chain chain = *chainAt(view, match.root);
        const Node& first = *view.node(chain.first);
        const Bounds bounds = chain.merged();
        const DType type = view.dtype(first.input(0));
        const std::int64_t opset = view.opset(*view.node(match.root));
        const NodeId clip = first.is("Clip") ? chain.first : chain.last;
        const ClipBounds none = clipBounds({}, view.sinceVersion(*view.node(clip)), type);
        const BodyId body = first.body;
        Node node;
        node.inputs = {first.input(0)};
        node.op.type = "Clip";
        if (bounds.low.value == 0.0 && bounds.high.value == infinity && !bounds.low.id) {
            node.op.type = "Relu";
        } else if (opset < 11) {
            if (bounds.low.value != none.low)
                node.attributes.set(Attribute("min", static_cast<float>(bounds.low.value)));
            if (bounds.high.value != none.high)
                node.attributes.set(Attribute("max", static_cast<float>(bounds.high.value)));
        } else {
            const auto given = [&](const Bound& bound, double otherwise, const char* name) {
                if (bound.id || bound.value == otherwise)
                    return bound.id;
                Tensor number = Tensor::allocate(type, {});
                number.store(0, bound.value);
                return builder.addConstant(body, name, std::move(number));
            };
            const ValueId low = given(bounds.low, none.low, "clip_low");
            const ValueId high = given(bounds.high, none.high, "clip_high");
            if (low || high)
                node.inputs.push_back(low);
            if (high)
                node.inputs.push_back(high);
        }
        replaceFormula(builder, match, std::move(node));
        return {};
    }

private:
    static void checkBounds(Conditions& conditions, const Chain& chain)
    {
        const GraphView& view = conditions.context().view;
        const std::array constants{chain.a.low.id, chain.a.high.id, chain.b.low.id,
                                   chain.b.high.id};
        conditions.checkConstants("condition.constant-bounds", constants);
        std::optional<Reason> several, disordered;
        for (const ValueId id : constants) {
            const TensorPtr tensor = id ? view.constant(id) : nullptr;
            if (tensor && tensor->elementCount() != 1)
                several = reasons::notOneNumber(id, Shape::ofSizes(tensor->shape()));
        }
        conditions.check("condition.scalar-bounds", std::move(several));
        const Bounds merged = chain.merged();
        const std::array all{chain.a.low.value, chain.a.high.value, chain.b.low.value,
                             chain.b.high.value};
        if (std::any_of(all.begin(), all.end(), [](double v) { return std::isnan(v); }))
            disordered = reasons::notANumberBound(chain.last);
        else if (isBelow(merged.high, merged.low))
            disordered = reasons::invertedBounds(chain.last, merged.low.value, merged.high.value);
        conditions.check("condition.ordered-bounds", std::move(disordered));
    }
};

} // namespace

const FusionPattern& patterns::clipChain()
{
    static const ClipChain pattern;
    return pattern;
}

} // namespace fusescope
