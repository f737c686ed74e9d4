#include "exec/fused/steps.h"

#include "exec/kernels/copy.h"
#include "ops/slice_lists.h"

#include <algorithm>
#include <numeric>

namespace fusescope::fused {

namespace {

int elementBytes(DType type)
{
    const int bits = bitsOf(type);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

// Moves elements of any type of whole bytes; sizes known, at least one element.
Why whyNotMoved(const Builder& b, int index)
{
    if (index < 0)
        return std::nullopt;
    const Var& v = b.var(index);
    if (!v.isStatic)
        return Message("kernel.dynamic-shape", {{"value", v.id}});
    if (elementBytes(v.dtype) == 0)
        return Message("kernel.type", {{"value", v.id}, {"type", std::string(nameOf(v.dtype))}});
    if (productOf(v.shape) == 0)
        return Message("kernel.empty", {{"value", v.id}});
    return std::nullopt;
}

Why whyNotMoved(const Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.inputs[0] < 0 || unit.outputs.empty())
        return noKernel(unit);
    if (auto why = whyNotMoved(b, unit.inputs[0]))
        return why;
    for (const int output : unit.outputs) {
        if (auto why = whyNotMoved(b, output))
            return why;
    }
    return std::nullopt;
}

// One box of elements, copied by strides in elements.
struct Box
{
    Sizes shape, from, to;
    std::int64_t fromOffset = 0, toOffset = 0;
};

void commitCopy(Draft& draft, Operand from, int to, Box box, int bytes)
{
    draft.commit([=](RunState& state) {
        return finished(kernels::runStridedCopy(
            box.shape, box.from, box.to, bytes, state.bytes(from) + box.fromOffset * bytes,
            state.place(to) + box.toOffset * bytes, state.pool));
    });
}

Why emitTranspose(Builder& b, const Unit& unit, const Sizes& shape, const std::vector<int>& order,
                  const char* name)
{
    const int bytes = elementBytes(b.var(unit.inputs[0]).dtype);
    Draft draft(b, unit, name, Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    draft.commit([=](RunState& state) {
        return finished(kernels::runTranspose(shape, order, bytes, state.bytes(from),
                                              state.place(to), state.pool));
    });
    return std::nullopt;
}

} // namespace

// What only renames its operand or sees it in another shape.
Why buildView(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.inputs[0] < 0 || unit.outputs.empty() || unit.outputs[0] < 0)
        return noKernel(unit);
    if (std::any_of(unit.outputs.begin() + 1, unit.outputs.end(), [](int o) { return o >= 0; }))
        return Message("kernel.several-outputs");
    const Var& from = b.var(unit.inputs[0]);
    const Var& made = b.var(unit.outputs[0]);
    if (!from.isStatic || !made.isStatic)
        return Message("kernel.dynamic-shape", {{"value", (from.isStatic ? made : from).id}});
    if (from.dtype != made.dtype || productOf(from.shape) != productOf(made.shape) ||
        from.dtype == DType::string || bitsOf(from.dtype) < 8)
        return Message("kernel.type",
                       {{"value", from.id}, {"type", std::string(nameOf(from.dtype))}});
    const Node& node = *unit.node;
    // What the axes are decides whether the node may run at all.
    if (node.op.type == "Squeeze" && unit.inputs.size() > 1 && unit.inputs[1] >= 0 &&
        !b.isConstant(unit.inputs[1]))
        return Message("kernel.dynamic-shape", {{"value", b.var(unit.inputs[1]).id}});
    if (node.op.type == "Dropout") {
        const bool training = unit.inputs.size() > 2 && unit.inputs[2] >= 0 &&
                              b.scalar(unit.inputs[2]).value_or(1) != 0;
        if (training || (unit.since < 7 && node.attributes.getInt("is_test", 0) == 0))
            return formWithoutKernel("training_mode", "1");
    }
    b.alias(unit.outputs[0], unit.inputs[0]);
    return std::nullopt;
}

Why buildTranspose(Builder& b, const Unit& unit)
{
    if (auto why = whyNotMoved(b, unit))
        return why;
    const Sizes shape = b.shape(unit.inputs[0]);
    if (shape.size() > 16)
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(shape.size())}});
    std::vector<int> order(shape.size());
    std::iota(order.rbegin(), order.rend(), 0);
    if (const auto given = unit.node->attributes.getInts("perm")) {
        if (given->size() != shape.size())
            return formWithoutKernel("perm", shapeText(*given));
        std::transform(given->begin(), given->end(), order.begin(),
                       [](std::int64_t axis) { return static_cast<int>(axis); });
    }
    std::vector<int> sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<int>(i))
            return formWithoutKernel("perm", "");
    }
    // Axes of one element may go anywhere.
    std::vector<int> moved;
    for (const int axis : order) {
        if (shape[static_cast<std::size_t>(axis)] != 1)
            moved.push_back(axis);
    }
    if (std::ranges::is_sorted(moved)) {
        b.alias(unit.outputs[0], unit.inputs[0]);
        return std::nullopt;
    }
    return emitTranspose(b, unit, shape, order, "transpose");
}

