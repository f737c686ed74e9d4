#include "exec/fused/steps.h"

#include "exec/kernels/normalization.h"

#include <algorithm>

namespace fusescope::fused {

Why buildElementwise(Builder& b, const Unit& unit)
{
    if (unit.outputs.empty() || unit.outputs[0] < 0)
        return noKernel(unit);
    ProgramMaker maker(b);
    if (auto why = maker.add(unit))
        return why;
    if (!maker.endsWith(unit.outputs[0]))
        return noKernel(unit);
    return emitProgram(b, unit, std::move(maker.program), unit.outputs[0], "elementwise");
}

Why buildSoftmax(Builder& b, const Unit& unit)
{
    if (unit.inputs.size() != 1 || unit.outputs.size() != 1)
        return noKernel(unit);
    if (auto why = b.whyNotFloat(unit))
        return why;
    const Sizes input = b.shape(unit.inputs[0]);
    const bool flattened = unit.since < 13;
    const auto axis =
        normalizeAxis(unit.node->attributes.getInt("axis", flattened ? 1 : -1), input.size());
    if (!axis)
        return Message("kernel.axes");
    std::int64_t outer = 1;
    std::int64_t middle = 1;
    std::int64_t inner = 1;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (i < *axis)
            outer *= input[i];
        else if (i == *axis || flattened)
            middle *= input[i];
        else
            inner *= input[i];
    }
    const bool logarithm = unit.node->op.type == "LogSoftmax";
    Draft draft(b, unit, logarithm ? "logsoftmax" : "softmax", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    draft.mayReplace(from, to);
    draft.commit([=](RunState& state) {
        return finished(kernels::runSoftmax(outer, middle, inner, logarithm, state.floats(from),
                                            state.floatsAt(to), state.pool));
    });
    return std::nullopt;
}

Why buildLayerNormalization(Builder& b, const Unit& unit)
{
    const bool rms = unit.node->op.type == "RMSNormalization";
    if (unit.inputs.size() < 2 || unit.inputs[0] < 0 || unit.inputs[1] < 0 ||
        unit.outputs.empty() || unit.outputs[0] < 0)
        return noKernel(unit);
    if (std::any_of(unit.outputs.begin() + 1, unit.outputs.end(), [](int o) { return o >= 0; }))
        return Message("kernel.several-outputs");
    if (auto why = b.whyNotFloat(unit))
        return why;
    const Sizes input = b.shape(unit.inputs[0]);
    const auto axis = normalizeAxis(unit.node->attributes.getInt("axis", -1), input.size());
    if (!axis)
        return Message("kernel.axes");
    kernels::LayerNormShape s;
    for (std::size_t i = 0; i < input.size(); ++i)
        (i < *axis ? s.rows : s.width) *= input[i];
    s.epsilon = unit.node->attributes.getFloat("epsilon", 1e-5F);
    s.rootMeanSquare = rms;
    const int shift = unit.inputs.size() > 2 ? unit.inputs[2] : -1;
    for (const int vector : {unit.inputs[1], shift}) {
        if (vector < 0)
            continue;
        const Sizes& own = b.shape(vector);
        if (productOf(own) != s.width || own.size() > input.size() - *axis)
            return Message("kernel.broadcast", {{"value", b.var(vector).id}});
    }
    Draft draft(b, unit, rms ? "rms-normalization" : "layer-normalization", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const Operand scale = draft.read(unit.inputs[1]);
    Operand offset;
    if (shift >= 0)
        offset = draft.read(shift);
    const int to = draft.write(unit.outputs[0]);
    draft.mayReplace(from, to);
    draft.commit([=](RunState& state) {
        return finished(kernels::runLayerNorm(s, state.floats(from), nullptr, state.floats(scale),
                                              state.floats(offset), state.floatsAt(to), nullptr,
                                              state.pool));
    });
    return std::nullopt;
}

Why buildGroupNormalization(Builder& b, const Unit& unit)
{
    const bool instance = unit.node->op.type == "InstanceNormalization";
    if (unit.inputs.size() != 3 || unit.outputs.size() != 1)
        return noKernel(unit);
    if (auto why = b.whyNotFloat(unit))
        return why;
    if (!instance && unit.since < 21)
        return noKernel(unit);
    const Sizes& input = b.shape(unit.inputs[0]);
    if (input.size() < 3)
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(input.size())}});
    const kernels::ImageShape image = imageOf(input);
    const std::int64_t groups =
        instance ? image.channels : unit.node->attributes.getInt("num_groups", 0);
    if (groups < 1 || image.channels % groups != 0 ||
        b.shape(unit.inputs[1]) != Sizes{image.channels} ||
        b.shape(unit.inputs[2]) != Sizes{image.channels})
        return formWithoutKernel("num_groups", std::to_string(groups));
    const float epsilon = unit.node->attributes.getFloat("epsilon", 1e-5F);
    Draft draft(b, unit, instance ? "instance-normalization" : "group-normalization",
                Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const Operand scale = draft.read(unit.inputs[1]);
    const Operand shift = draft.read(unit.inputs[2]);
    const int to = draft.write(unit.outputs[0]);
    draft.commit([=](RunState& state) {
        return finished(kernels::runGroupNorm(image, groups, epsilon, state.floats(scale),
                                              state.floats(shift), {}, state.floats(from),
                                              state.floatsAt(to), state.pool));
    });
    return std::nullopt;
}

Why buildLrn(Builder& b, const Unit& unit)
{
    if (unit.inputs.size() != 1 || unit.outputs.size() != 1)
        return noKernel(unit);
    if (auto why = b.whyNotFloat(unit))
        return why;
    const Sizes& input = b.shape(unit.inputs[0]);
    if (input.size() < 3)
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(input.size())}});
    kernels::LrnShape s;
    const Attributes& attributes = unit.node->attributes;
    s.image = imageOf(input);
    s.size = attributes.getInt("size", 1);
    s.alpha = attributes.getFloat("alpha", 1e-4F);
    s.beta = attributes.getFloat("beta", 0.75F);
    s.bias = attributes.getFloat("bias", 1.0F);
    if (s.size < 1)
        return formWithoutKernel("size", std::to_string(s.size));
    // What is raised to beta must be positive.
    if (!(s.alpha >= 0.0F))
        return formWithoutKernel("alpha", std::to_string(s.alpha));
    if (!(s.bias > 0.0F))
        return formWithoutKernel("bias", std::to_string(s.bias));
    Draft draft(b, unit, "lrn", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    draft.commit([=](RunState& state) {
        return finished(kernels::runLrn(s, state.floats(from), state.floatsAt(to), state.pool));
    });
    return std::nullopt;
}

} // namespace fusescope::fused
