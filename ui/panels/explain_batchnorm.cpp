#include "ui/panels/explain_batchnorm.h"

#include "ui/panels/step_formula.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

using formulas::numbers;

// A convolution on its own, or the one inside a region.
const Node* convolution(const Graph& graph, NodeId id)
{
    const Node* node = graph.node(id);
    if (node && node->region)
        node = graph.node(node->region->nodeOf(Role::main));
    return node && (node->is("Conv") || node->is("ConvTranspose")) ? node : nullptr;
}

// The value of a region's constant inside its body is that of the region's input.
ValueId outerValue(const Graph& graph, NodeId id, ValueId inner)
{
    const Node* node = graph.node(id);
    if (!node || !node->region || node->bodies.empty())
        return inner;
    const Body* body = graph.body(node->bodies.front());
    for (std::size_t i = 0; body && i < body->inputs.size() && i < node->inputs.size(); ++i) {
        if (body->inputs[i] == inner)
            return node->inputs[i];
    }
    return inner;
}

} // namespace

std::int64_t BatchnormFold::kernelSize() const
{
    if (isProduct)
        return weight->shape()[columnsAreRows ? 1 : 0];
    std::int64_t size = 1;
    for (std::size_t i = 2; i < weight->rank(); ++i)
        size *= weight->shape()[i];
    return size;
}

std::int64_t BatchnormFold::kernelStart(int channel) const
{
    if (isProduct)
        return columnsAreRows ? channel * kernelSize() : channel;
    const std::int64_t perRow = weight->shape()[1] * kernelSize();
    if (!transposed)
        return channel * perRow;
    // [in, out / groups, …]: the first input channel of the channel's group.
    const std::int64_t perGroup = weight->shape()[1];
    const std::int64_t group = channel / perGroup;
    const std::int64_t row = group * (weight->shape()[0] / groups);
    return row * perRow + (channel % perGroup) * kernelSize();
}

std::int64_t BatchnormFold::kernelStride() const
{
    return isProduct && !columnsAreRows ? weight->shape()[1] : 1;
}

double BatchnormFold::largestDifference() const
{
    double worst = 0;
    const auto take = [&worst](double difference) {
        worst = std::isnan(difference) ? difference : std::max(worst, std::abs(difference));
    };
    for (std::size_t c = 0; c < scale.size(); ++c)
        take(newBias[c] - ((bias[c] - m[c]) * scale[c] + b[c]));
    const std::int64_t size = isProduct ? 1 : kernelSize();
    const std::int64_t rows = weight->shape()[0];
    const std::int64_t columns = weight->shape()[1];
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t k = 0; k < columns; ++k) {
            const std::int64_t group = transposed ? r / std::max<std::int64_t>(1, rows / groups) : 0;
            const std::int64_t channel = transposed                    ? group * columns + k
                                         : isProduct && !columnsAreRows ? k
                                                                        : r;
            if (channel >= channels())
                continue;
            const double by = scale[static_cast<std::size_t>(channel)];
            for (std::int64_t i = 0; i < size; ++i) {
                const std::int64_t at = (r * columns + k) * size + i;
                take(newWeight->asDouble(at) - weight->asDouble(at) * by);
            }
        }
    }
    return worst;
}

std::optional<BatchnormFold> batchnormFold(const Graph& before, const Graph& after,
                                           const Step& step)
{
    BatchnormFold fold;
    fold.isProduct = step.rule == "gemm-batchnorm";
    if (!fold.isProduct && step.rule != "conv-batchnorm" && step.rule != "convtranspose-batchnorm")
        return std::nullopt;
    for (const auto& slot : step.patch.nodes) {
        if (slot.before && !slot.after && slot.before->is("BatchNormalization"))
            fold.batchnorm = slot.id;
    }
    const Node* bn = before.node(fold.batchnorm);
    if (!bn || bn->inputs.size() < 5)
        return std::nullopt;
    const NodeId producer = before.producer(bn->inputs[0]);
    fold.conv = producer;
    static constexpr std::array<std::string_view, 1> products = {"Gemm"};
    const Node* old = fold.isProduct ? before.node(producer) : convolution(before, producer);
    const Node* made = fold.isProduct ? formulas::addedNode(step, products)
                                      : convolution(after, producer);
    if (!old || !made || old->inputs.size() < 2 || made->inputs.size() < 2)
        return std::nullopt;
    if (fold.isProduct && (!old->op.isStandard() || old->attributes.getInt("transB", 0)
                                                        != made->attributes.getInt("transB", 0)))
        return std::nullopt;
    fold.transposed = old->is("ConvTranspose");
    fold.columnsAreRows = fold.isProduct && made->attributes.getInt("transB", 0) != 0;
    fold.groups = std::max<std::int64_t>(1, old->attributes.getInt("group", 1));
    fold.epsilon = static_cast<double>(bn->attributes.getFloat("epsilon", 1e-5f));
    fold.gamma = bn->inputs[1];
    fold.beta = bn->inputs[2];
    fold.mean = bn->inputs[3];
    fold.variance = bn->inputs[4];
    fold.weightBefore = outerValue(before, producer, old->inputs[1]);
    fold.biasBefore = outerValue(before, producer, old->input(2));
    fold.weightAfter = outerValue(after, producer, made->inputs[1]);
    fold.biasAfter = outerValue(after, producer, made->input(2));
    fold.weight = before.constant(fold.weightBefore);
    fold.newWeight = after.constant(fold.weightAfter);
    fold.g = numbers(before, fold.gamma);
    fold.b = numbers(before, fold.beta);
    fold.m = numbers(before, fold.mean);
    fold.v = numbers(before, fold.variance);
    const std::size_t channels = fold.g.size();
    if (!fold.weight || !fold.newWeight || !fold.weight->isAvailable() || fold.weight->rank() < 2
        || fold.newWeight->shape() != fold.weight->shape() || channels == 0
        || fold.b.size() != channels || fold.m.size() != channels || fold.v.size() != channels)
        return std::nullopt;
    const bool second = fold.isProduct && !fold.columnsAreRows;
    const std::int64_t count = fold.transposed ? fold.weight->shape()[1] * fold.groups
                               : second        ? fold.weight->shape()[1]
                                               : fold.weight->shape()[0];
    if (count != static_cast<std::int64_t>(channels) || fold.weight->elementCount() == 0)
        return std::nullopt;
    if (fold.isProduct && fold.weight->rank() != 2)
        return std::nullopt;
    fold.bias = numbers(before, fold.biasBefore);
    fold.newBias = numbers(after, fold.biasAfter);
    if (fold.isProduct && fold.bias.size() == 1)
        fold.bias.assign(channels, fold.bias.front());
    const auto factor = static_cast<double>(old->attributes.getFloat("beta", 1.0f));
    for (double& number : fold.bias)
        number *= fold.isProduct ? factor : 1;
    if (fold.bias.size() != channels)
        fold.bias.assign(channels, 0);
    if (fold.newBias.size() != channels)
        fold.newBias.assign(channels, 0);
    for (std::size_t c = 0; c < channels; ++c)
        fold.scale.push_back(fold.g[c] / std::sqrt(fold.v[c] + fold.epsilon));
    return fold;
}

} // namespace fusescope
