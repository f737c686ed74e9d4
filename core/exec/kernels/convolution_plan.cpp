#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/reorder.h"
#include "exec/kernels/target.h"

#include <algorithm>

namespace fusescope::kernels {

namespace {

using Plan = ConvolutionPlan;

bool takesWinograd(const ConvolutionShape& s)
{
    return s.groups == 1 && s.kernel == Extent{1, 3, 3} && s.stride == Extent{1, 1, 1} &&
           s.dilation == Extent{1, 1, 1} && s.input[0] == 1 && s.output[0] == 1 &&
           s.padBefore[0] == 0;
}

bool isDepthwise(const ConvolutionShape& s)
{
    return s.groups > 1 && s.groups == s.inChannels && s.groups == s.outChannels;
}

std::int64_t tileCount(const ConvolutionShape& s, std::int64_t tile)
{
    return ceilDivide(s.output[1], tile) * ceilDivide(s.output[2], tile);
}

// Last prepared position that a result reads, plus one.
std::int64_t reach(const ConvolutionShape& s, int axis)
{
    return (s.output[axis] - 1) * s.stride[axis] + (s.kernel[axis] - 1) * s.dilation[axis] + 1;
}

// The segments of one phase; `weights` is where the next packed weights go.
std::vector<Plan::Segment> makeSegments(const Plan& plan, std::int64_t taps, std::int64_t& weights)
{
    const ConvolutionShape& s = plan.shape;
    const std::int64_t lanes = plan.lanes;
    const std::int64_t groupIn = s.inChannels / s.groups;
    const std::int64_t groupOut = s.outChannels / s.groups;
    const std::int64_t blocks = channelBlocks(s.outChannels);
    std::vector<Plan::Segment> segments;
    const auto add = [&](std::int64_t block, int count, std::int64_t group, int first, int end) {
        Plan::Segment segment;
        segment.outBlock = block;
        segment.blocks = count;
        segment.firstLane = first;
        segment.endLane = end;
        segment.firstUnit = group * groupIn;
        segment.endUnit = segment.firstUnit + groupIn;
        const std::int64_t channels = groupIn;
        if (!plan.perChannel) {
            segment.firstUnit /= lanes;
            segment.endUnit = ceilDivide(segment.endUnit, lanes);
        }
        segment.weights = weights;
        weights += channels * taps * count * lanes;
        segments.push_back(segment);
    };
    if (s.groups == 1 || groupOut % lanes == 0) {
        const std::int64_t groupBlocks = ceilDivide(groupOut, lanes);
        for (std::int64_t group = 0; group < s.groups; ++group)
            for (std::int64_t block = 0; block < groupBlocks; block += 2)
                add(group * groupBlocks + block, block + 1 < groupBlocks ? 2 : 1, group, 0,
                    plan.lanes);
        return segments;
    }
    for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t begin = block * lanes;
        const std::int64_t end = std::min(begin + lanes, s.outChannels);
        for (std::int64_t group = begin / groupOut; group * groupOut < end; ++group) {
            const std::int64_t first = std::max(begin, group * groupOut) - begin;
            std::int64_t last = std::min(end, (group + 1) * groupOut) - begin;
            if (last == end - begin)
                last = lanes;
            add(block, 1, group, static_cast<int>(first), static_cast<int>(last));
        }
    }
    return segments;
}

std::vector<std::int64_t> chunksOf(const std::vector<Plan::Segment>& segments)
{
    std::vector<std::int64_t> chunks;
    for (std::size_t i = 0; i < segments.size(); ++i)
        if (i == 0 || segments[i].outBlock != segments[i - 1].outBlock)
            chunks.push_back(static_cast<std::int64_t>(i));
    chunks.push_back(static_cast<std::int64_t>(segments.size()));
    return chunks;
}

Plan beginPlan(const ConvolutionShape& shape, ConvolutionMethod method)
{
    Plan plan;
    plan.shape = shape;
    plan.method = method;
    plan.lanes = blockLanes();
    plan.padBefore = shape.padBefore;
    const bool wholeGroups =
        shape.groups == 1 || ((shape.inChannels / shape.groups) % plan.lanes == 0 &&
                              (shape.outChannels / shape.groups) % plan.lanes == 0);
    plan.perChannel = method == ConvolutionMethod::FirstLayer || !wholeGroups;
    return plan;
}

std::int64_t pixelFloats(const Plan& plan)
{
    return plan.method == ConvolutionMethod::FirstLayer ? 1 : plan.lanes;
}

// The taps of one axis: kernel index and prepared offset.
struct AxisTap
{
    std::int64_t kernel;
    std::int64_t offset;
};

void combineTaps(const Plan& plan, const std::array<std::vector<AxisTap>, 3>& axes,
                 Plan::Phase& phase)
{
    const Extent& k = plan.shape.kernel;
    const std::int64_t floats = pixelFloats(plan);
    for (const AxisTap& z : axes[0])
        for (const AxisTap& y : axes[1])
            for (const AxisTap& x : axes[2]) {
                const std::int64_t row = z.offset * plan.prepared[1] + y.offset;
                phase.taps.push_back((row * plan.prepared[2] + x.offset) * floats);
                phase.kernel.push_back((z.kernel * k[1] + y.kernel) * k[2] + x.kernel);
            }
}

} // namespace

