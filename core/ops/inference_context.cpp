#include "ops/inference.h"

#include <algorithm>

namespace fusescope {

InferenceContext::InferenceContext(const Node& node, NodeId id, int sinceVersion,
                                   std::vector<KnownValue> inputs, InferBody inferBody)
    : m_node(node), m_id(id), m_since(sinceVersion), m_inputs(std::move(inputs)),
      m_outputs(std::max<std::size_t>(node.outputs.size(), 1)), m_inferBody(std::move(inferBody))
{
}

bool InferenceContext::hasInput(std::size_t i) const
{
    return static_cast<bool>(m_node.input(i));
}

const KnownValue& InferenceContext::input(std::size_t i) const
{
    static const KnownValue nothing;
    return i < m_inputs.size() ? m_inputs[i] : nothing;
}

ShapeData InferenceContext::integers(std::size_t i) const
{
    const KnownValue& known = input(i);
    // Larger tensors are no shape vectors: their contents stay out of the terms.
    constexpr std::int64_t limit = 1024;
    const Tensor* constant = known.constant.get();
    if (constant && constant->isAvailable() && constant->rank() <= 1 &&
        constant->elementCount() <= limit &&
        (isInteger(constant->dtype()) || constant->dtype() == DType::boolean)) {
        const auto values = constant->asInts();
        // Terms have 63 bits and a sign.
        if (constant->dtype() == DType::uint64 &&
            std::ranges::any_of(values, [](std::int64_t value) { return value < 0; }))
            return std::nullopt;
        return std::vector<Dim>(values.begin(), values.end());
    }
    return known.data;
}

void InferenceContext::setOutput(std::size_t i, Type type)
{
    if (i < m_outputs.size())
        m_outputs[i].type = std::move(type);
}

void InferenceContext::setData(std::size_t i, std::vector<Dim> data)
{
    if (i < m_outputs.size())
        m_outputs[i].data = std::move(data);
}

std::uint64_t InferenceContext::keyOf(std::size_t output, std::size_t index) const
{
    // Keyed by the value where there is one, so that a replacement that takes over a value makes
    // the same unknown sizes.
    const ValueId value = m_node.output(output);
    const std::uint64_t owner =
        value ? std::uint64_t{value.value} << 1
              : ((std::uint64_t{m_id.value} << 14 | std::uint64_t{output & 0x3fff}) << 1 | 1);
    return (owner << 16 | std::uint64_t{index & 0xffff}) + 1;
}

Dim InferenceContext::unknown(std::size_t output, std::size_t axis) const
{
    return Dim::unknown(keyOf(output, axis));
}

Dim InferenceContext::unknownElement(std::size_t output, std::size_t index) const
{
    return Dim::unknownInteger(keyOf(output, index));
}

Shape InferenceContext::unknownShape(std::size_t output, std::size_t rank) const
{
    std::vector<Dim> dims;
    dims.reserve(rank);
    for (std::size_t axis = 0; axis < rank; ++axis)
        dims.push_back(unknown(output, axis));
    return Shape::of(std::move(dims));
}

Result<std::vector<KnownValue>> InferenceContext::inferBody(BodyId body,
                                                            const std::vector<KnownValue>& inputs)
{
    if (!m_inferBody)
        return wrong(Message("ops.no-body-runner"));
    return m_inferBody(body, inputs);
}

} // namespace fusescope
