#include "ops/axes.h"
#include "patterns/constants.h"
#include "patterns/fold.h"
#include "patterns/nearby.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

//   x ─┬─ Conv(W1, B1) ─┐
//      └─ Conv(W2, B2) ─┴─ Concat{axis = 1} ─ y
//   x ─ Conv([W1; W2], [B1; B2]) ─ y
//
// All operands of the Concat are Convs of one value, with the same attributes and kernel sizes, no
// groups, constant operands of one type, and no other reader. A missing bias counts as zeros.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> rootOperators = {"Concat"};

struct Parts
{
    std::vector<Convolution> convs;
    std::optional<Found> apart; // the one convolution that another operator follows
};

// All convolutions of one value, but for one at most directly before the Concat.
Parts partsOf(const GraphView& view, NodeId root, const Node& concat)
{
    Parts all;
    std::vector<Convolution>& parts = all.convs;
    for (const ValueId input : concat.inputs) {
        const auto found = findProducer(view, root, input, [&](NodeId id, const Node&) {
            const auto conv = convolutionAt(view, id);
            return conv && !conv->transposed;
        });
        if (!found || !isNearby(view, *found) || (!found->isDirect() && all.apart))
            return {};
        const NodeId id = found->node;
        const auto conv = convolutionAt(view, id);
        if (!found->isDirect())
            all.apart = found;
        parts.push_back(*conv);
        if (conv->node->input(0) != parts.front().node->input(0))
            return {};
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            if (parts[i].id == id)
                return {}; // Concat(c, c)
        }
    }
    return all;
}

std::string listText(const std::vector<std::int64_t>& values)
{
    return fmt::format("[{}]", fmt::join(values, ", "));
}

// The first attribute, or the kernel, in which a part differs from the first one.
std::optional<Reason> sameGeometry(const GraphView& view, const Convolution& first,
                                   const Convolution& part)
{
    const std::size_t axes = first.rank > 2 ? first.rank - 2 : 0;
    for (const std::string_view name : {"strides", "dilations"}) {
        const std::string a = listText(spatialAttribute(*first.node, name, axes));
        const std::string b = listText(spatialAttribute(*part.node, name, axes));
        if (a != b)
            return reasons::unsupportedAttribute(part.id, std::string(name), b, a);
    }
    const TensorPtr a = view.constant(first.weight);
    const TensorPtr b = view.constant(part.weight);
    if (!a || !b)
        return std::nullopt; // the constants say so
    if (auto wrong = fittingWeight(view, part))
        return wrong;
    const bool sameSizes = a->rank() == b->rank() &&
                           std::equal(a->shape().begin() + 1, a->shape().end(),
                                      b->shape().begin() + 1);
    if (!sameSizes)
        return reasons::unsupportedAttribute(part.id, "kernel_shape",
                                             Shape::ofSizes(b->shape()).text(),
                                             Shape::ofSizes(a->shape()).text());
    const std::vector<std::int64_t> kernel(a->shape().begin() + 2, a->shape().end());
    const auto autoPad = [](const Convolution& c) {
        const std::string mode = c.node->attributes.getString("auto_pad", "NOTSET");
        return mode == "VALID" ? std::string("NOTSET") : mode;
    };
    if (autoPad(first) != autoPad(part))
        return reasons::unsupportedAttribute(part.id, "auto_pad", autoPad(part), autoPad(first));
    if (autoPad(first) != "NOTSET")
        return std::nullopt;
    const auto wanted = resolvedPads(*first.node, kernel, {});
    const auto pads = resolvedPads(*part.node, kernel, {});
    if (!wanted || !pads || *wanted != *pads)
        return reasons::unsupportedAttribute(part.id, "pads",
                                             listText(pads.value_or(std::vector<std::int64_t>{})),
                                             listText(wanted.value_or(std::vector<std::int64_t>{})));
    return std::nullopt;
}

