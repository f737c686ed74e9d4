#include "ops/kernel.h"

#include "ops/kernel_support.h"

#include <algorithm>
#include <limits>
#include <new>
#include <string>

namespace fusescope {

KernelContext::KernelContext(const Node& node, NodeId id, int sinceVersion,
                             std::span<const RuntimeValue> inputs, RunBody runBody,
                             std::uint64_t seed, std::stop_token stop, std::int64_t memoryLeft)
    : m_node(node), m_id(id), m_since(sinceVersion), m_inputs(inputs),
      m_outputs(node.outputs.size()), m_runBody(std::move(runBody)), m_seed(seed),
      m_stop(std::move(stop)), m_memoryLeft(memoryLeft)
{
}

Result<const Tensor*> KernelContext::tensor(std::size_t i) const
{
    if (!hasInput(i))
        return wrong(missingInput(i));
    const Tensor* found = m_inputs[i].tensor();
    if (!found)
        return wrong(wrongType(i, "tensor", m_inputs[i].type().text()));
    if (!found->isAvailable())
        return wrong(found->whyUnavailable());
    return found;
}

const Tensor* KernelContext::optionalTensor(std::size_t i) const
{
    return hasInput(i) ? m_inputs[i].tensor() : nullptr;
}

void KernelContext::setOutput(std::size_t i, RuntimeValue value)
{
    if (i < m_outputs.size())
        m_outputs[i] = std::move(value);
}

std::optional<std::int64_t> memoryOf(DType type, std::int64_t count)
{
    if (type != DType::string)
        return bytesOf(type, count);
    constexpr auto size = static_cast<std::int64_t>(sizeof(std::string));
    return count < 0 || count > std::numeric_limits<std::int64_t>::max() / size
               ? std::nullopt
               : std::optional(count * size);
}

Result<Tensor> KernelContext::allocate(DType type, std::vector<std::int64_t> shape) const
{
    const auto count = elementCountOf(shape);
    const auto bytes = count ? memoryOf(type, *count) : std::nullopt;
    if (bytes && *bytes <= m_memoryLeft) {
        try {
            return Tensor::allocate(type, shape);
        } catch (const std::bad_alloc&) {
            // The machine has less than the run may use.
        }
    }
    if (std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; }))
        return wrong(Message("ops.negative-size", {{"shape", shapeText(shape)}}));
    return wrong(Message("ops.memory-limit", {{"type", std::string(nameOf(type))},
                                              {"shape", shapeText(shape)},
                                              {"available", m_memoryLeft}}));
}

Result<std::vector<RuntimeValue>> KernelContext::runBody(BodyId body,
                                                         const std::vector<RuntimeValue>& inputs)
{
    if (!m_runBody)
        return wrong(Message("ops.no-body-runner"));
    return m_runBody(body, inputs);
}

} // namespace fusescope
