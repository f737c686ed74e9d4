#include "ops/cost.h"

namespace fusescope {

namespace {

using SizeOf = std::function<std::optional<std::int64_t>(const Dim&)>;

std::optional<double> elements(const Graph& graph, ValueId id, const SizeOf& sizeOf)
{
    const Value* value = graph.value(id);
    if (!value || !value->type.isTensor() || !value->type.shape.hasRank())
        return std::nullopt;
    double count = 1;
    for (const Dim& dim : value->type.shape.dims()) {
        const auto size = dim.evaluate(sizeOf);
        if (!size)
            return std::nullopt;
        count *= static_cast<double>(*size);
    }
    return count;
}

std::optional<double> dimension(const Graph& graph, ValueId id, std::size_t fromEnd,
                                const SizeOf& sizeOf)
{
    const Value* value = graph.value(id);
    if (!value || !value->type.shape.hasRank() || value->type.shape.rank() <= fromEnd)
        return std::nullopt;
    const auto& dims = value->type.shape.dims();
    const auto size = dims[dims.size() - 1 - fromEnd].evaluate(sizeOf);
    return size ? std::optional<double>(static_cast<double>(*size)) : std::nullopt;
}

std::optional<double> product(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional<double>(*a * *b) : std::nullopt;
}

// Weights of one output channel: all of W but its first dimension.
std::optional<double> taps(const Graph& graph, ValueId weight, std::size_t channelAxis,
                           const SizeOf& sizeOf)
{
    const Value* value = graph.value(weight);
    const auto all = elements(graph, weight, sizeOf);
    if (!all || value->type.shape.rank() <= channelAxis)
        return std::nullopt;
    const auto channels = value->type.shape.dims()[channelAxis].evaluate(sizeOf);
    return channels && *channels > 0
               ? std::optional<double>(*all / static_cast<double>(*channels))
               : std::nullopt;
}

} // namespace

std::optional<double> flopsOf(const Graph& graph, NodeId id, const SizeOf& sizeOf)
{
    const Node& node = *graph.node(id);
    const ValueId out = node.output(0);
    if (!node.bodies.empty()) {
        double total = 0;
        for (const BodyId body : node.bodies) {
            for (const NodeId inner : *graph.nodes(body)) {
                const auto flops = flopsOf(graph, inner, sizeOf);
                if (!flops)
                    return std::nullopt;
                total += *flops;
            }
        }
        return total;
    }
    if (node.is("Conv"))
        return product(product(elements(graph, out, sizeOf), taps(graph, node.input(1), 0, sizeOf)),
                       2.0);
    if (node.is("ConvTranspose"))
        return product(product(elements(graph, node.input(0), sizeOf),
                               taps(graph, node.input(1), 0, sizeOf)),
                       2.0);
    if (node.is("MatMul"))
        return product(
            product(elements(graph, out, sizeOf), dimension(graph, node.input(0), 0, sizeOf)), 2.0);
    if (node.is("Gemm")) {
        const std::size_t axis = node.attributes.getInt("transA", 0) != 0 ? 1 : 0;
        return product(
            product(elements(graph, out, sizeOf), dimension(graph, node.input(0), axis, sizeOf)),
            2.0);
    }
    if (node.is("Constant") || node.is("Identity") || node.is("Reshape") || node.is("Shape") ||
        node.is("Squeeze") || node.is("Unsqueeze") || node.is("Flatten") || node.is("Transpose"))
        return 0.0;
    return out ? elements(graph, out, sizeOf) : std::optional<double>(0.0);
}

std::optional<std::int64_t> bytesOf(const Value& value, const SizeOf& sizeOf)
{
    if (!value.type.isTensor() || !value.type.shape.hasRank())
        return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : value.type.shape.dims()) {
        const auto size = dim.evaluate(sizeOf);
        if (!size)
            return std::nullopt;
        sizes.push_back(*size);
    }
    const auto count = elementCountOf(sizes);
    return count ? bytesOf(value.type.dtype, *count) : std::nullopt;
}

std::int64_t storedBytesOf(const Graph& graph, ValueId id)
{
    const Value* value = graph.value(id);
    if (value && value->constant)
        return value->constant->byteSize();
    const Node* node = graph.node(graph.producer(id));
    if (!node || !node->is("Constant"))
        return 0;
    const TensorPtr tensor = graph.constant(id);
    return tensor ? tensor->byteSize() : 0;
}

std::int64_t countedSum(double sum)
{
    return sum < 0x1p53 ? static_cast<std::int64_t>(sum) : std::int64_t{1} << 53; // NaN too
}

} // namespace fusescope
