#include "exec/fused/epilogue_plan.h"

#include "exec/kernels/convolution.h"
#include "ops/window.h"

#include <algorithm>

namespace fusescope::fused {

using kernels::ConvolutionMethod;
using kernels::Extent;

namespace {

// Plain input with few channels is read as it is; more are worth a reorder.
constexpr std::int64_t fewChannels = 8;

Extent extentOf(std::span<const std::int64_t> sizes, std::int64_t lead)
{
    Extent extent{lead, lead, lead};
    for (std::size_t i = 0; i < sizes.size(); ++i)
        extent[3 - sizes.size() + i] = sizes[i];
    return extent;
}

// Elements, counted without overflow.
double countOf(std::int64_t batch, std::int64_t channels, const Extent& sizes)
{
    double count = static_cast<double>(batch) * static_cast<double>(channels);
    for (const std::int64_t size : sizes)
        count *= static_cast<double>(size);
    return count;
}

// Whether a copy of the input that the kernels would read dwarfs input and output: taps or strides
// that reach far beyond the picture, where the plain kernel skips what is padding.
bool isMostlyPadding(const kernels::ConvolutionShape& s, double copied)
{
    constexpr double few = 1 << 20, times = 64;
    return copied > few && copied > times * (countOf(s.batch, s.inChannels, s.input) +
                                             countOf(s.batch, s.outChannels, s.output));
}

// The part of the input that the taps span, padding included.
double spannedBy(const kernels::ConvolutionShape& s)
{
    Extent spanned;
    for (std::size_t i = 0; i < spanned.size(); ++i)
        spanned[i] = (s.output[i] - 1) * s.stride[i] + (s.kernel[i] - 1) * s.dilation[i] + 1;
    return countOf(s.batch, s.inChannels, spanned);
}

Why shapeOf(const Builder& b, const Unit& unit, const Sizes& input, bool transposed,
            kernels::ConvolutionShape& s)
{
    const Sizes& weights = b.shape(unit.inputs[1]);
    const Sizes& output = b.shape(unit.outputs[0]);
    const auto rank = [&](const Sizes& sizes) {
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(sizes.size())}});
    };
    if (input.size() < 3 || input.size() > 5 || weights.size() != input.size() ||
        output.size() != input.size())
        return rank(input);
    const Sizes kernel(weights.begin() + 2, weights.end());
    const Attributes& attributes = unit.node->attributes;
    const auto given = attributes.getInts("kernel_shape");
    auto window = readWindow(attributes, kernel);
    if (!window || (given && *given != kernel))
        return Message("kernel.attribute",
                       {{"name", std::string("kernel_shape")}, {"value", shapeText(kernel)}});
    const std::span<const std::int64_t> in(input.data() + 2, input.size() - 2);
    const std::span<const std::int64_t> out(output.data() + 2, output.size() - 2);
    if (transposed) {
        if (window->autoPad != Window::AutoPad::explicitPads || attributes.has("output_shape"))
            return Message("kernel.attribute",
                           {{"name", std::string("output_shape")},
                            {"value", shapeText(Sizes(out.begin(), out.end()))}});
        const Sizes more = attributes.getInts("output_padding").value_or(Sizes(in.size(), 0));
        if (more.size() != in.size() || mostOutputPadding(*window, more) ||
            std::ranges::any_of(more, [](std::int64_t pad) { return pad < 0; }))
            return Message("kernel.attribute",
                           {{"name", std::string("output_padding")}, {"value", shapeText(more)}});
        // The plan has an entry for each phase of a stride.
        constexpr double mostPhases = 65536;
        double phases = 1;
        for (const std::int64_t stride : window->strides)
            phases *= static_cast<double>(stride);
        if (phases > mostPhases)
            return Message("kernel.attribute",
                           {{"name", std::string("strides")}, {"value", shapeText(window->strides)}});
    } else {
        const auto resolved = resolveWindow(*window, in);
        if (!resolved || !std::ranges::equal(*resolved, out))
            return rank(output);
    }
    if (std::ranges::any_of(window->padBegin, [](std::int64_t pad) { return pad < 0; }))
        return Message("kernel.attribute",
                       {{"name", std::string("pads")}, {"value", shapeText(window->padBegin)}});
    s.batch = input[0];
    s.inChannels = input[1];
    s.outChannels = output[1];
    s.groups = attributes.getInt("group", 1);
    s.input = extentOf(in, 1);
    s.output = extentOf(out, 1);
    s.kernel = extentOf(kernel, 1);
    s.stride = extentOf(window->strides, 1);
    s.dilation = extentOf(window->dilations, 1);
    s.padBefore = extentOf(window->padBegin, 0);
    const std::int64_t outer = transposed ? s.inChannels : s.outChannels;
    const std::int64_t inner = transposed ? s.outChannels : s.inChannels;
    if (s.groups < 1 || s.inChannels % s.groups != 0 || s.outChannels % s.groups != 0 ||
        weights[0] != outer || weights[1] != inner / s.groups)
        return Message("kernel.attribute",
                       {{"name", std::string("group")}, {"value", std::to_string(s.groups)}});
    if (!transposed && isMostlyPadding(s, spannedBy(s)))
        return Message("kernel.attribute",
                       {{"name", std::string("pads")}, {"value", shapeText(window->padBegin)}});
    return std::nullopt;
}

