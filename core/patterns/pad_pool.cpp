#include "patterns/activation.h"
#include "patterns/constants.h"
#include "patterns/pad.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"
#include "patterns/search_budget.h"

#include "ops/activation/clip_bounds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

//   x ─ Pad(p, v) ─ MaxPool{pads = q} ─ y          x ─ MaxPool{pads = q + p} ─ y
//   x ─ Pad(p, 0) ─ AveragePool{pads = q} ─ y      x ─ AveragePool{pads = q + p,
//                                                                  count_include_pad = 1} ─ y
//
// MaxPool ignores what it pads, so v must be no more than any element can be: −∞, the type's lowest
// integer, or what an operator before leaves nothing below, as Relu 0. AveragePool counts cells of
// the Pad always, so its own pads must count too; LpPool adds zeros. With ceil_mode=1 the last window
// may start in the padding and is then dropped: the output's shape would change. Each pad stays below
// the kernel, or a window would see nothing but padding.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 3> rootOperators = {"MaxPool", "AveragePool", "LpPool"};

// The number that no element of the type is below: −∞ for floats, which have it as a value.
double lowestOf(DType type)
{
    switch (type) {
    case DType::int8:
        return -128.0;
    case DType::uint8:
        return 0.0;
    default:
        return -std::numeric_limits<double>::infinity();
    }
}

// Where the bounds cross, the upper one wins; of unknown ones nothing is known.
double lowestOfClip(const GraphView& view, const Node& node)
{
    const double none = -std::numeric_limits<double>::infinity();
    const int version = view.sinceVersion(node);
    const ClipBounds bounds = clipBounds(node.attributes, version, view.dtype(node.input(0)));
    double low = bounds.low;
    double high = bounds.high;
    if (version >= 11 && node.input(1))
        low = scalarConstant(view, node.input(1)).value_or(none);
    if (version >= 11 && node.input(2))
        high = scalarConstant(view, node.input(2)).value_or(none);
    return std::isnan(low) || std::isnan(high) ? none : std::min(low, high);
}

// Whether each window of a pool holds an element of its input. Where it may not, a MaxPool gives the
// lowest number of all. With ceil_mode a window may start behind the input.
bool seesAnElement(const Node& pool)
{
    const auto kernel = pool.attributes.getInts("kernel_shape");
    const auto dilations = pool.attributes.getInts("dilations");
    if (!kernel || pool.attributes.getInt("ceil_mode", 0) != 0 ||
        (dilations && std::any_of(dilations->begin(), dilations->end(),
                                  [](std::int64_t dilation) { return dilation != 1; })))
        return false;
    const auto pads = pool.attributes.getInts("pads").value_or(std::vector<std::int64_t>{});
    for (std::size_t i = 0; i < pads.size(); ++i) {
        if (kernel->empty() || pads[i] < 0 || pads[i] >= (*kernel)[i % kernel->size()])
            return false;
    }
    return true;
}

// The number that no element of a value is below, as far as operators alone show it.
class LowestReader
{
public:
    explicit LowestReader(const GraphView& view) : m_view(view) {}

    double read(ValueId value)
    {
        const double lowest = lowestOf(m_view.dtype(value));
        const ValueId inside = insideRegion(m_view, value);
        const Node* node = m_view.producerNode(inside);
        if (!node || !node->op.isStandard() || inside != node->output(0) || !m_budget.spend())
            return lowest;
        return std::max(lowest, made(*node, m_view.dtype(value)));
    }

private:
    double made(const Node& node, DType type)
    {
        constexpr std::array<std::string_view, 7> neverNegative = {
            "Relu", "Sigmoid", "HardSigmoid", "Exp", "Softplus", "Softmax", "Sqrt"};
        constexpr std::array<std::string_view, 5> neverBelowOne = {"Tanh", "Softsign", "Erf", "Sin",
                                                                   "Cos"};
        // All versions and attributes of these give elements of their first input, and no others.
        constexpr std::array<std::string_view, 6> keep = {"Identity",  "Reshape", "Transpose",
                                                          "Unsqueeze", "Squeeze", "Slice"};
        constexpr double none = -std::numeric_limits<double>::infinity();
        const auto isAmong = [&node](std::span<const std::string_view> types) {
            return std::find(types.begin(), types.end(), node.op.type) != types.end();
        };
        // Abs of the lowest integer is that integer itself.
        if (isAmong(neverNegative) || (node.is("Abs") && isFloatingPoint(type)))
            return 0.0;
        if (isAmong(neverBelowOne))
            return -1.0;
        if (node.is("Clip"))
            return lowestOfClip(m_view, node);
        if (node.is("Max"))
            return activationData(m_view, node) ? 0.0 : none;
        if (node.is("Concat"))
            return leastOfAll(node);
        if (isAmong(keep) || (node.is("MaxPool") && seesAnElement(node)))
            return read(node.input(0));
        // An average is rounded, and may count zeros of its padding: its sign alone is sure.
        if (node.is("AveragePool") || node.is("GlobalAveragePool"))
            return read(node.input(0)) >= 0 ? 0.0 : none;
        return none;
    }

    double leastOfAll(const Node& node)
    {
        const std::vector<ValueId> inputs = distinctInputs(node);
        double least = inputs.empty() ? -std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::infinity();
        for (const ValueId input : inputs)
            least = std::min(least, read(input));
        return least;
    }

