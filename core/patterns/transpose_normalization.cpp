#include "ops/axes.h"
#include "patterns/constants.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/walk.h"
#include "patterns/written_norm.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

//   x ─ Transpose{p} ─ region{ mean over the last axes, …, γ, β } ─ Transpose{q} ─ y
//   x ─ region{ mean over the axes where these lie in x, …, γ', β' } ─ y
//
// The two Transposes cancel; between them stands a normalization written out, whose result nothing
// else reads; its means keep their axes, γ and β are constants that vary along one axis at most and
// get the shape that they need in x's order. The first Transpose stays where others read it too.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"Transpose"};

using Axes = std::vector<std::int64_t>;

std::optional<Axes> permutationOf(const GraphView& view, const Node& node)
{
    const std::size_t rank = view.shape(node.input(0)).rank();
    Axes reversed(rank);
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    const Axes perm = node.attributes.getInts("perm").value_or(reversed);
    Axes sorted = perm;
    std::sort(sorted.begin(), sorted.end());
    std::reverse(reversed.begin(), reversed.end());
    return rank > 0 && sorted == reversed ? std::optional(perm) : std::nullopt;
}

// A constant as it must lie to be broadcast to the data before the Transpose.
std::vector<std::int64_t> turnedShape(const Tensor& constant, const Axes& perm)
{
    std::vector<std::int64_t> padded(perm.size() - constant.rank(), 1);
    padded.insert(padded.end(), constant.shape().begin(), constant.shape().end());
    std::vector<std::int64_t> result(perm.size(), 1);
    for (std::size_t i = 0; i < perm.size(); ++i)
        result[static_cast<std::size_t>(perm[i])] = padded[i];
    // Axes in front that are 1 say nothing.
    result.erase(result.begin(), std::find_if(result.begin(), result.end(),
                                              [](std::int64_t size) { return size != 1; }));
    return result;
}

// Whether the elements keep their order when the axes are permuted.
bool variesAlongOneAxis(const Tensor& tensor)
{
    return std::count_if(tensor.shape().begin(), tensor.shape().end(),
                         [](std::int64_t size) { return size != 1; }) <= 1;
}

struct Parts
{
    NodeId first; // the Transpose in front
    NodeId norm;  // the region
    WrittenNorm written; // inside it
    ValueId x;           // of the region, from the Transpose
    Axes perm;
    std::vector<ValueId> parameters; // γ and β, outside
};

std::optional<Parts> partsAt(const GraphView& view, NodeId root)
{
    const Node& last = *view.node(root);
    if (!last.is("Transpose") || !last.output(0))
        return std::nullopt;
    Parts parts;
    parts.norm = view.producer(last.input(0));
    const Node* norm = view.node(parts.norm);
    if (!norm || !norm->region || norm->outputs.size() != 1 ||
        (norm->region->kind != "layer-normalization" && norm->region->kind != "rms-normalization"))
        return std::nullopt;
    const auto written = writtenNormAt(view, view.producer(insideRegion(view, norm->output(0))));
    if (!written || !written->expanded.empty())
        return std::nullopt;
    parts.written = *written;
    parts.x = outsideRegion(view, parts.norm, written->x);
    parts.first = view.producer(parts.x);
    const Node* first = view.node(parts.first);
    const auto q = permutationOf(view, last);
    const auto p = first && first->is("Transpose") ? permutationOf(view, *first) : std::nullopt;
    if (!p || !q || p->size() != q->size())
        return std::nullopt;
    for (std::size_t i = 0; i < q->size(); ++i) {
        if ((*p)[static_cast<std::size_t>((*q)[i])] != static_cast<std::int64_t>(i))
            return std::nullopt;
    }
    parts.perm = *p;
    for (const ValueId parameter : {written->scale, written->shift}) {
        if (parameter)
            parts.parameters.push_back(outsideRegion(view, parts.norm, parameter));
    }
    return parts;
}

