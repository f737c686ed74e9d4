#include "exec/fused/steps.h"

#include "exec/kernels/pooling.h"
#include "exec/kernels/reduce.h"
#include "ops/window.h"

#include <algorithm>
#include <array>

namespace fusescope::fused {

Message noKernel(const Unit& unit)
{
    return Message("kernel.none", {{"op", unit.node->op.type}});
}

Message formWithoutKernel(const char* attribute, const std::string& value)
{
    return Message("kernel.attribute", {{"name", std::string(attribute)}, {"value", value}});
}

namespace {

kernels::Extent extentOf(const Sizes& sizes, std::int64_t lead)
{
    kernels::Extent extent{lead, lead, lead};
    for (std::size_t i = 0; i < sizes.size(); ++i)
        extent[3 - sizes.size() + i] = sizes[i];
    return extent;
}

bool hasOneOutput(const Unit& unit)
{
    return !unit.outputs.empty() && unit.outputs[0] >= 0 &&
           std::all_of(unit.outputs.begin() + 1, unit.outputs.end(),
                       [](int output) { return output < 0; });
}

} // namespace

std::optional<std::vector<std::size_t>> axesOf(const Builder& b, const Unit& unit,
                                               std::size_t input, std::size_t rank)
{
    std::optional<Sizes> given = unit.node->attributes.getInts("axes");
    if (!given && unit.inputs.size() > input && unit.inputs[input] >= 0) {
        if (!b.isConstant(unit.inputs[input]))
            return std::nullopt;
        given = b.var(unit.inputs[input]).constant->asInts();
    }
    std::vector<std::size_t> axes;
    if (!given || given->empty()) {
        if (unit.node->attributes.getInt("noop_with_empty_axes", 0) != 0)
            return std::nullopt;
        for (std::size_t i = 0; i < rank; ++i)
            axes.push_back(i);
        return axes;
    }
    for (const std::int64_t axis : *given) {
        const auto normal = normalizeAxis(axis, rank);
        if (!normal)
            return std::nullopt;
        axes.push_back(*normal);
    }
    std::ranges::sort(axes);
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
}

Why buildPool(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || !hasOneOutput(unit))
        return Message("kernel.several-outputs");
    if (auto why = b.whyNotFloat(unit))
        return why;
    const Attributes& attributes = unit.node->attributes;
    const Sizes input = b.shape(unit.inputs[0]);
    const Sizes output = b.shape(unit.outputs[0]);
    const auto kernel = attributes.getInts("kernel_shape");
    if (input.size() < 3 || input.size() > 5 || !kernel || kernel->size() + 2 != input.size() ||
        output.size() != input.size())
        return noKernel(unit);
    auto window = readWindow(attributes, *kernel);
    const Sizes in(input.begin() + 2, input.end());
    const Sizes out(output.begin() + 2, output.end());
    if (!window)
        return noKernel(unit);
    const auto resolved = resolveWindow(*window, in);
    if (!resolved || *resolved != out)
        return noKernel(unit);
    const auto isNegative = [](std::int64_t pad) { return pad < 0; };
    if (std::ranges::any_of(window->padBegin, isNegative) ||
        std::ranges::any_of(window->padEnd, isNegative))
        return formWithoutKernel("pads", shapeText(window->padBegin));
    kernels::PoolShape s;
    const bool max = unit.node->op.type == "MaxPool";
    s.kind = max ? kernels::PoolKind::Max
                 : (attributes.getInt("count_include_pad", 0) != 0
                        ? kernels::PoolKind::AverageIncludingPad
                        : kernels::PoolKind::Average);
    s.batch = input[0];
    s.channels = input[1];
    s.input = extentOf(in, 1);
    s.output = extentOf(out, 1);
    s.kernel = extentOf(*kernel, 1);
    s.stride = extentOf(window->strides, 1);
    s.dilation = extentOf(window->dilations, 1);
    s.padBefore = extentOf(window->padBegin, 0);
    s.padAfter = extentOf(window->padEnd, 0);
    const bool blocked = b.isBlocked(unit.inputs[0]);
    const Layout layout = blocked ? Layout::blocked : Layout::plain;
    Draft draft(b, unit, max ? "maxpool" : "averagepool", layout);
    const Operand from = draft.read(unit.inputs[0], layout);
    const int to = draft.write(unit.outputs[0], layout);
    draft.setFlops(static_cast<double>(productOf(output)) *
                   static_cast<double>(productOf(*kernel)));
    draft.commit([=](RunState& state) {
        return finished(
            kernels::runPool(s, blocked, state.floats(from), state.floatsAt(to), state.pool));
    });
    return std::nullopt;
}