Why buildDepthToSpace(Builder& b, const Unit& unit)
{
    if (auto why = whyNotMoved(b, unit))
        return why;
    const Sizes s = b.shape(unit.inputs[0]);
    const std::int64_t size = unit.node->attributes.getInt("blocksize", 0);
    if (s.size() != 4 || size < 1)
        return noKernel(unit);
    if (unit.node->op.type == "SpaceToDepth") {
        // The other order of channels, of 28 and later, is left to the reference kernel.
        if (s[2] % size != 0 || s[3] % size != 0 ||
            unit.node->attributes.getString("mode", "DCR") != "DCR")
            return noKernel(unit);
        return emitTranspose(b, unit, {s[0], s[1], s[2] / size, size, s[3] / size, size},
                             {0, 3, 5, 1, 2, 4}, "space-to-depth");
    }
    if (s[1] % (size * size) != 0)
        return noKernel(unit);
    const std::int64_t channels = s[1] / (size * size);
    if (unit.node->attributes.getString("mode", "DCR") == "CRD")
        return emitTranspose(b, unit, {s[0], channels, size, size, s[2], s[3]}, {0, 1, 4, 2, 5, 3},
                             "depth-to-space");
    return emitTranspose(b, unit, {s[0], size, size, channels, s[2], s[3]}, {0, 3, 4, 1, 5, 2},
                         "depth-to-space");
}

