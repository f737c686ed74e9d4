#include "ui/panels/explain_batchnorm.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

namespace {

std::vector<double> numbers(const Graph& graph, ValueId id)
{
    const TensorPtr tensor = id ? graph.constant(id) : nullptr;
    std::vector<double> all;
    if (!tensor || !tensor->isAvailable() || tensor->isString())
        return all;
    all.reserve(static_cast<std::size_t>(tensor->elementCount()));
    for (std::int64_t i = 0; i < tensor->elementCount(); ++i)
        all.push_back(tensor->asDouble(i));
    return all;
}

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
    std::int64_t size = 1;
    for (std::size_t i = 2; i < weight->rank(); ++i)
        size *= weight->shape()[i];
    return size;
}

std::int64_t BatchnormFold::kernelStart(int channel) const
{
    const std::int64_t perRow = weight->shape()[1] * kernelSize();
    if (!transposed)
        return channel * perRow;
    // [in, out / groups, …]: the first input channel of the channel's group.
    const std::int64_t perGroup = weight->shape()[1];
    const std::int64_t group = channel / perGroup;
    const std::int64_t row = group * (weight->shape()[0] / groups);
    return row * perRow + (channel % perGroup) * kernelSize();
}

double BatchnormFold::largestDifference() const
{
    double worst = 0;
    const auto take = [&worst](double difference) {
        worst = std::isnan(difference) ? difference : std::max(worst, std::abs(difference));
    };
    for (std::size_t c = 0; c < scale.size(); ++c)
        take(newBias[c] - ((bias[c] - m[c]) * scale[c] + b[c]));
    const std::int64_t size = kernelSize();
    const std::int64_t rows = weight->shape()[0];
    const std::int64_t columns = weight->shape()[1];
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t k = 0; k < columns; ++k) {
            const std::int64_t group = transposed ? r / std::max<std::int64_t>(1, rows / groups) : 0;
            const std::int64_t channel = transposed ? group * columns + k : r;
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
    if (step.rule != "conv-batchnorm" && step.rule != "convtranspose-batchnorm")
        return std::nullopt;
    BatchnormFold fold;
    for (const auto& slot : step.patch.nodes) {
        if (slot.before && !slot.after && slot.before->is("BatchNormalization"))
            fold.batchnorm = slot.id;
    }
    const Node* bn = before.node(fold.batchnorm);
    if (!bn || bn->inputs.size() < 5)
        return std::nullopt;
    const NodeId producer = before.producer(bn->inputs[0]);
    fold.conv = producer;
    const Node* old = convolution(before, producer);
    const Node* made = convolution(after, producer);
    if (!old || !made || old->inputs.size() < 2 || made->inputs.size() < 2)
        return std::nullopt;
    fold.transposed = old->is("ConvTranspose");
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
    const std::int64_t made2 = fold.transposed ? fold.weight->shape()[1] * fold.groups
                                               : fold.weight->shape()[0];
    if (made2 != static_cast<std::int64_t>(channels) || fold.weight->elementCount() == 0)
        return std::nullopt;
    fold.bias = numbers(before, fold.biasBefore);
    fold.newBias = numbers(after, fold.biasAfter);
    if (fold.bias.size() != channels)
        fold.bias.assign(channels, 0);
    if (fold.newBias.size() != channels)
        fold.newBias.assign(channels, 0);
    for (std::size_t c = 0; c < channels; ++c)
        fold.scale.push_back(fold.g[c] / std::sqrt(fold.v[c] + fold.epsilon));
    return fold;
}

} // namespace fusescope