ConvolutionMethod chooseConvolution(const ConvolutionShape& shape, bool plainSource, bool winograd)
{
    if (plainSource)
        return ConvolutionMethod::FirstLayer;
    if (isDepthwise(shape))
        return ConvolutionMethod::Depthwise;
    if (winograd && takesWinograd(shape)) {
        if (tileCount(shape, 4) >= 49 && shape.inChannels >= 32)
            return ConvolutionMethod::Winograd4;
        if (tileCount(shape, 2) >= 14)
            return ConvolutionMethod::Winograd2;
    }
    return ConvolutionMethod::Direct;
}

ConvolutionPlan planConvolution(const ConvolutionShape& shape, ConvolutionMethod method,
                                bool alwaysCopy)
{
    Plan plan = beginPlan(shape, method);
    if (method == ConvolutionMethod::Depthwise) {
        plan.weightFloats = channelBlocks(shape.outChannels) * volume(shape.kernel) * plan.lanes;
        return plan;
    }
    if (method == ConvolutionMethod::Winograd2 || method == ConvolutionMethod::Winograd4) {
        plan.weightFloats =
            winogradWeightFloats(shape, method == ConvolutionMethod::Winograd2 ? 2 : 4);
        return plan;
    }
    plan.copies = alwaysCopy || shape.stride[2] > 1;
    for (int axis = 0; axis < 3; ++axis)
        plan.copies =
            plan.copies || shape.padBefore[axis] != 0 || reach(shape, axis) > shape.input[axis];
    std::array<std::vector<AxisTap>, 3> axes;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t stride = shape.stride[axis];
        plan.step[axis] = axis == 2 ? 1 : stride;
        plan.prepared[axis] = shape.input[axis];
        std::int64_t phaseLength = 0;
        if (plan.copies && shape.kernel[axis] == 1) {
            plan.step[axis] = 1;
            plan.sample[axis] = stride;
            plan.prepared[axis] = std::max<std::int64_t>(1, shape.output[axis]);
        } else if (plan.copies) {
            plan.prepared[axis] = std::max<std::int64_t>(1, reach(shape, axis));
            if (axis == 2) {
                plan.columnPhases = stride;
                phaseLength = ceilDivide(plan.prepared[2], stride);
                plan.prepared[2] = phaseLength * stride;
            }
        }
        for (std::int64_t k = 0; k < shape.kernel[axis]; ++k) {
            const std::int64_t at = k * shape.dilation[axis];
            const std::int64_t phases = axis == 2 ? plan.columnPhases : 1;
            axes[axis].push_back({k, at % phases * phaseLength + at / phases});
        }
    }
    Plan::Phase phase;
    phase.count = shape.output;
    combineTaps(plan, axes, phase);
    phase.segments =
        makeSegments(plan, static_cast<std::int64_t>(phase.taps.size()), plan.weightFloats);
    phase.chunks = chunksOf(phase.segments);
    plan.phases.push_back(std::move(phase));
    return plan;
}