Why buildSlice(Builder& b, const Unit& unit)
{
    if (auto why = whyNotMoved(b, unit))
        return why;
    const Sizes input = b.shape(unit.inputs[0]);
    const Sizes output = b.shape(unit.outputs[0]);
    Why variable;
    const auto has = [&in = unit.inputs](std::size_t i) { return i < in.size() && in[i] >= 0; };
    const auto read = [&](std::size_t i) -> std::optional<Sizes> {
        if (!has(i))
            return std::nullopt;
        const Var& list = b.var(unit.inputs[i]);
        if (!variable && !b.isConstant(unit.inputs[i]))
            variable = Message("kernel.not-constant", {{"value", list.id}});
        return variable ? std::nullopt : std::optional(list.constant->asInts());
    };
    const SliceLists lists = sliceLists(*unit.node, unit.since, has, read);
    if (variable)
        return variable;
    if (!lists.areComplete() || output.size() != input.size())
        return noKernel(unit);
    Box box;
    box.shape = output;
    box.from = stridesOf(input);
    box.to = stridesOf(output);
    const Sizes strides = box.from;
    for (std::size_t i = 0; i < lists.starts->size(); ++i) {
        const auto axis = normalizeAxis((*lists.axes)[i], input.size());
        if (!axis)
            return Message("kernel.axes");
        const std::int64_t step = (*lists.steps)[i];
        const std::int64_t size = input[*axis];
        const std::int64_t start = sliceRun((*lists.starts)[i], (*lists.ends)[i], step, size).first;
        const std::int64_t last = start + (output[*axis] - 1) * step;
        if (step == 0 || start < 0 || start >= size || last < 0 || last >= size)
            return noKernel(unit);
        box.fromOffset += start * strides[*axis];
        box.from[*axis] *= step;
    }
    Draft draft(b, unit, "slice", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    commitCopy(draft, from, to, std::move(box), elementBytes(b.var(unit.inputs[0]).dtype));
    return std::nullopt;
}

Why buildExpand(Builder& b, const Unit& unit)
{
    if (auto why = whyNotMoved(b, unit))
        return why;
    const Sizes output = b.shape(unit.outputs[0]);
    if (!broadcastsToSizes(b.shape(unit.inputs[0]), output))
        return noKernel(unit);
    Box box;
    box.shape = output;
    box.from = broadcastStrides(b.shape(unit.inputs[0]), output);
    box.to = stridesOf(output);
    Draft draft(b, unit, "expand", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    commitCopy(draft, from, to, std::move(box), elementBytes(b.var(unit.inputs[0]).dtype));
    return std::nullopt;
}

// Constant padding of floats.
Why buildPad(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.outputs.size() != 1)
        return noKernel(unit);
    const int ends[] = {unit.inputs[0], unit.outputs[0]};
    if (auto why = b.whyNotFloat(ends))
        return why;
    const Attributes& attributes = unit.node->attributes;
    if (attributes.getString("mode", "constant") != "constant")
        return formWithoutKernel("mode", attributes.getString("mode", ""));
    std::optional<Sizes> pads = attributes.getInts(unit.since < 2 ? "paddings" : "pads");
    double value = attributes.getFloat("value", 0);
    for (std::size_t i = 1; i < unit.inputs.size(); ++i) {
        if (unit.inputs[i] < 0)
            continue;
        if (i == 3 || !b.isConstant(unit.inputs[i]))
            return Message("kernel.not-constant", {{"value", b.var(unit.inputs[i]).id}});
        if (i == 1) {
            pads = b.var(unit.inputs[i]).constant->asInts();
        } else {
            const auto one = b.scalar(unit.inputs[i]);
            if (!one)
                return noKernel(unit);
            value = *one;
        }
    }
    const Sizes input = b.shape(unit.inputs[0]);
    const Sizes output = b.shape(unit.outputs[0]);
    if (!pads || pads->size() != 2 * input.size() ||
        std::ranges::any_of(*pads, [](std::int64_t pad) { return pad < 0; }))
        return formWithoutKernel("pads", pads ? shapeText(*pads) : "");
    Box box;
    box.shape = input;
    box.from = stridesOf(input);
    box.to = stridesOf(output);
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (output[i] != input[i] + (*pads)[i] + (*pads)[i + input.size()])
            return noKernel(unit);
        box.toOffset += (*pads)[i] * box.to[i];
    }
    const auto fill = static_cast<float>(value);
    const std::int64_t count = productOf(output);
    Draft draft(b, unit, "pad", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    draft.commit([=](RunState& state) {
        std::fill_n(state.floatsAt(to), count, fill);
        return finished(kernels::runStridedCopy(box.shape, box.from, box.to, 4, state.bytes(from),
                                                state.place(to) + box.toOffset * 4, state.pool));
    });
    return std::nullopt;
}

// Upsampling by whole factors where each element is only repeated.
namespace {

// The scales that a node names, one an axis; empty where it names sizes, nothing where they are not
// known before the run.
std::optional<std::vector<double>> namedScales(const Builder& b, const Unit& unit, std::size_t rank)
{
    const Attributes& a = unit.node->attributes;
    const bool upsample = unit.node->op.type == "Upsample";
    const auto given = [&](std::size_t i) { return i < unit.inputs.size() && unit.inputs[i] >= 0; };
    if (upsample && unit.since < 7) {
        std::vector<double> scales(rank, 1.0);
        scales[rank - 2] = a.getFloat("height_scale", 1.0F);
        scales[rank - 1] = a.getFloat("width_scale", 1.0F);
        return scales;
    }
    if (upsample && unit.since < 9) {
        const auto scales = a.getFloats("scales").value_or(std::vector<float>{});
        return std::vector<double>(scales.begin(), scales.end());
    }
    const auto axes = a.getInts("axes");
    const auto entries = static_cast<std::int64_t>(axes ? axes->size() : rank);
    if (!upsample && unit.since >= 11 && given(3)) {
        if (!b.var(unit.inputs[3]).isStatic)
            return std::nullopt;
        // Where the aspect is kept one scale serves all axes.
        if (const std::int64_t count = productOf(b.shape(unit.inputs[3])); count > 0)
            return count == entries &&
                           a.getString("keep_aspect_ratio_policy", "stretch") == "stretch"
                       ? std::optional(std::vector<double>{})
                       : std::nullopt;
    }
    const std::size_t at = upsample || unit.since < 11 ? 1 : 2;
    if (!given(at) || !b.isConstant(unit.inputs[at]))
        return std::nullopt;
    const Tensor& constant = *b.var(unit.inputs[at]).constant;
    std::vector<double> scales(rank, 1.0);
    const std::int64_t count = constant.elementCount();
    if (count != entries)
        return std::nullopt;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto axis = normalizeAxis(axes ? (*axes)[static_cast<std::size_t>(i)] : i, rank);
        if (!axis)
            return std::nullopt;
        scales[*axis] = constant.asDouble(i);
    }
    return scales;
}

} // namespace