// Why each better method was not taken, for the report.
void rejectBetter(Builder& b, const kernels::ConvolutionShape& s, ConvolutionMethod taken)
{
    if (taken != ConvolutionMethod::Direct && taken != ConvolutionMethod::Winograd2 &&
        taken != ConvolutionMethod::FirstLayer)
        return;
    const bool fits = s.groups == 1 && s.kernel == Extent{1, 3, 3} && s.stride == Extent{1, 1, 1} &&
                      s.dilation == Extent{1, 1, 1};
    Message why("kernel.winograd-form");
    const std::int64_t tile = taken == ConvolutionMethod::Winograd2 ? 4 : 2;
    if (!b.options().winograd)
        why = Message("kernel.winograd-off");
    else if (fits && s.inChannels < 32)
        why = Message("kernel.winograd-channels", {{"channels", s.inChannels}});
    else if (fits)
        why = Message("kernel.winograd-tiles", {{"tiles", ((s.output[1] + tile - 1) / tile) *
                                                              ((s.output[2] + tile - 1) / tile)}});
    b.reject(taken == ConvolutionMethod::Winograd2 ? "winograd-f4" : "winograd", why);
}

std::string nameOf(const kernels::ConvolutionShape& s, ConvolutionMethod method, bool transposed)
{
    std::string name = transposed ? "convtranspose" : "conv";
    name += std::to_string(s.kernel[1]) + "x" + std::to_string(s.kernel[2]);
    switch (method) {
    case ConvolutionMethod::Direct:
        return name + (s.groups > 1 ? " grouped" : " direct");
    case ConvolutionMethod::FirstLayer:
        return name + " first-layer";
    case ConvolutionMethod::Depthwise:
        return name + " depthwise";
    case ConvolutionMethod::Winograd2:
        return name + " winograd-f2";
    case ConvolutionMethod::Winograd4:
        return name + " winograd-f4";
    }
    return name;
}

} // namespace

