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
// Max(x, a) is Clip(a, ∞) and Min(x, b) is Clip(−∞, b): two of a kind are one of that kind. The
// second alone reads the first, every bound is a constant of one number that adds no axis and none
// is NaN, and every low is at most every high. With a Relu the type is one of floats. NaN comes
// through each of them; of −0 and +0, which are equal, ONNX says for none which one comes out.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 4> roots = {"Clip", "Relu", "Max", "Min"};
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

bool isExtreme(const Node& node)
{
    return node.is("Max") || node.is("Min");
}

// The input that is kept between bounds: of a Max or Min the one beside a constant; no id where a
// node is none of these.
ValueId dataOf(const GraphView& view, const Node* node)
{
    if (!node || !node->output(0))
        return {};
    if (node->is("Clip") || node->is("Relu"))
        return node->input(0);
    if (!isExtreme(*node) || node->inputs.size() != 2)
        return {};
    for (const std::size_t constant : {std::size_t{1}, std::size_t{0}}) {
        if (countsAsConstant(view, node->input(constant)))
            return node->input(1 - constant);
    }
    return {};
}

Bound givenBound(const GraphView& view, ValueId id, double none)
{
    const auto number = scalarConstant(view, id);
    const TensorPtr tensor = number ? view.constant(id) : nullptr;
    return Bound{number.value_or(none), id,
                 tensor && isInteger(tensor->dtype()) ? tensor : nullptr};
}

Bounds boundsOf(const GraphView& view, const Node& node)
{
    if (node.is("Relu"))
        return {{0.0, {}, {}}, {infinity, {}, {}}};
    if (isExtreme(node)) {
        const ValueId data = dataOf(view, &node);
        const ValueId id = node.input(0) == data ? node.input(1) : node.input(0);
        Bounds bounds;
        (node.is("Max") ? bounds.low : bounds.high) =
            givenBound(view, id, node.is("Max") ? -infinity : infinity);
        return bounds;
    }
    const int version = view.sinceVersion(node);
    const ClipBounds own = clipBounds(node.attributes, version, view.dtype(node.input(0)));
    if (version < 11)
        return {{own.low, {}, {}}, {own.high, {}, {}}};
    return {givenBound(view, node.input(1), own.low), givenBound(view, node.input(2), own.high)};
}

struct Chain
{
    NodeId first, last;
    ValueId data, between;
    Bounds a, b;
    bool hasClip = false, hasExtreme = false;

    Bounds merged() const
    {
        return {isBelow(a.low, b.low) ? b.low : a.low, isBelow(b.high, a.high) ? b.high : a.high};
    }
};

std::optional<Chain> chainAt(const GraphView& view, NodeId root)
{
    const Node* last = view.node(root);
    const ValueId between = dataOf(view, last);
    const NodeId first = view.producer(between);
    const Node* inner = view.node(first);
    const ValueId data = between ? dataOf(view, inner) : ValueId{};
    if (!data)
        return std::nullopt;
    return Chain{first,
                 root,
                 data,
                 between,
                 boundsOf(view, *inner),
                 boundsOf(view, *last),
                 inner->is("Clip") || last->is("Clip"),
                 isExtreme(*inner) || isExtreme(*last)};
}

// The operator that stands for both: one that has a single bound, where no Clip asks for its
// limits.
const char* operatorOf(const Chain& chain)
{
    const Bounds bounds = chain.merged();
    if (bounds.low.value == 0.0 && bounds.high.value == infinity && !bounds.low.id)
        return "Relu";
    if (!chain.hasClip && bounds.high.value == infinity && !bounds.high.id)
        return "Max";
    if (!chain.hasClip && bounds.low.value == -infinity && !bounds.low.id)
        return "Min";
    return "Clip";
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
        const bool toClip = std::string_view(operatorOf(*chain)) == "Clip";
        Conditions conditions(context, rule(), root);
        conditions.check("condition.same-scope", sameScope(context, chain->first, root));
        std::vector<Reason> versions;
        for (const NodeId id : {chain->first, root}) {
            constexpr std::array known{6, 8, 11, 12, 13, 14};
            if (auto failure = knownVersion(context, id, known))
                versions.push_back(std::move(*failure));
        }
        conditions.check("condition.version", std::move(versions));
        if (first.is("Relu") || last.is("Relu")) {
            constexpr std::array floats{DType::float32, DType::float64, DType::float16,
                                        DType::bfloat16};
            conditions.check("condition.float-type", hasType(context, chain->data, floats));
        }
        if (toClip && chain->hasExtreme && view.opset(last) < 12) {
            // Before 12 Clip takes floats alone, before 11 its bounds are of float32.
            constexpr std::array floats{DType::float32, DType::float16, DType::float64};
            conditions.check("condition.float-type",
                             hasType(context, chain->data,
                                     std::span(floats).first(view.opset(last) < 11 ? 2 : 3)));
        }
        checkBounds(conditions, *chain);
        conditions.checkSingleReader(chain->between, root);
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
        const DType type = view.dtype(chain.data);
        const std::int64_t opset = view.opset(*view.node(match.root));
        const ClipBounds none = clipBounds({}, static_cast<int>(opset), type);
        const BodyId body = first.body;
        Node node;
        node.inputs = {chain.data};
        node.op.type = operatorOf(chain);
        if (node.op.type == "Relu") {
            replaceFormula(builder, match, std::move(node));
            return {};
        }
        if (node.op.type == "Clip" && opset < 11) {
            if (bounds.low.value != none.low)
                node.attributes.set(Attribute("min", static_cast<float>(bounds.low.value)));
            if (bounds.high.value != none.high)
                node.attributes.set(Attribute("max", static_cast<float>(bounds.high.value)));
        } else {
            const bool toClip = node.op.type == "Clip";
            const auto given = [&](const Bound& bound, double otherwise, const char* name) {
                if (!bound.id && bound.value == otherwise)
                    return ValueId{};
                const TensorPtr own = bound.id ? view.constant(bound.id) : nullptr;
                if (own && (own->rank() == 0 || !toClip))
                    return bound.id;
                Tensor number = own ? own->reshaped({}) : Tensor::allocate(type, {});
                if (!own)
                    number.store(0, bound.value);
                return builder.addConstant(body, name, std::move(number));
            };
            const ValueId low = given(bounds.low, toClip ? none.low : -infinity, "clip_low");
            const ValueId high = given(bounds.high, toClip ? none.high : infinity, "clip_high");
            if (low || (high && toClip))
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
        std::optional<Reason> several, enlarging, disordered;
        for (const ValueId id : constants) {
            const TensorPtr tensor = id ? view.constant(id) : nullptr;
            if (tensor && tensor->elementCount() != 1)
                several = reasons::notOneNumber(id, Shape::ofSizes(tensor->shape()));
            if (tensor && chain.hasExtreme && tensor->elementCount() == 1 && !enlarging)
                enlarging = addsAxes(view, id, chain.data);
        }
        conditions.check("condition.scalar-bounds", std::move(several));
        conditions.check("condition.no-more-axes", std::move(enlarging));
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