ConvolutionPlan planConvolutionTranspose(const ConvolutionShape& shape)
{
    Plan plan = beginPlan(shape, ConvolutionMethod::Direct);
    plan.transposed = true;
    plan.outputStep = shape.stride;
    // Result q of the phase of remainder r lies at output position q * stride + r and reads input
    // position q + (r + pad - k * dilation) / stride for every k where that is whole.
    std::array<std::vector<std::vector<AxisTap>>, 3> taps;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t stride = shape.stride[axis];
        std::int64_t lowest = 0;
        std::int64_t highest = 0;
        for (std::int64_t r = 0; r < stride; ++r) {
            std::vector<AxisTap> phase;
            for (std::int64_t k = 0; k < shape.kernel[axis]; ++k) {
                const std::int64_t at = r + shape.padBefore[axis] - k * shape.dilation[axis];
                if (at % stride != 0)
                    continue;
                phase.push_back({k, at / stride});
                lowest = std::min(lowest, at / stride);
                highest = std::max(highest, at / stride);
            }
            taps[axis].push_back(std::move(phase));
        }
        plan.padBefore[axis] = -lowest;
        for (std::vector<AxisTap>& phase : taps[axis])
            for (AxisTap& tap : phase)
                tap.offset -= lowest;
        plan.prepared[axis] =
            std::max<std::int64_t>(1, ceilDivide(shape.output[axis], stride) + highest - lowest);
        plan.copies = plan.copies || lowest < 0 || plan.prepared[axis] > shape.input[axis];
    }
    if (!plan.copies)
        plan.prepared = shape.input;
    for (std::int64_t z = 0; z < shape.stride[0]; ++z)
        for (std::int64_t y = 0; y < shape.stride[1]; ++y)
            for (std::int64_t x = 0; x < shape.stride[2]; ++x) {
                Plan::Phase phase;
                phase.first = {z, y, x};
                for (int axis = 0; axis < 3; ++axis)
                    phase.count[axis] = std::max<std::int64_t>(
                        0, ceilDivide(shape.output[axis] - phase.first[axis], shape.stride[axis]));
                const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
                combineTaps(plan, {taps[0][at(z)], taps[1][at(y)], taps[2][at(x)]}, phase);
                phase.segments = makeSegments(plan, static_cast<std::int64_t>(phase.taps.size()),
                                              plan.weightFloats);
                phase.chunks = chunksOf(phase.segments);
                plan.phases.push_back(std::move(phase));
            }
    return plan;
}

std::int64_t packedWeightFloats(const ConvolutionPlan& plan)
{
    return plan.weightFloats;
}

std::int64_t convolutionScratchFloats(const ConvolutionPlan& plan, int threads)
{
    if (plan.method == ConvolutionMethod::Winograd2 || plan.method == ConvolutionMethod::Winograd4)
        return winogradScratchFloats(plan, threads);
    if (!plan.copies)
        return 0;
    const bool plain = plan.method == ConvolutionMethod::FirstLayer;
    const std::int64_t channels =
        plain ? plan.shape.inChannels : channelBlocks(plan.shape.inChannels) * plan.lanes;
    return channels * volume(plan.prepared);
}

void packConvolutionWeights(const ConvolutionPlan& plan, const float* weights, float* packed,
                            ThreadPool& pool)
{
    const ConvolutionShape& s = plan.shape;
    const std::int64_t lanes = plan.lanes;
    const std::int64_t kernel = volume(s.kernel);
    if (plan.method == ConvolutionMethod::Winograd2 ||
        plan.method == ConvolutionMethod::Winograd4) {
        packWinograd(plan, weights, packed, pool);
        return;
    }
    if (plan.method == ConvolutionMethod::Depthwise) {
        for (std::int64_t block = 0; block < channelBlocks(s.outChannels); ++block)
            for (std::int64_t k = 0; k < kernel; ++k)
                for (std::int64_t lane = 0; lane < lanes; ++lane) {
                    const std::int64_t channel = block * lanes + lane;
                    *packed++ = channel < s.outChannels ? weights[channel * kernel + k] : 0.0F;
                }
        return;
    }
    const std::int64_t groupIn = s.inChannels / s.groups;
    const std::int64_t groupOut = s.outChannels / s.groups;
    const auto weightAt = [&](std::int64_t out, std::int64_t in, std::int64_t k) {
        const std::int64_t group = out / groupOut;
        const std::int64_t row = plan.transposed
                                     ? (group * groupIn + in) * groupOut + out % groupOut
                                     : out * groupIn + in;
        return weights[row * kernel + k];
    };
    for (const Plan::Phase& phase : plan.phases) {
        const auto taps = static_cast<std::int64_t>(phase.taps.size());
        const auto pack = [&](std::int64_t index, int) {
            const Plan::Segment& segment = phase.segments[static_cast<std::size_t>(index)];
            const std::int64_t first = segment.outBlock * lanes;
            const std::int64_t group = (first + segment.firstLane) / groupOut;
            float* to = packed + segment.weights;
            const std::int64_t unitLanes = plan.perChannel ? 1 : lanes;
            for (std::int64_t in = 0; in < groupIn; in += unitLanes) {
                const std::int64_t inEnd = std::min(groupIn, in + unitLanes);
                for (std::int64_t t = 0; t < taps; ++t)
                    for (std::int64_t i = in; i < inEnd; ++i)
                        for (std::int64_t lane = 0; lane < segment.blocks * lanes; ++lane) {
                            const std::int64_t out = first + lane;
                            const bool mine = out < s.outChannels && out / groupOut == group;
                            *to++ =
                                mine ? weightAt(out, i, phase.kernel[static_cast<std::size_t>(t)])
                                     : 0.0F;
                        }
            }
        };
        pool.parallelFor(static_cast<std::int64_t>(phase.segments.size()), pack);
    }
}

} // namespace fusescope::kernels