Why emitConvolution(Builder& b, const Unit& reported, const Unit& unit,
                    const std::vector<int>& parts, const Tail& tail)
{
    if (unit.inputs.size() < 2 || unit.outputs.size() != 1 || unit.inputs[1] < 0)
        return Message("kernel.none", {{"op", unit.node->op.type}});
    if (auto why = b.whyNotFloat(unit))
        return why;
    if (auto why = b.whyNotFloat(parts))
        return why;
    if (auto why = b.whyNotFloat(tail.program.inputs))
        return why;
    const int results[] = {tail.output};
    if (auto why = b.whyNotFloat(results))
        return why;
    if (b.shape(tail.output) != b.shape(unit.outputs[0]))
        return Message("kernel.broadcast", {{"value", b.var(tail.output).id}});
    const bool transposed = unit.node->op.type == "ConvTranspose";
    Sizes input = b.shape(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i)
        input[1] += b.shape(parts[i])[1];
    kernels::ConvolutionShape s;
    if (auto why = shapeOf(b, unit, input, transposed, s))
        return why;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (b.shape(parts[i])[1] % kernels::blockLanes() != 0)
            return Message("kernel.part-channels", {{"channels", b.shape(parts[i])[1]}});
    }
    const int bias = unit.inputs.size() > 2 ? unit.inputs[2] : -1;
    if (bias >= 0 && b.shape(bias) != Sizes{s.outChannels})
        return Message("kernel.broadcast", {{"value", b.var(bias).id}});

    const bool plainSource = !transposed && parts.size() == 1 && !b.isBlocked(parts[0]) &&
                             s.groups == 1 && s.inChannels <= fewChannels;
    const ConvolutionMethod method =
        transposed ? ConvolutionMethod::Direct
                   : kernels::chooseConvolution(s, plainSource, b.options().winograd);
    const auto plan = std::make_shared<const kernels::ConvolutionPlan>(
        transposed ? kernels::planConvolutionTranspose(s) : kernels::planConvolution(s, method));
    const std::int64_t scratchFloats =
        (kernels::convolutionScratchFloats(*plan, b.pool().threads()) + 15) / 16 * 16;
    if (isMostlyPadding(s, static_cast<double>(scratchFloats)))
        return Message("kernel.attribute", {{"name", std::string("strides")},
                                            {"value", shapeText(s.stride)}});
    rejectBetter(b, s, method);
    const EpiloguePlan epilogue = planEpilogue(b, tail.program, tail.main, 1, bias);

    Draft draft(b, reported, nameOf(s, method, transposed), Layout::blocked);
    std::vector<Operand> sources;
    std::vector<std::int64_t> channels;
    const Layout sourceLayout =
        method == ConvolutionMethod::FirstLayer ? Layout::plain : Layout::blocked;
    for (const int part : parts) {
        sources.push_back(draft.read(part, sourceLayout));
        channels.push_back(b.shape(part)[1]);
    }
    const std::int64_t packedFloats = kernels::packedWeightFloats(*plan);
    const bool packsNow = b.isConstant(unit.inputs[1]);
    std::int64_t packed = 0;
    Operand weights;
    if (packsNow) {
        packed = b.addPacking(packedFloats, [plan, tensor = b.var(unit.inputs[1]).constant](
                                                float* to, kernels::ThreadPool& pool) {
            kernels::packConvolutionWeights(*plan, tensor->aligned<float>().data(), to, pool);
        });
    } else {
        weights = draft.read(unit.inputs[1]);
    }
    const BoundEpilogue bound(draft, epilogue, Layout::blocked);
    ElementPass rest;
    if (epilogue.hasRest())
        rest = makePass(b, draft, epilogue.rest, tail.output, Layout::blocked, tail.main);
    const int to = draft.write(tail.output, Layout::blocked);
    draft.mayReplace(bound.residual(), to);
    draft.setScratch((scratchFloats + (packsNow ? 0 : packedFloats)) * 4);
    const double taps = static_cast<double>(s.kernel[0] * s.kernel[1] * s.kernel[2]);
    const Extent& walked = transposed ? s.input : s.output;
    draft.setFlops(2.0 * taps * static_cast<double>(s.batch * walked[0] * walked[1] * walked[2]) *
                   static_cast<double>(s.inChannels) *
                   (static_cast<double>(s.outChannels) / static_cast<double>(s.groups)));
    const bool hasRest = epilogue.hasRest();
    draft.commit([=](RunState& state) {
        std::vector<kernels::SourceView> views;
        for (std::size_t i = 0; i < sources.size(); ++i)
            views.push_back({state.floats(sources[i]), channels[i], 0});
        std::vector<kernels::EpilogueStep> steps;
        kernels::ConvolutionArguments arguments;
        arguments.sources = views;
        arguments.scratch = state.scratch();
        if (packsNow) {
            arguments.packedWeights = state.weights(packed);
        } else {
            float* made = state.scratch() + scratchFloats;
            kernels::packConvolutionWeights(*plan, state.floats(weights), made, state.pool);
            arguments.packedWeights = made;
        }
        arguments.output = state.floatsAt(to);
        arguments.epilogue = bound.bind(state, steps);
        if (!kernels::runConvolution(*plan, arguments, state.pool))
            return finished(false);
        return finished(!hasRest || rest.run(state, state.floatsAt(to)));
    });
    b.settle(tail.output);
    return std::nullopt;
}

Why buildConvolution(Builder& b, const Unit& unit)
{
    if (unit.inputs.empty() || unit.outputs.empty() || unit.outputs[0] < 0)
        return Message("kernel.none", {{"op", unit.node->op.type}});
    Tail tail;
    tail.main = tail.output = unit.outputs[0];
    return emitConvolution(b, unit, unit, {unit.inputs[0]}, tail);
}

} // namespace fusescope::fused
