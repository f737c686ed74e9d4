#include "session/divergence_cause.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

namespace {

// Which axis holds the channels: the second, but for [batch, sequence, features] the last.
std::size_t channelAxis(const Graph& graph, NodeId maker, std::size_t rank)
{
    const Node* node = graph.node(maker);
    if (node && node->region && graph.node(node->region->nodeOf(Role::main)))
        node = graph.node(node->region->nodeOf(Role::main));
    const bool spatial = node && (node->is("Conv") || node->is("ConvTranspose") ||
                                  node->is("BatchNormalization") ||
                                  node->is("InstanceNormalization"));
    if (rank == 3 && !spatial)
        return 2;
    return rank > 1 ? 1 : 0;
}

double largestMagnitude(const Tensor& tensor)
{
    double largest = 0;
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i) {
        const double x = std::abs(tensor.asDouble(i));
        if (std::isfinite(x))
            largest = std::max(largest, x);
    }
    return largest;
}

// Shapes, types or finiteness alone count as the most.
double weightOf(const TensorComparison& one)
{
    return !one.pass && one.maxAbs == 0 ? HUGE_VAL : std::isnan(one.maxAbs) ? HUGE_VAL : one.maxAbs;
}

} // namespace

std::vector<double> channelErrors(const Tensor& before, const Tensor& after, std::size_t axis)
{
    if (before.shape() != after.shape() || axis >= before.rank() || before.isString() ||
        after.isString() || before.elementCount() == 0)
        return {};
    const auto channels = static_cast<std::size_t>(before.shape()[axis]);
    std::int64_t inner = 1;
    for (std::size_t i = axis + 1; i < before.rank(); ++i)
        inner *= before.shape()[i];
    std::vector<double> errors(channels, 0);
    for (std::int64_t i = 0; i < before.elementCount(); ++i) {
        const double x = before.asDouble(i);
        const double y = after.asDouble(i);
        if (x == y || (std::isnan(x) && std::isnan(y)))
            continue;
        double& error = errors[static_cast<std::size_t>(i / inner) % channels];
        const double difference = std::abs(x - y);
        if (!std::isfinite(difference))
            error = std::nan("");
        else if (!std::isnan(error))
            error = std::max(error, difference);
    }
    return errors;
}

Result<std::optional<DivergenceCause>> divergenceCause(const Timeline& timeline, int step,
                                                       const PairRun& how, const MadeInputs& inputs,
                                                       std::uint64_t seed, std::stop_token stop)
{
    const Graph before = timeline.at(step - 1);
    const Graph after = timeline.at(step);
    const GraphPatch& patch = timeline.steps[static_cast<std::size_t>(step - 1)]->patch;
    std::optional<DivergenceCause> cause;
    int causeRank = 0;
    const auto rankOf = [&](const TensorComparison& one, NodeId maker) {
        const bool written = std::ranges::any_of(
            patch.nodes, [&](const auto& slot) { return slot.after && slot.id == maker; });
        return (one.pass ? 0 : 2) + (written ? 1 : 0);
    };
    PairRun pair{before,   after,    true, how.forceReference, how.rtol, how.atol, false,
                 [&](const TensorComparison& one, const RuntimeValue& a, const RuntimeValue& b) {
                     const NodeId maker = after.producer(one.value);
                     const Tensor* x = a.tensor();
                     const Tensor* y = b.tensor();
                     if (!maker || !x || !y || weightOf(one) == 0)
                         return;
                     const int rank = rankOf(one, maker);
                     const bool better =
                         !cause || rank > causeRank ||
                         (rank == causeRank && rank < 2 && weightOf(one) > weightOf(cause->tensor));
                     if (!better)
                         return;
                     causeRank = rank;
                     cause = DivergenceCause{maker, one, 0, channelAxis(after, maker, x->rank()), {}};
                     cause->channels = channelErrors(*x, *y, cause->axis);
                     if (!x->isString())
                         cause->limit =
                             one.tolerance.atol + one.tolerance.rtol * largestMagnitude(*x);
                 }};
    FUSESCOPE_ASSIGN(const Comparison compared, comparePair(pair, inputs, seed, stop, {}));
    static_cast<void>(compared);
    return cause;
}

} // namespace fusescope