class TransposeNormalization final : public FusionPattern
{
public:
    RuleId rule() const override { return "transpose-normalization"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto parts = partsAt(view, root);
        if (!parts)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        conditions.check("condition.same-scope", sameScope(context, parts->first, root));
        conditions.checkSingleReader(view.node(root)->input(0), root);
        conditions.checkConstants("condition.constant-parameters", parts->parameters);
        std::optional<Reason> several;
        std::int64_t bytes = 0;
        for (const ValueId parameter : parts->parameters) {
            const TensorPtr tensor = view.constant(parameter);
            if (!tensor)
                continue;
            bytes += tensor->byteSize();
            if (!variesAlongOneAxis(*tensor) && !several)
                several = reasons::notPerChannel(parameter, Shape::ofSizes(tensor->shape()), -1,
                                                 "[C]");
        }
        conditions.check("condition.per-channel", std::move(several));
        conditions.check("condition.growth", withinGrowth(context, root, bytes));
        const std::array nodes{parts->norm, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(3, {parts->first, parts->norm, root});
        Match match;
        match.root = root;
        match.nodes = {{"first", parts->first}, {"norm", parts->norm}, {"last", root}};
        match.title = Message("title.transpose-normalization",
                              {{"norm", parts->norm}, {"first", parts->first}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Parts parts = *partsAt(view, match.root);
        const Node region = *builder.node(parts.norm);
        const ValueId result = builder.node(match.root)->output(0);
        std::map<NodeId, Role> roleOf(region.region->roles.begin(), region.region->roles.end());
        std::map<ValueId, ValueId> turned{{parts.x, view.node(parts.first)->input(0)}};
        std::vector<NodeId> made;
        std::vector<std::pair<NodeId, Role>> roles;
        for (const NodeId member : builder.dissolveRegion(parts.norm)) {
            Node node = *builder.node(member);
            turn(builder, node, parts.perm, turned);
            for (ValueId& output : node.outputs) {
                const ValueId next = output == region.output(0)
                                         ? result
                                         : builder.addValue(region.body, builder.value(output)->name);
                turned[output] = next;
                output = next;
            }
            node.origins = node.origins.empty() ? std::vector<NodeId>{member} : node.origins;
            builder.removeNode(member);
            made.push_back(builder.addNode(std::move(node)));
            roles.emplace_back(made.back(), roleOf.contains(member) ? roleOf[member] : Role::part);
        }
        builder.removeNode(match.root);
        builder.makeRegion(region.region->kind, made, roles);
        return {};
    }

private:
    // Operands and axes in the order of what stands before the Transpose.
    static void turn(PatchBuilder& builder, Node& node, const Axes& perm,
                     std::map<ValueId, ValueId>& turned)
    {
        const bool reduces = node.is("ReduceMean");
        if (auto axes = node.attributes.getInts("axes"); reduces && axes)
            node.attributes.set({"axes", turnedAxes(*axes, perm)});
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            ValueId& input = node.inputs[i];
            const TensorPtr constant = input ? builder.constant(input) : nullptr;
            if (const auto found = turned.find(input); found != turned.end()) {
                input = found->second;
            } else if (reduces && i == 1 && constant) {
                input = builder.addConstant(
                    node.body, "axes", Tensor::vector(turnedAxes(constant->asInts(), perm)));
            } else if (constant && constant->elementCount() > 1) {
                const ValueId old = input;
                input = builder.addConstant(
                    node.body, builder.value(old)->name + "_turned",
                    constant->reshaped(turnedShape(*constant, perm)));
                turned[old] = input;
            }
        }
    }

    static Axes turnedAxes(const Axes& axes, const Axes& perm)
    {
        const auto rank = static_cast<std::int64_t>(perm.size());
        Axes result;
        for (std::int64_t axis = 0; axis < rank; ++axis) {
            const bool taken = std::any_of(axes.begin(), axes.end(), [&](std::int64_t one) {
                return fromFront(one, rank) == axis;
            });
            if (taken || axes.empty())
                result.push_back(perm[static_cast<std::size_t>(axis)]);
        }
        std::sort(result.begin(), result.end());
        return result;
    }
};

} // namespace

const FusionPattern& patterns::transposeNormalization()
{
    static const TransposeNormalization pattern;
    return pattern;
}

} // namespace fusescope