Why buildNearest(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.outputs.size() != 1)
        return noKernel(unit);
    const int ends[] = {unit.inputs[0], unit.outputs[0]};
    if (auto why = b.whyNotFloat(ends))
        return why;
    const Attributes& a = unit.node->attributes;
    const std::string mode = a.getString("mode", "nearest");
    if (mode != "nearest")
        return formWithoutKernel("mode", mode);
    const bool floors = unit.node->op.type == "Upsample" || unit.since < 11;
    const std::string how = a.getString("coordinate_transformation_mode", "half_pixel");
    const std::string rounding = a.getString("nearest_mode", "round_prefer_floor");
    const bool repeats = floors || (how == "asymmetric" && rounding == "floor") ||
                         ((how == "half_pixel" || how == "pytorch_half_pixel") &&
                          (rounding == "round_prefer_floor" || rounding == "round_prefer_ceil"));
    if (!repeats)
        return formWithoutKernel("coordinate_transformation_mode", how + ", " + rounding);
    const Sizes input = b.shape(unit.inputs[0]);
    const Sizes output = b.shape(unit.outputs[0]);
    if (input.size() < 3 || input.size() > 5 || output.size() != input.size() ||
        input[0] != output[0] || input[1] != output[1])
        return noKernel(unit);
    Sizes scales;
    for (std::size_t i = 2; i < input.size(); ++i) {
        if (output[i] % input[i] != 0 || (how == "pytorch_half_pixel" && output[i] == 1))
            return noKernel(unit);
        scales.push_back(output[i] / input[i]);
    }
    // Sizes follow from scales by rounding down: only whole scales repeat evenly.
    const auto named = namedScales(b, unit, input.size());
    if (!named)
        return Message("kernel.not-constant", {{"value", b.var(unit.outputs[0]).id}});
    for (std::size_t i = 0; i < named->size(); ++i) {
        if ((*named)[i] != static_cast<double>(i < 2 ? 1 : scales[i - 2]))
            return formWithoutKernel("scales", std::to_string((*named)[i]));
    }
    const bool blocked = b.isBlocked(unit.inputs[0]);
    const Layout layout = blocked ? Layout::blocked : Layout::plain;
    const std::int64_t lanes = blocked ? kernels::blockLanes() : 1;
    // [planes][size][scale]…[lanes]: the scales have stride 0 in the input.
    Box box;
    box.shape = {input[0] * (blocked ? kernels::channelBlocks(input[1]) : input[1])};
    for (std::size_t i = 0; i < scales.size(); ++i) {
        box.shape.push_back(input[i + 2]);
        box.shape.push_back(scales[i]);
    }
    box.shape.push_back(lanes);
    box.to = stridesOf(box.shape);
    box.from.assign(box.shape.size(), 0);
    std::int64_t step = lanes;
    box.from.back() = 1;
    for (std::size_t i = scales.size(); i-- > 0;) {
        box.from[1 + 2 * i] = step;
        step *= input[i + 2];
    }
    box.from[0] = step;
    Draft draft(b, unit, "nearest", layout);
    const Operand from = draft.read(unit.inputs[0], layout);
    const int to = draft.write(unit.outputs[0], layout);
    commitCopy(draft, from, to, std::move(box), 4);
    return std::nullopt;
}

} // namespace fusescope::fused