namespace {

Why emitGlobalPool(Builder& b, const Unit& unit, kernels::PoolKind kind)
{
    const kernels::ImageShape image = imageOf(b.shape(unit.inputs[0]));
    const bool blocked = b.isBlocked(unit.inputs[0]);
    const Layout layout = blocked ? Layout::blocked : Layout::plain;
    Draft draft(b, unit, kind == kernels::PoolKind::Max ? "global maxpool" : "global averagepool",
                layout);
    const Operand from = draft.read(unit.inputs[0], layout);
    const int to = draft.write(unit.outputs[0]);
    draft.setFlops(static_cast<double>(productOf(b.shape(unit.inputs[0]))));
    draft.commit([=](RunState& state) {
        return finished(kernels::runGlobalPool(kind, image.batch, image.channels, image.spatial,
                                               blocked, false, state.floats(from),
                                               state.floatsAt(to), state.pool));
    });
    return std::nullopt;
}

} // namespace

Why buildGlobalPool(Builder& b, const Unit& unit)
{
    if (auto why = b.whyNotFloat(unit))
        return why;
    if (unit.inputs.size() != 1 || unit.outputs.size() != 1 || b.shape(unit.inputs[0]).size() < 3)
        return noKernel(unit);
    return emitGlobalPool(b, unit,
                          unit.node->op.type == "GlobalMaxPool" ? kernels::PoolKind::Max
                                                                : kernels::PoolKind::Average);
}

// ReduceMean and ReduceMax over all spatial axes.
Why buildSpatialMean(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.outputs.size() != 1 || unit.outputs[0] < 0)
        return noKernel(unit);
    const int ends[] = {unit.inputs[0], unit.outputs[0]};
    if (auto why = b.whyNotFloat(ends))
        return why;
    const std::size_t rank = b.shape(unit.inputs[0]).size();
    const auto axes = axesOf(b, unit, 1, rank);
    if (!axes || rank < 3 || axes->size() != rank - 2 || axes->front() != 2)
        return Message("kernel.axes");
    return emitGlobalPool(b, unit,
                          unit.node->op.type == "ReduceMax" ? kernels::PoolKind::Max
                                                            : kernels::PoolKind::Average);
}

Why buildReduce(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.outputs.size() != 1 || unit.outputs[0] < 0)
        return noKernel(unit);
    const int ends[] = {unit.inputs[0], unit.outputs[0]};
    if (auto why = b.whyNotFloat(ends))
        return why;
    struct Row
    {
        std::string_view op;
        kernels::ReduceKind kind;
    };
    static constexpr std::array rows{Row{"ReduceSum", kernels::ReduceKind::Sum},
                                     Row{"ReduceMean", kernels::ReduceKind::Mean},
                                     Row{"ReduceMax", kernels::ReduceKind::Max},
                                     Row{"ReduceMin", kernels::ReduceKind::Min},
                                     Row{"ReduceL1", kernels::ReduceKind::SumAbs},
                                     Row{"ReduceProd", kernels::ReduceKind::Prod},
                                     Row{"ReduceSumSquare", kernels::ReduceKind::SumSquare}};
    const auto row = std::ranges::find(rows, unit.node->op.type, &Row::op);
    if (row == rows.end())
        return noKernel(unit);
    const Sizes input = b.shape(unit.inputs[0]);
    const auto axes = axesOf(b, unit, 1, input.size());
    if (!axes || axes->empty() || axes->back() - axes->front() + 1 != axes->size())
        return Message("kernel.axes");
    std::int64_t outer = 1;
    std::int64_t axis = 1;
    std::int64_t inner = 1;
    for (std::size_t i = 0; i < input.size(); ++i)
        (i < axes->front() ? outer : (i > axes->back() ? inner : axis)) *= input[i];
    const kernels::ReduceKind kind = row->kind;
    Draft draft(b, unit, "reduce", Layout::plain);
    const Operand from = draft.read(unit.inputs[0]);
    const int to = draft.write(unit.outputs[0]);
    draft.setFlops(static_cast<double>(productOf(input)));
    draft.commit([=](RunState& state) {
        return finished(kernels::runReduce(kind, outer, axis, inner, state.floats(from),
                                           state.floatsAt(to), state.pool));
    });
    return std::nullopt;
}

} // namespace fusescope::fused
