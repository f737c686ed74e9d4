#include "exec/fused/compiled.h"

#include "exec/fused/builder.h"

#include <cstring>

namespace fusescope::fused {

const std::byte* RunState::bytes(const Operand& operand)
{
    switch (operand.kind) {
    case Operand::Kind::none:
        return nullptr;
    case Operand::Kind::constant:
        return operand.data;
    case Operand::Kind::buffer:
        return place(operand.index);
    case Operand::Kind::boxed:
        break;
    }
    RuntimeValue& value = boxed[static_cast<std::size_t>(operand.index)];
    const Tensor* tensor = value.tensor();
    if (!tensor)
        return nullptr;
    if (!tensor->data() || reinterpret_cast<std::uintptr_t>(tensor->data()) % 16 != 0)
        value = RuntimeValue(tensor->materialized());
    return value.tensor()->data();
}

std::byte* RunState::place(int buffer)
{
    return m_arena + m_plan.buffers[static_cast<std::size_t>(buffer)].place;
}

float* RunState::scratch()
{
    return reinterpret_cast<float*>(m_arena + m_plan.scratchOffset);
}

const float* RunState::weights(std::int64_t offset) const
{
    return reinterpret_cast<const float*>(m_plan.weights.data()) + offset;
}

bool RunState::isInArena(const std::byte* data) const
{
    return data >= m_arena && data < m_arena + m_plan.arenaBytes;
}

NodeId largestNode(const Compiled& plan)
{
    NodeId largest;
    std::int64_t most = -1;
    for (const Step& step : plan.steps) {
        std::int64_t bytes = step.scratchBytes;
        for (const int written : step.writes)
            bytes += plan.buffers[static_cast<std::size_t>(written)].bytes;
        if (step.node && bytes > most) {
            most = bytes;
            largest = step.node;
        }
    }
    return largest;
}

Result<RuntimeValue> fetch(const Location& location, RunState& state)
{
    if (location.constant)
        return RuntimeValue(location.constant);
    if (location.boxed >= 0) {
        const RuntimeValue& value = state.boxed[static_cast<std::size_t>(location.boxed)];
        const Tensor* tensor = value.tensor();
        if (tensor && location.reshape)
            return RuntimeValue(tensor->reshaped(location.shape));
        return value;
    }
    if (location.buffer < 0)
        return RuntimeValue();
    Tensor copy = Tensor::allocate(location.dtype, location.shape);
    if (location.layout == Layout::plain) {
        std::memcpy(copy.mutableData(), state.place(location.buffer),
                    static_cast<std::size_t>(copy.byteSize()));
    } else if (!kernels::toPlain(imageOf(location.shape), state.floatsAt(location.buffer),
                                 copy.mutableElements<float>(), state.pool)) {
        return cancelled();
    }
    return RuntimeValue(std::move(copy));
}

} // namespace fusescope::fused
