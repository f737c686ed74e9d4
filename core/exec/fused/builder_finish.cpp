#include "exec/fused/builder.h"

#include "ops/registry.h"

#include <algorithm>

namespace fusescope::fused {

namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// Where a reference kernel finds one operand.
struct BoxedOperand
{
    Operand operand;
    DType dtype = DType::undefined;
    Sizes shape;
    bool reshape = false;
    TensorPtr constant;
};

RuntimeValue boxed(const BoxedOperand& from, RunState& state)
{
    switch (from.operand.kind) {
    case Operand::Kind::none:
        return {};
    case Operand::Kind::constant:
        return from.constant;
    case Operand::Kind::boxed: {
        const RuntimeValue& value = state.boxed[at(from.operand.index)];
        if (from.reshape && value.tensor())
            return RuntimeValue(value.tensor()->reshaped(from.shape));
        return value;
    }
    case Operand::Kind::buffer:
        break;
    }
    return RuntimeValue(
        Tensor::mapped(from.dtype, from.shape, state.place(from.operand.index), nullptr));
}

// A result that is only another view of the arena gets storage of its own.
RuntimeValue owned(RuntimeValue value, const RunState& state)
{
    if (const Tensor* tensor = value.tensor()) {
        if (tensor->data() && state.isInArena(tensor->data()))
            return RuntimeValue(tensor->materialized());
        return value;
    }
    if (const SequenceValue* sequence = value.sequence()) {
        SequenceValue copy;
        copy.elementType = sequence->elementType;
        for (const auto& element : sequence->elements)
            copy.elements.push_back(std::make_shared<const RuntimeValue>(owned(*element, state)));
        return RuntimeValue(std::move(copy));
    }
    if (const OptionalValue* optional = value.optional(); optional && optional->held) {
        OptionalValue copy = *optional;
        copy.held = std::make_shared<const RuntimeValue>(owned(*optional->held, state));
        return RuntimeValue(std::move(copy));
    }
    return value;
}

} // namespace

void Builder::emitReference(const Unit& unit)
{
    Draft draft(*this, unit, "reference", Layout::plain);
    const auto locateOne = [&](int index) {
        BoxedOperand from;
        if (index < 0)
            return from;
        const Var& v = var(index);
        from.dtype = v.dtype;
        from.shape = v.shape;
        from.constant = v.constant;
        if (v.constant)
            from.operand.kind = Operand::Kind::constant;
        else
            from.operand = draft.read(index);
        from.reshape = from.operand.kind == Operand::Kind::boxed && from.operand.index != index;
        return from;
    };
    std::vector<BoxedOperand> inputs;
    for (const int input : unit.inputs)
        inputs.push_back(locateOne(input));
    std::vector<std::pair<ValueId, BoxedOperand>> captures;
    for (const auto& [id, index] : unit.captures)
        captures.emplace_back(id, locateOne(index));
    struct Made
    {
        int var;
        bool isStatic;
        DType dtype;
        Sizes shape;
        ValueId value;
    };
    std::vector<Made> outputs;
    for (const int output : unit.outputs) {
        if (output >= 0) {
            placeOf(output).boxed = output;
            placeOf(output).plainReady = static_cast<int>(m_plan->steps.size());
            draft.m_step.opens.push_back(output);
            if (draft.m_step.flops == 0 && var(output).isStatic)
                draft.setFlops(static_cast<double>(productOf(shape(output))));
            outputs.push_back({output, var(output).isStatic, var(output).dtype, shape(output),
                               var(output).id});
        } else {
            outputs.push_back({-1, false, DType::undefined, {}, {}});
        }
    }
    const std::shared_ptr<const Node> node = unit.node;
    const NodeId id = unit.id;
    draft.commit([=](RunState& state) -> Result<void> {
        std::vector<RuntimeValue> arguments;
        for (const BoxedOperand& from : inputs)
            arguments.push_back(boxed(from, state));
        std::vector<std::pair<ValueId, RuntimeValue>> around;
        for (const auto& [value, from] : captures)
            around.emplace_back(value, boxed(from, state));
        FUSESCOPE_ASSIGN(std::vector<RuntimeValue> results,
                         state.reference->withInputs(id, *node, std::move(arguments), around));
        for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
            const Made& made = outputs[i];
            if (made.var < 0)
                continue;
            const Tensor* tensor = results[i].tensor();
            if (made.isStatic &&
                (!tensor || tensor->dtype() != made.dtype || tensor->shape() != made.shape)) {
                state.unexpected = made.value;
                return fail(ErrorCode::failed,
                            Message("exec.unexpected-shape",
                                    {{"expected", shapeText(made.shape)},
                                     {"found", results[i].isPresent() ? results[i].type().text()
                                                                      : std::string("-")}}),
                            id);
            }
            state.boxed[at(made.var)] = owned(std::move(results[i]), state);
        }
        return {};
    });
}

void Builder::emit(const Unit& unit)
{
    m_reported = unit.reported;
    m_rejected.clear();
    if (emitFast(*this, unit))
        return;
    if (!unit.isRegion) {
        emitReference(unit);
        return;
    }
    const auto why = m_rejected;
    for (const Unit& inner : unit.body) {
        m_rejected = why;
        if (!emitFast(*this, inner))
            emitReference(inner);
    }
    m_rejected.clear();
}