    const GraphView& m_view;
    SearchBudget m_budget;
};

std::optional<Reason> fittingValue(const GraphView& view, const Padding& pad, NodeId root,
                                   const Node& pool)
{
    if (!pad.value)
        return std::nullopt; // it is no constant, which is said already
    if (!pool.is("MaxPool"))
        return *pad.value == 0.0
                   ? std::nullopt
                   : std::optional(reasons::paddingValue(pad.id, *pad.value, root));
    if (*pad.value <= LowestReader(view).read(pad.node->input(0)))
        return std::nullopt;
    return reasons::maxPoolPadding(pad.id, root);
}

std::span<const int> versionsOf(const Node& pool)
{
    static constexpr std::array maxPool{1, 8, 10, 11, 12, 22};
    static constexpr std::array averagePool{7, 10, 11, 19, 22};
    static constexpr std::array lpPool{2, 11, 18, 22};
    if (pool.is("MaxPool"))
        return maxPool;
    return pool.is("AveragePool") ? std::span<const int>(averagePool) : std::span<const int>(lpPool);
}

class PadPool final : public FusionPattern
{
public:
    RuleId rule() const override { return "pad-pool"; }
    std::span<const std::string_view> rootTypes() const override { return rootOperators; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& pool = *view.node(root);
        const auto kernel = pool.attributes.getInts("kernel_shape");
        if (!pool.op.isStandard() || pool.inputs.size() != 1 || !kernel)
            return NotCandidate{};
        const auto found = findPad(view, root, pool.input(0), kernel->size() + 2);
        if (!found)
            return NotCandidate{};
        Conditions conditions(context, rule(), root);
        checkPad(conditions, *found, root);
        conditions.check("condition.version", knownVersion(context, root, versionsOf(pool)),
                         saw::version(context, root));
        conditions.check("condition.known-attributes", knownAttributes(context, root),
                         saw::attributes(context, root));
        conditions.check("condition.pad-value", fittingValue(view, found->pad, root, pool));
        checkPool(conditions, root, pool);
        const auto own = checkOwnPads(conditions, root, *kernel);
        if (own)
            checkAmounts(conditions, *found, root, pool, *kernel, *own);
        if (!conditions.allHold())
            return missOfPad(std::move(conditions), *found, root);
        Match match;
        match.root = root;
        match.nodes = {{"pad", found->pad.id}, {"pool", root}};
        match.title = Message("title.merge-pad", {{"pad", found->pad.id}, {"reader", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const GraphView view(builder.graph());
        const Node& pool = *view.node(match.root);
        const auto kernel = *pool.attributes.getInts("kernel_shape");
        const auto own = resolvedPads(pool, kernel, spatialSizes(view.shape(pool.input(0))));
        const bool average = pool.is("AveragePool");
        mergePad(builder, *paddingAt(view, match.node("pad"), kernel.size() + 2), match.root, *own);
        if (average)
            builder.editNode(match.root, [](Node& n) {
                n.attributes.set(Attribute("count_include_pad", std::int64_t{1}));
            });
        return {};
    }

private:
    static void checkPool(Conditions& conditions, NodeId root, const Node& pool)
    {
        std::optional<Reason> ceil;
        if (pool.attributes.getInt("ceil_mode", 0) != 0)
            ceil = reasons::unsupportedAttribute(root, "ceil_mode", "1", "0");
        conditions.check("condition.ceil-mode", std::move(ceil));
        conditions.check("condition.indices-unused", outputUnused(conditions.context(), root, 1));
        const auto dilations = pool.attributes.getInts("dilations");
        std::optional<Reason> dilated;
        if (dilations && std::any_of(dilations->begin(), dilations->end(),
                                     [](std::int64_t d) { return d != 1; }))
            dilated = reasons::unsupportedAttribute(
                root, "dilations", fmt::format("[{}]", fmt::join(*dilations, ", ")), "1");
        conditions.check("condition.no-dilation", std::move(dilated));
    }

    static void checkAmounts(Conditions& conditions, const FoundPad& found, NodeId root,
                             const Node& pool, const std::vector<std::int64_t>& kernel,
                             const std::vector<std::int64_t>& own)
    {
        const bool padded = std::any_of(own.begin(), own.end(), [](std::int64_t p) { return p != 0; });
        std::optional<Reason> uncounted;
        if (pool.is("AveragePool") && padded && pool.attributes.getInt("count_include_pad", 0) == 0)
            uncounted = reasons::unsupportedAttribute(root, "count_include_pad", "0", "1");
        conditions.check("condition.count-include-pad", std::move(uncounted));
        std::optional<Reason> wide;
        const Padding& pad = found.pad;
        for (std::size_t i = 0; pad.known && i < kernel.size() && i + 2 < pad.begin.size(); ++i) {
            const std::int64_t most = std::max(pad.begin[i + 2] + own[i],
                                               pad.end[i + 2] + own[kernel.size() + i]);
            if (most >= kernel[i] && !wide)
                wide = reasons::padNotBelowKernel(root, most, kernel[i]);
        }
        conditions.check("condition.pad-below-kernel", std::move(wide));
    }
};

} // namespace

const FusionPattern& patterns::padPool()
{
    static const PadPool pattern;
    return pattern;
}

} // namespace fusescope
