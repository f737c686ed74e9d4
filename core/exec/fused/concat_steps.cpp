#include "exec/fused/steps.h"

#include "exec/kernels/copy.h"

#include <algorithm>

namespace fusescope::fused {

namespace {

// [outer][axis][inner] of a tensor around an axis.
struct Around
{
    std::int64_t outer = 1, inner = 1;
};

Around around(const Sizes& shape, std::size_t axis)
{
    Around result;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < axis)
            result.outer *= shape[i];
        else if (i > axis)
            result.inner *= shape[i];
    }
    return result;
}

// What is left to copy into a joined result: the parts that lie in it already are not.
struct Part
{
    Operand from;
    std::int64_t bytes = 0;  // for each outer index
    std::int64_t offset = 0; // in the result, for each outer index
};

void commitParts(Draft& draft, std::vector<Part> parts, std::int64_t outer, std::int64_t rowBytes,
                 int to)
{
    draft.commit([=](RunState& state) {
        for (const Part& part : parts) {
            const Sizes shape{outer, part.bytes};
            const Sizes from{part.bytes, 1};
            const Sizes rows{rowBytes, 1};
            if (!kernels::runStridedCopy(shape, from, rows, 1, state.bytes(part.from),
                                         state.place(to) + part.offset, state.pool))
                return finished(false);
        }
        return finished(true);
    });
}

std::optional<std::size_t> concatAxis(const Builder& b, const Unit& unit)
{
    if (unit.outputs.size() != 1 || unit.outputs[0] < 0 || unit.inputs.empty() ||
        !b.var(unit.outputs[0]).isStatic)
        return std::nullopt;
    return normalizeAxis(unit.node->attributes.getInt("axis", 1), b.shape(unit.outputs[0]).size());
}

Why emitConcat(Builder& b, const Unit& unit, Layout layout, std::size_t axis)
{
    const int output = unit.outputs[0];
    const Around sizes = around(b.shape(output), axis);
    const std::int64_t outer = sizes.outer;
    std::vector<std::int64_t> bytes;
    std::int64_t rowBytes = 0;
    for (const int input : unit.inputs) {
        const Sizes& own = b.shape(input);
        std::int64_t one = *bytesOf(b.var(input).dtype, own[axis] * sizes.inner);
        if (layout == Layout::blocked)
            one = kernels::channelBlocks(own[1]) * kernels::blockLanes() * sizes.inner * 4;
        bytes.push_back(one);
        rowBytes += one;
    }
    Draft draft(b, unit, "concat", layout);
    // The readings come first: they may put reorders in front.
    std::vector<Operand> operands;
    for (const int input : unit.inputs)
        operands.push_back(draft.read(input, layout));
    const int to = draft.write(output, layout);
    std::vector<Part> parts;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
        const bool aligned = layout == Layout::blocked || offset % 64 == 0;
        const bool lies = outer == 1 && aligned && operands[i].kind == Operand::Kind::buffer &&
                          b.adopt(unit.inputs[i], layout, to, offset);
        if (!lies)
            parts.push_back({operands[i], bytes[i], offset});
        offset += bytes[i];
    }
    if (parts.empty())
        draft.rename("concat in place");
    commitParts(draft, std::move(parts), outer, rowBytes, to);
    return std::nullopt;
}

} // namespace

// On the channel axis, in blocks: every part but the last fills whole blocks.
Why buildBlockedConcat(Builder& b, const Unit& unit)
{
    const auto axis = concatAxis(b, unit);
    if (!axis)
        return noKernel(unit);
    if (auto why = b.whyNotFloat(unit))
        return why;
    if (*axis != 1 || !b.canBeBlocked(unit.outputs[0]))
        return Message("kernel.axes");
    if (std::ranges::none_of(unit.inputs, [&](int input) { return b.isBlocked(input); }))
        return Message("kernel.plain-operands");
    for (std::size_t i = 0; i + 1 < unit.inputs.size(); ++i) {
        if (b.shape(unit.inputs[i])[1] % kernels::blockLanes() != 0)
            return Message("kernel.part-channels", {{"channels", b.shape(unit.inputs[i])[1]}});
    }
    return emitConcat(b, unit, Layout::blocked, 1);
}