class MergeParallelConv final : public FusionPattern
{
public:
    RuleId rule() const override { return "merge-parallel-conv"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& concat = *view.node(root);
        if (!concat.op.isStandard() || concat.inputs.size() < 2)
            return NotCandidate{};
        const auto [parts, apart] = partsOf(view, root, concat);
        if (parts.empty() || (apart && parts.size() < 2))
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        if (apart)
            checkDirect(conditions, *apart, root);
        checkAxis(conditions, root, concat, parts.front());
        std::vector<NodeId> nodes;
        std::vector<ValueId> constants;
        std::vector<Reason> geometry, groups;
        for (const Convolution& part : parts) {
            nodes.push_back(part.id);
            constants.insert(constants.end(), {part.weight, part.bias});
            constexpr std::array known{1, 11, 22};
            conditions.check("condition.version", knownVersion(context, part.id, known),
                             saw::version(context, part.id));
            conditions.check("condition.known-attributes", knownAttributes(context, part.id),
                             saw::attributes(context, part.id));
            conditions.check("condition.same-scope", sameScope(context, part.id, root));
            conditions.checkSingleReader(part.output,
                                         apart && apart->node == part.id ? apart->reader : root);
            if (auto differs = sameGeometry(view, parts.front(), part))
                geometry.push_back(std::move(*differs));
            if (part.group != 1)
                groups.push_back(reasons::unsupportedAttribute(part.id, "group",
                                                               std::to_string(part.group), "1"));
        }
        conditions.checkConstants("condition.constant-weights", constants);
        conditions.check("condition.same-geometry", std::move(geometry));
        conditions.check("condition.group", std::move(groups));
        conditions.check("condition.growth",
                         withinGrowth(context, parts.front().weight,
                                      grownBytes(view, nodes, constants)));
        conditions.check("condition.parameter-shapes", biasShapes(view, parts));
        conditions.check("condition.one-type", oneType(view, parts));
        nodes.push_back(root);
        conditions.checkNotPinned(nodes);
        if (apart)
            return missBehind(std::move(conditions), true, nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(static_cast<int>(nodes.size()), nodes);
        Match match;
        match.root = root;
        for (const Convolution& part : parts) {
            match.nodes.emplace_back("conv", part.id);
        }
        for (const ValueId constant : distinct(constants))
            remarkConstant(context, constant, nodes, match.remarks);
        match.nodes.emplace_back("concat", root);
        match.title = Message("title.merge-parallel",
                              {{"count", static_cast<std::int64_t>(parts.size())},
                               {"concat", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Node concat = *view.node(match.root);
        const auto parts = partsOf(view, match.root, concat).convs;
        const Convolution& first = parts.front();
        const bool biased = std::any_of(parts.begin(), parts.end(),
                                        [](const Convolution& c) { return bool(c.bias); });
        const BodyId body = concat.body;
        const ValueId weight = builder.addConstant(body, foldedName(view, first.weight, "_merged"),
                                                   stacked(view, parts));
        Node merged = *first.node;
        merged.origins.clear();
        merged.inputs = {first.node->input(0), weight};
        if (biased)
            merged.inputs.push_back(builder.addConstant(
                body, foldedName(view, first.weight, "_merged_bias"), stackedBias(view, parts)));
        merged.outputs = {concat.output(0)};
        merged.name = concat.name;
        for (const Convolution& part : parts)
            builder.removeNode(part.id);
        builder.removeNode(match.root);
        builder.addNode(std::move(merged));
        return {};
    }

private:
    static std::vector<ValueId> distinct(std::vector<ValueId> values)
    {
        std::vector<ValueId> result;
        for (const ValueId value : values) {
            if (value && std::find(result.begin(), result.end(), value) == result.end())
                result.push_back(value);
        }
        return result;
    }

    // What the stacked constants take, but for those that go: nobody but the parts reads them.
    static std::int64_t grownBytes(const GraphView& view, std::span<const NodeId> parts,
                                   const std::vector<ValueId>& constants)
    {
        std::int64_t bytes = 0;
        for (const ValueId constant : constants) {
            const TensorPtr tensor = view.constant(constant);
            bytes += tensor ? tensor->byteSize() : 0;
        }
        for (const ValueId constant : distinct(constants)) {
            const TensorPtr tensor = view.constant(constant);
            if (tensor && copyBytes(view, constant, parts) == 0)
                bytes -= tensor->byteSize();
        }
        return std::max<std::int64_t>(bytes, 0);
    }

    static void checkAxis(Conditions& conditions, NodeId root, const Node& concat,
                          const Convolution& first)
    {
        const std::int64_t axis = fromFront(concat.attributes.getInt("axis", 1),
                                            static_cast<std::int64_t>(first.rank));
        std::optional<Reason> wrong;
        if (axis != 1)
            wrong = reasons::axisMismatch(root, axis, 1);
        conditions.check("condition.channel-axis", std::move(wrong));
    }

    static std::vector<Reason> biasShapes(const GraphView& view,
                                          const std::vector<Convolution>& parts)
    {
        std::vector<Reason> wrong;
        for (const Convolution& part : parts) {
            const TensorPtr bias = part.bias ? view.constant(part.bias) : nullptr;
            if (bias && part.channels > 0 &&
                bias->shape() != std::vector<std::int64_t>{part.channels})
                wrong.push_back(reasons::parameterShape(part.bias, Shape::ofSizes(bias->shape()),
                                                        part.channels));
        }
        return wrong;
    }

    static std::optional<Reason> oneType(const GraphView& view,
                                         const std::vector<Convolution>& parts)
    {
        const TensorPtr first = view.constant(parts.front().weight);
        for (const Convolution& part : parts) {
            const TensorPtr weight = view.constant(part.weight);
            if (first && weight && first->dtype() != weight->dtype())
                return reasons::mixedTypes(parts.front().weight, first->dtype(), part.weight,
                                           weight->dtype());
        }
        return std::nullopt;
    }

    static Tensor stacked(const GraphView& view, const std::vector<Convolution>& parts)
    {
        const TensorPtr first = view.constant(parts.front().weight);
        std::vector<std::int64_t> shape = first->shape();
        shape[0] = 0;
        for (const Convolution& part : parts)
            shape[0] += part.channels;
        Tensor result = Tensor::allocate(first->dtype(), shape);
        std::byte* to = result.mutableData();
        for (const Convolution& part : parts) {
            const Tensor weight = view.constant(part.weight)->materialized();
            to = std::copy_n(weight.data(), weight.byteSize(), to);
        }
        return result;
    }

    static Tensor stackedBias(const GraphView& view, const std::vector<Convolution>& parts)
    {
        std::vector<double> values;
        for (const Convolution& part : parts) {
            if (part.bias) {
                const auto bias = channelValues(*view.constant(part.bias), part.channels);
                values.insert(values.end(), bias.begin(), bias.end());
            } else {
                values.insert(values.end(), static_cast<std::size_t>(part.channels), 0.0);
            }
        }
        return vectorOf(view.constant(parts.front().weight)->dtype(), values);
    }
};

} // namespace

const FusionPattern& patterns::mergeParallelConv()
{
    static const MergeParallelConv pattern;
    return pattern;
}

} // namespace fusescope