void Builder::removeDead()
{
    std::vector<bool> used(m_vars.size(), false);
    const auto use = [&](int index) {
        if (index >= 0)
            used[at(index)] = true;
    };
    std::ranges::for_each(m_walked.outputs, use);
    std::vector<Unit> kept;
    for (std::size_t i = m_walked.units.size(); i-- > 0;) {
        Unit& unit = m_walked.units[i];
        const bool live = mayHaveSideEffects(m_graph, *unit.node) ||
                          std::ranges::any_of(unit.outputs, [&](int output) {
                              return output >= 0 && used[at(output)];
                          });
        if (!live)
            continue;
        std::ranges::for_each(unit.inputs, use);
        for (const Unit& inner : unit.body) {
            std::ranges::for_each(inner.inputs, use);
            for (const auto& [id, index] : inner.captures)
                use(index);
        }
        for (const auto& [id, index] : unit.captures)
            use(index);
        kept.push_back(std::move(unit));
    }
    std::ranges::reverse(kept);
    m_walked.units = std::move(kept);
}

Location Builder::locationOf(int index, Layout layout) const
{
    Location location;
    if (index < 0)
        return location;
    const Var& v = var(index);
    const Place& place = placeOf(index);
    location.constant = v.constant;
    location.dtype = v.dtype;
    location.shape = v.shape;
    location.layout = layout;
    location.buffer = layout == Layout::blocked ? place.blocked : place.plain;
    location.readyAfter = layout == Layout::blocked ? place.blockedReady : place.plainReady;
    if (location.buffer < 0)
        location.boxed = place.boxed;
    location.reshape = location.boxed >= 0 && location.boxed != index;
    return location;
}

void Builder::finish()
{
    for (const int output : m_walked.outputs) {
        const bool fromBlocked = output >= 0 && isBlocked(output);
        m_plan->outputs.push_back(
            locationOf(output, fromBlocked ? Layout::blocked : Layout::plain));
    }
    for (const auto& [id, index] : m_walked.visible) {
        const Location location = locationOf(index, placeOf(index).home);
        if (location.constant || location.boxed >= 0 || location.buffer >= 0)
            m_plan->visible.emplace_back(id, location);
    }
    // What the caller gets is alive until the end.
    Step end;
    end.kernel = "outputs";
    for (const Location& output : m_plan->outputs) {
        if (output.buffer >= 0)
            end.reads.push_back(output.buffer);
    }
    m_plan->steps.push_back(std::move(end));
    std::unordered_map<int, std::size_t> lastRead;
    for (std::size_t i = 0; i < m_plan->steps.size(); ++i) {
        for (const int index : m_plan->steps[i].opens)
            lastRead[index] = i;
        for (const int index : m_plan->steps[i].boxedReads)
            lastRead[index] = i;
    }
    for (const Location& output : m_plan->outputs)
        lastRead.erase(output.boxed);
    for (const auto& [index, step] : lastRead)
        m_plan->steps[step].closes.push_back(index);
    for (Step& step : m_plan->steps)
        std::ranges::sort(step.closes);
    m_plan->varCount = m_vars.size();
    m_plan->arguments = m_walked.arguments;
    m_plan->given = m_walked.given;
    m_plan->scratchOffset = planArena(m_plan->buffers, m_plan->steps);
    std::int64_t scratch = 0;
    for (const Step& step : m_plan->steps)
        scratch = std::max(scratch, step.scratchBytes);
    // One block behind, where lanes after the last channel may be read.
    m_plan->arenaBytes = m_plan->scratchOffset + scratch + 256;
    m_plan->steps.pop_back();
}

Result<void> Builder::takeMemory()
{
    if (m_plan->arenaBytes > m_options.memoryLimit ||
        m_plan->weightBytes > m_options.memoryLimit - m_plan->arenaBytes)
        return fail(
            ErrorCode::failed,
            Message("exec.memory-limit", {{"needed", m_plan->arenaBytes + m_plan->weightBytes},
                                          {"limit", m_options.memoryLimit}}),
            largestNode(*m_plan));
    if (m_plan->weightBytes == 0)
        return {};
    m_plan->weights = MemoryBlock::allocate(m_plan->weightBytes + 64);
    if (!m_plan->weights)
        return fail(ErrorCode::failed,
                    Message("exec.memory-limit",
                            {{"needed", m_plan->weightBytes}, {"limit", m_options.memoryLimit}}),
                    largestNode(*m_plan));
    return {};
}

Result<std::shared_ptr<Compiled>> Builder::build(std::stop_token stop, const Progress& progress)
{
    removeDead();
    const auto total = static_cast<double>(m_walked.units.size() + 1);
    for (std::size_t i = 0; i < m_walked.units.size(); ++i) {
        if (stop.stop_requested())
            return cancelled();
        if (i % 64 == 0)
            progress(0.5 * static_cast<double>(i) / total, Message("exec.planning"));
        emit(m_walked.units[i]);
    }
    finish();
    FUSESCOPE_TRY(takeMemory());
    auto* floats = reinterpret_cast<float*>(m_plan->weights.data());
    for (std::size_t i = 0; i < m_plan->packings.size(); ++i) {
        if (stop.stop_requested())
            return cancelled();
        progress(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(m_plan->packings.size()),
                 Message("exec.packing"));
        m_plan->packings[i].pack(floats + m_plan->packings[i].offset, m_pool);
        m_plan->packings[i].pack = nullptr;
    }
    m_plan->packings.clear();
    return m_plan;
}

} // namespace fusescope::fused