Why buildConcat(Builder& b, const Unit& unit)
{
    const auto axis = concatAxis(b, unit);
    if (!axis)
        return Message("kernel.axes");
    const Var& made = b.var(unit.outputs[0]);
    if (bitsOf(made.dtype) < 8)
        return Message("kernel.type",
                       {{"value", made.id}, {"type", std::string(nameOf(made.dtype))}});
    for (const int input : unit.inputs) {
        if (input < 0 || !b.var(input).isStatic)
            return Message("kernel.dynamic-shape", {{"value", made.id}});
        if (b.var(input).dtype != made.dtype || productOf(b.shape(input)) == 0 ||
            b.shape(input).size() != made.shape.size())
            return Message("kernel.empty", {{"value", b.var(input).id}});
    }
    return emitConcat(b, unit, Layout::plain, *axis);
}

namespace {

Why splitSizes(const Builder& b, const Unit& unit, std::size_t& axis, Sizes& sizes)
{
    if (unit.inputs.empty() || unit.inputs[0] < 0 || unit.outputs.empty())
        return noKernel(unit);
    const Var& from = b.var(unit.inputs[0]);
    if (!from.isStatic || bitsOf(from.dtype) < 8)
        return Message("kernel.dynamic-shape", {{"value", from.id}});
    const auto normal = normalizeAxis(unit.node->attributes.getInt("axis", 0), from.shape.size());
    if (!normal)
        return Message("kernel.axes");
    axis = *normal;
    std::int64_t total = 0;
    for (const int output : unit.outputs) {
        if (output < 0)
            return Message("kernel.several-outputs");
        const Var& made = b.var(output);
        if (!made.isStatic || productOf(made.shape) == 0)
            return Message("kernel.dynamic-shape", {{"value", made.id}});
        sizes.push_back(made.shape[axis]);
        total += made.shape[axis];
    }
    if (total != from.shape[axis])
        return noKernel(unit);
    return std::nullopt;
}

} // namespace

// Channels of one image in blocks: each part is a stretch of the whole.
Why buildBlockedSplit(Builder& b, const Unit& unit)
{
    std::size_t axis = 0;
    Sizes sizes;
    if (auto why = splitSizes(b, unit, axis, sizes))
        return why;
    const int from = unit.inputs[0];
    if (axis != 1 || !b.isBlocked(from) || b.shape(from)[0] != 1)
        return Message("kernel.plain-operands");
    const kernels::ImageShape image = imageOf(b.shape(from));
    std::int64_t offset = 0;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        if (sizes[i] % kernels::blockLanes() != 0)
            return Message("kernel.part-channels", {{"channels", sizes[i]}});
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        b.aliasPart(unit.outputs[i], Layout::blocked, from, offset);
        offset += sizes[i] * image.spatial * 4;
    }
    return std::nullopt;
}

Why buildSplit(Builder& b, const Unit& unit)
{
    std::size_t axis = 0;
    Sizes sizes;
    if (auto why = splitSizes(b, unit, axis, sizes))
        return why;
    const Sizes whole = b.shape(unit.inputs[0]);
    const Around side = around(whole, axis);
    const std::int64_t one = *bytesOf(b.var(unit.inputs[0]).dtype, side.inner);
    const std::int64_t rowBytes = one * whole[axis];
    const std::int64_t outer = side.outer;
    Draft draft(b, unit, "split", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    std::vector<int> to;
    for (const int output : unit.outputs)
        to.push_back(draft.write(output));
    draft.commit([=](RunState& state) {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::int64_t bytes = sizes[i] * one;
            const Sizes shape{outer, bytes};
            const Sizes rows{rowBytes, 1};
            const Sizes dense{bytes, 1};
            if (!kernels::runStridedCopy(shape, rows, dense, 1, state.bytes(from) + offset,
                                         state.place(to[i]), state.pool))
                return finished(false);
            offset += bytes;
        }
        return finished(true);
    });
    return std::nullopt;
}

} // namespace fusescope::fused
