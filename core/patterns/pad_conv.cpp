#include "patterns/constants.h"
#include "patterns/pad.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"

#include <array>

//   x ─ Pad(p, 0) ─ Conv{pads = q} ─ y
//   x ─ Conv{pads = q + p, auto_pad = NOTSET} ─ y
//
// The Pad adds zeros to spatial axes only, none of its amounts is negative, all are constants, and
// the Conv alone reads it, as data. auto_pad=SAME_* is resolved first, which takes known sizes.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> rootOperators = {"Conv"};

std::optional<std::vector<std::int64_t>> kernelOf(const GraphView& view, const Convolution& conv)
{
    if (auto given = conv.node->attributes.getInts("kernel_shape"))
        return given;
    std::vector<std::int64_t> kernel;
    const TensorPtr weight = view.constant(conv.weight);
    const Shape& shape = view.shape(conv.weight);
    for (std::size_t i = 2; i < conv.rank; ++i) {
        const auto size = weight ? weight->shape()[i] : shape[i].constant();
        if (!size)
            return std::nullopt;
        kernel.push_back(*size);
    }
    return conv.rank > 2 ? std::optional(kernel) : std::nullopt;
}

class PadConv final : public FusionPattern
{
public:
    RuleId rule() const override { return "pad-conv"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const auto conv = convolutionAt(view, root);
        if (!conv)
            return NotCandidate{};
        const auto found = findPad(view, root, conv->node->input(0), conv->rank);
        if (!found)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        constexpr std::array known{1, 11, 22};
        conditions.check("condition.version", knownVersion(context, root, known),
                         saw::version(context, root));
        conditions.check("condition.known-attributes", knownAttributes(context, root),
                         saw::attributes(context, root));
        checkPad(conditions, *found, root);
        std::optional<Reason> value;
        if (found->pad.value && *found->pad.value != 0.0)
            value = reasons::paddingValue(found->pad.id, *found->pad.value, root);
        conditions.check("condition.pad-value", std::move(value));
        const auto kernel = kernelOf(view, *conv);
        if (kernel && found->pad.known && kernel->size() + 2 != found->pad.begin.size())
            conditions.check("condition.pad-rank",
                             reasons::unsupportedRank(
                                 conv->node->input(0), view.shape(conv->node->input(0)),
                                 std::to_string(kernel->size() + 2)));
        else if (kernel)
            checkOwnPads(conditions, root, *kernel);
        else
            conditions.check("condition.auto-pad",
                             reasons::unknownShape(conv->weight, view.shape(conv->weight)));
        if (!conditions.allHold())
            return missOfPad(std::move(conditions), *found, root);
        Match match;
        match.root = root;
        match.nodes = {{"pad", found->pad.id}, {"conv", root}};
        match.title = Message("title.merge-pad", {{"pad", found->pad.id}, {"reader", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const auto conv = convolutionAt(view, match.root);
        const auto kernel = kernelOf(view, *conv);
        const auto own = resolvedPads(*conv->node, *kernel,
                                      spatialSizes(view.shape(conv->node->input(0))));
        mergePad(builder, *paddingAt(view, match.node("pad"), conv->rank), match.root, *own);
        return {};
    }
};

} // namespace

const FusionPattern& patterns::padConv()
{
    static const PadConv pattern;
    return pattern;
}

} // namespace fusescope
