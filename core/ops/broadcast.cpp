#include "ops/broadcast.h"
#include "ops/shape_messages.h"

#include <algorithm>

namespace fusescope {

std::optional<Sizes> broadcastSizes(std::span<const std::int64_t> a, std::span<const std::int64_t> b)
{
    const std::size_t rank = std::max(a.size(), b.size());
    Sizes result(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t x = axis + a.size() < rank ? 1 : a[axis + a.size() - rank];
        const std::int64_t y = axis + b.size() < rank ? 1 : b[axis + b.size() - rank];
        if (x != y && x != 1 && y != 1)
            return std::nullopt;
        result[axis] = x == 1 ? y : x;
    }
    return result;
}

bool broadcastsToSizes(std::span<const std::int64_t> shape, std::span<const std::int64_t> target)
{
    if (shape.size() > target.size())
        return false;
    const std::size_t missing = target.size() - shape.size();
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] != 1 && shape[axis] != target[axis + missing])
            return false;
    }
    return true;
}

Sizes broadcastStrides(std::span<const std::int64_t> shape, std::span<const std::int64_t> target)
{
    Sizes result(target.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t back = 0; back < shape.size() && back < target.size(); ++back) {
        const std::int64_t size = shape[shape.size() - 1 - back];
        result[target.size() - 1 - back] = size == 1 ? 0 : stride;
        stride *= size;
    }
    return result;
}

Result<Shape> broadcastInputs(const InferenceContext& context, std::size_t from, std::size_t to)
{
    Shape result = context.shape(from);
    for (std::size_t i = from + 1; i < to; ++i) {
        const Shape& next = context.shape(i);
        auto joined = broadcast(result, next, [&](int axis) {
            return context.unknown(0, static_cast<std::size_t>(axis));
        });
        if (!joined)
            return context.wrong(cannotBroadcast(i, next.text(), result.text()));
        result = *std::move(joined);
    }
    return result;
}

Result<Sizes> broadcastTensors(const KernelContext& context, std::span<const Tensor* const> tensors)
{
    Sizes result;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Sizes& next = tensors[i]->shape();
        auto joined = broadcastSizes(result, next);
        if (!joined)
            return context.wrong(cannotBroadcast(i, shapeText(next), shapeText(result)));
        result = *std::move(joined);
    }
    return result;
}

} // namespace fusescope
