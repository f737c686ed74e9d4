#include "patterns/constants.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

DoubleTensor asDouble(const Tensor& tensor)
{
    DoubleTensor result{tensor.shape(), {}, tensor.elementCount()};
    if (!tensor.isAvailable() || tensor.isString())
        result.count = 0;
    if (result.count == 0)
        return result;
    const std::int64_t stored = tensor.isSplat() ? 1 : result.count;
    result.values.resize(static_cast<std::size_t>(stored));
    for (std::int64_t i = 0; i < stored; ++i)
        result.values[static_cast<std::size_t>(i)] = tensor.asDouble(i);
    return result;
}

DoubleTensor constantAsDouble(const GraphView& view, ValueId value)
{
    const TensorPtr tensor = view.constant(value);
    return tensor && tensor->isAvailable() ? asDouble(*tensor) : DoubleTensor{};
}

bool sameConstant(const GraphView& view, ValueId a, ValueId b)
{
    if (a == b)
        return true;
    const TensorPtr first = a ? view.constant(a) : nullptr;
    const TensorPtr second = b ? view.constant(b) : nullptr;
    return first && second && first->isAvailable() && second->isAvailable() &&
           first->bitwiseEquals(*second);
}

std::optional<double> scalarConstant(const GraphView& view, ValueId value)
{
    const TensorPtr tensor = value ? view.constant(value) : nullptr;
    if (!tensor || !tensor->isAvailable() || tensor->isString() || tensor->elementCount() != 1)
        return std::nullopt;
    return tensor->asDouble(0);
}

std::optional<std::vector<std::int64_t>> integerConstant(const GraphView& view, ValueId value)
{
    const TensorPtr tensor = value ? view.constant(value) : nullptr;
    constexpr std::int64_t most = 64;
    if (!tensor || !tensor->isAvailable() || !isInteger(tensor->dtype()) ||
        tensor->elementCount() > most)
        return std::nullopt;
    return tensor->asInts();
}

std::vector<double> channelValues(const Tensor& tensor, std::int64_t channels)
{
    const DoubleTensor all = asDouble(tensor);
    std::vector<double> result(static_cast<std::size_t>(channels));
    for (std::int64_t c = 0; c < channels; ++c)
        result[static_cast<std::size_t>(c)] = all.at(all.count == 1 ? 0 : c);
    return result;
}

bool allFinite(const DoubleTensor& tensor)
{
    return std::all_of(tensor.values.begin(), tensor.values.end(),
                       [](double v) { return std::isfinite(v); });
}

} // namespace fusescope
