#pragma once

#include "core/exec/kernels_support.h"

#include "exec/kernels/reorder.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace fusescope::test {

using namespace fusescope::kernels;

inline std::int64_t volume(const Extent& e)
{
    return e[0] * e[1] * e[2];
}

// Two dimensions, `pad` on all sides, output by the formula.
inline ConvolutionShape shape2d(std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width,
                         std::int64_t kernel, std::int64_t stride = 1, std::int64_t pad = 0,
                         std::int64_t groups = 1, std::int64_t dilation = 1, std::int64_t batch = 1)
{
    ConvolutionShape s;
    s.batch = batch;
    s.inChannels = in;
    s.outChannels = out;
    s.groups = groups;
    s.input = {1, height, width};
    s.kernel = {1, kernel, kernel};
    s.stride = {1, stride, stride};
    s.dilation = {1, dilation, dilation};
    s.padBefore = {0, pad, pad};
    const auto size = [&](std::int64_t n) {
        return (n + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
    };
    s.output = {1, size(height), size(width)};
    return s;
}

inline ConvolutionShape shape3d(Extent input, Extent kernel, Extent stride, Extent pad)
{
    ConvolutionShape s;
    s.inChannels = 5;
    s.outChannels = 19;
    s.input = input;
    s.kernel = kernel;
    s.stride = stride;
    s.padBefore = pad;
    for (int i = 0; i < 3; ++i)
        s.output[i] = (input[i] + 2 * pad[i] - kernel[i]) / stride[i] + 1;
    return s;
}

struct ConvolutionData
{
    std::vector<float> input, weights, bias;
};

inline ConvolutionData dataFor(const ConvolutionShape& s)
{
    ConvolutionData data;
    data.input = randomFloats(s.batch * s.inChannels * volume(s.input), 1);
    data.weights = randomFloats(s.outChannels * s.inChannels / s.groups * volume(s.kernel), 2);
    data.bias = randomFloats(s.outChannels, 3);
    return data;
}

// Runs a plan; input and output plain outside.
inline std::vector<float> runPlan(const ConvolutionPlan& plan, const ConvolutionData& data, const Epilogue& epilogue,
                           ThreadPool& pool, const ChannelPrologue& prologue = {})
{
    const ConvolutionShape& s = plan.shape;
    const bool plain = plan.method == ConvolutionMethod::FirstLayer;
    Guarded input(plain ? data.input
                        : blockedOf(data.input, s.batch, s.inChannels, volume(s.input)));
    Guarded packed(packedWeightFloats(plan));
    packConvolutionWeights(plan, data.weights.data(), packed.data(), pool);
    Guarded scratch(convolutionScratchFloats(plan, pool.threads()));
    const ImageShape out{s.batch, s.outChannels, volume(s.output)};
    Guarded output(blockedFloats(out));
    const SourceView view{input.data(), s.inChannels, 0};
    ConvolutionArguments arguments;
    arguments.sources = {&view, 1};
    arguments.packedWeights = packed.data();
    arguments.output = output.data();
    arguments.scratch = scratch.data();
    arguments.prologue = prologue;
    arguments.epilogue = epilogue;
    if (!runConvolution(plan, arguments, pool) || !input.intact() || !packed.intact() ||
        !scratch.intact() || !output.intact())
        return {};
    return plainOf(output.data(), s.batch, s.outChannels, volume(s.output));
}

// What a sum of that magnitude may be off by; Winograd's transforms amplify.
inline double boundOf(ConvolutionMethod method)
{
    switch (method) {
    case ConvolutionMethod::Winograd2:
        return 4e-7;
    case ConvolutionMethod::Winograd4:
        return 4e-6;
    default:
        return 3e-7;
    }
}

// F(4x4) spreads the rounding of the largest sum of a tile over all its results.
inline std::function<double(std::size_t)> boundsOf(ConvolutionMethod method,
                                            const ConvolutionOracle& oracle)
{
    double largest = 0;
    for (const double m : oracle.magnitude)
        largest = std::max(largest, m);
    const bool winograd =
        method == ConvolutionMethod::Winograd2 || method == ConvolutionMethod::Winograd4;
    return [=, &oracle](std::size_t i) {
        return boundOf(method) * (winograd ? largest : oracle.magnitude[i]) + 1e-30;
    };
}

inline QString check(const ConvolutionShape& s, ConvolutionMethod method)
{
    const ConvolutionData data = dataFor(s);
    const ConvolutionOracle oracle = convolve(s, data.input, data.weights, data.bias);
    Epilogue epilogue;
    epilogue.bias = data.bias.data();
    return overTargets(
        [&](ThreadPool& pool) { return runPlan(planConvolution(s, method), data, epilogue, pool); },
        [&](const std::vector<float>& result) {
            return compare(result, oracle.result, boundsOf(method, oracle));
        });
}

} // namespace fusescope::test
