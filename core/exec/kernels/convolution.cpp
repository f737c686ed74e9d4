#include "exec/kernels/convolution.h"

#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/reorder.h"

#include <algorithm>

namespace fusescope::kernels {

namespace {

using Plan = ConvolutionPlan;

// What of a prepared input should stay in the second cache while segments pass over it.
constexpr std::int64_t kPanelBytes = 384 * 1024;
constexpr std::int64_t kPanelPixels = 14;

// Copies image n's blocks (or planes) into scratch and points `bases` there.
bool prepareInput(const Plan& plan, const ConvolutionArguments& arguments,
                  std::vector<const float*>& bases, ThreadPool& pool)
{
    const ConvolutionShape& s = plan.shape;
    const bool plain = plan.method == ConvolutionMethod::FirstLayer;
    const std::int64_t pixel = plain ? 1 : plan.lanes;
    const std::int64_t rows = plan.prepared[0] * plan.prepared[1];
    const std::int64_t rowFloats = plan.prepared[2] * pixel;
    // A few rows make a chunk.
    const std::int64_t chunkRows = std::max<std::int64_t>(1, 8192 / rowFloats);
    const std::int64_t chunks = ceilDivide(rows, chunkRows);
    const auto copy = [&](std::int64_t chunk, int) {
        const auto block = static_cast<std::size_t>(chunk / chunks);
        PrepareRow how;
        how.width = s.input[2];
        how.sample = plan.sample[2];
        how.pad = plan.padBefore[2];
        how.phases = plan.columnPhases;
        how.length = plan.prepared[2];
        how.plain = plain;
        float affine[32];
        if (arguments.prologue.scale && !plain) {
            loadPrologue(arguments.prologue, static_cast<std::int64_t>(block), s.inChannels,
                         plan.lanes, affine);
            how.scale = affine;
            how.shift = affine + plan.lanes;
            how.relu = arguments.prologue.relu;
        }
        const std::int64_t first = chunk % chunks * chunkRows;
        float* to =
            arguments.scratch + (static_cast<std::int64_t>(block) * rows + first) * rowFloats;
        for (std::int64_t row = first; row < std::min(rows, first + chunkRows); ++row) {
            const std::int64_t z = row / plan.prepared[1] * plan.sample[0] - plan.padBefore[0];
            const std::int64_t y = row % plan.prepared[1] * plan.sample[1] - plan.padBefore[1];
            if (z < 0 || y < 0 || z >= s.input[0] || y >= s.input[1])
                std::fill_n(to, rowFloats, 0.0F);
            else
                prepareRow(how, bases[block] + (z * s.input[1] + y) * s.input[2] * pixel, to);
            to += rowFloats;
        }
    };
    if (!pool.parallelFor(static_cast<std::int64_t>(bases.size()) * chunks, copy))
        return false;
    for (std::size_t block = 0; block < bases.size(); ++block)
        bases[block] = arguments.scratch + static_cast<std::int64_t>(block) * rows * rowFloats;
    return true;
}

// How the results of a phase are cut: panels of rows (or of pixels, if rows join), all segments.
struct Panels
{
    bool flat = false;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t count = 1;
};

Panels cutPanels(const Plan& plan, const Plan::Phase& phase, int threads)
{
    Panels panels;
    const Extent& count = phase.count;
    panels.rows = count[0] * count[1];
    panels.columns = count[2];
    panels.flat = plan.outputStep == Extent{1, 1, 1} &&
                  plan.prepared[2] * plan.step[1] == count[2] &&
                  (count[0] == 1 ||
                   plan.prepared[1] * plan.prepared[2] * plan.step[0] == count[1] * count[2]);
    if (panels.flat) {
        panels.columns *= panels.rows;
        panels.rows = 1;
    }
    const std::int64_t parts = panels.flat ? ceilDivide(panels.columns, kPanelPixels) : panels.rows;
    const std::int64_t input = plan.shape.inChannels * volume(plan.prepared);
    panels.count = std::clamp<std::int64_t>(ceilDivide(input * 4, kPanelBytes), 1, parts);
    if (threads == 1)
        return panels;
    const auto segments = static_cast<std::int64_t>(phase.chunks.size()) - 1;
    const std::int64_t even = ceilDivide(panels.count, threads) * threads;
    const bool uneven = even > parts || ceilDivide(parts, even) * even * 10 > parts * 11;
    const bool heavy = plan.weightFloats > 2 * input;
    if (!((uneven || heavy) && segments >= 2 * threads))
        panels.count = std::min(even, parts);
    return panels;
}

// One phase of one image.
class PhaseRun
{
public:
    PhaseRun(const Plan& plan, const Plan::Phase& phase, const ConvolutionArguments& arguments,
             const TileOutput& to, const std::vector<TileUnit>& units, std::int64_t outputOffset,
             int threads)
        : m_plan(plan), m_phase(phase), m_arguments(arguments), m_to(to), m_units(units),
          m_outputOffset(outputOffset), m_panels(cutPanels(plan, phase, threads)),
          m_plain(plan.method == ConvolutionMethod::FirstLayer), m_pixel(m_plain ? 1 : plan.lanes),
          m_blockStride(volume(plan.shape.output) * plan.lanes)
    {
    }

    std::int64_t chunks() const
    {
        return m_panels.count * (static_cast<std::int64_t>(m_phase.chunks.size()) - 1);
    }

    void chunk(std::int64_t number) const
    {
        const auto perPanel = static_cast<std::int64_t>(m_phase.chunks.size()) - 1;
        const auto index = static_cast<std::size_t>(number % perPanel);
        for (std::int64_t i = m_phase.chunks[index]; i < m_phase.chunks[index + 1]; ++i)
            computePanel(m_phase.segments[static_cast<std::size_t>(i)], number / perPanel);
    }

private:
    void compute(const TileRow& row) const
    {
        if (m_plain)
            computePlainRow(row);
        else
            computeBlockedRow(row);
    }

    void computePanel(const Plan::Segment& segment, std::int64_t panel) const
    {
        TileRow row;
        row.units = m_units.data() + segment.firstUnit;
        row.unitCount = segment.endUnit - segment.firstUnit;
        row.taps = m_phase.taps.data();
        row.tapCount = static_cast<std::int64_t>(m_phase.taps.size());
        row.weights = m_arguments.packedWeights + segment.weights;
        row.blocks = segment.blocks;
        row.to = &m_to;
        row.blockStride = m_blockStride;
        row.pixelStride = m_plan.outputStep[2] * m_plan.lanes;
        row.channel = segment.outBlock * m_plan.lanes;
        row.firstLane = segment.firstLane;
        row.endLane = segment.endLane;
        const std::int64_t origin = m_outputOffset + segment.outBlock * m_blockStride;
        if (m_panels.flat) {
            const std::int64_t begin = m_panels.columns * panel / m_panels.count;
            row.count = m_panels.columns * (panel + 1) / m_panels.count - begin;
            row.source = begin * m_pixel;
            row.output = origin + begin * m_plan.lanes;
            compute(row);
            return;
        }
        row.count = m_panels.columns;
        const Extent& output = m_plan.shape.output;
        const std::int64_t end = m_panels.rows * (panel + 1) / m_panels.count;
        for (std::int64_t r = m_panels.rows * panel / m_panels.count; r < end; ++r) {
            const std::int64_t z = r / m_phase.count[1];
            const std::int64_t y = r % m_phase.count[1];
            const std::int64_t sourceRow =
                z * m_plan.step[0] * m_plan.prepared[1] + y * m_plan.step[1];
            row.source = sourceRow * m_plan.prepared[2] * m_pixel;
            const std::int64_t outZ = z * m_plan.outputStep[0] + m_phase.first[0];
            const std::int64_t outY = y * m_plan.outputStep[1] + m_phase.first[1];
            const std::int64_t outRow = outZ * output[1] + outY;
            row.output = origin + (outRow * output[2] + m_phase.first[2]) * m_plan.lanes;
            compute(row);
        }
    }

    const Plan& m_plan;
    const Plan::Phase& m_phase;
    const ConvolutionArguments& m_arguments;
    const TileOutput& m_to;
    const std::vector<TileUnit>& m_units;
    std::int64_t m_outputOffset;
    Panels m_panels;
    bool m_plain;
    std::int64_t m_pixel; // floats from one pixel to the next in the input
    std::int64_t m_blockStride;
};

} // namespace

std::vector<const float*> sourcePointers(const ConvolutionPlan& plan,
                                         const ConvolutionArguments& arguments, std::int64_t n)
{
    const bool plain = plan.method == ConvolutionMethod::FirstLayer;
    const std::int64_t pixels = volume(plan.shape.input);
    const std::int64_t stride = plain ? pixels : pixels * plan.lanes;
    std::vector<const float*> pointers;
    for (const SourceView& view : arguments.sources) {
        const std::int64_t count = plain ? view.channels : channelBlocks(view.channels);
        const std::int64_t batch = view.batchStride != 0 ? view.batchStride : count * stride;
        for (std::int64_t i = 0; i < count; ++i)
            pointers.push_back(view.data + n * batch + i * stride);
    }
    return pointers;
}

void loadPrologue(const ChannelPrologue& prologue, std::int64_t block, std::int64_t channels,
                  int lanes, float* to)
{
    const std::int64_t first = block * lanes;
    const std::int64_t present = std::clamp<std::int64_t>(channels - first, 0, lanes);
    std::fill_n(to, 2 * lanes, 0.0F);
    std::copy_n(prologue.scale + first, present, to);
    std::copy_n(prologue.shift + first, present, to + lanes);
}

bool runConvolution(const ConvolutionPlan& plan, const ConvolutionArguments& arguments,
                    ThreadPool& pool)
{
    const ConvolutionShape& s = plan.shape;
    if (s.batch == 0 || s.outChannels == 0 || volume(s.output) == 0)
        return !pool.stopped();
    if (plan.method == ConvolutionMethod::Depthwise)
        return runDepthwise(plan, arguments, pool);
    if (plan.method == ConvolutionMethod::Winograd2 || plan.method == ConvolutionMethod::Winograd4)
        return runWinograd(plan, arguments, pool);
    const bool plain = plan.method == ConvolutionMethod::FirstLayer;
    const TileOutput to = makeTileOutput(arguments.output, s.outChannels, true, arguments.epilogue);
    const std::int64_t imageFloats =
        arguments.outputBatchStride != 0
            ? arguments.outputBatchStride
            : channelBlocks(s.outChannels) * volume(s.output) * plan.lanes;
    for (std::int64_t n = 0; n < s.batch; ++n) {
        std::vector<const float*> bases = sourcePointers(plan, arguments, n);
        if (plan.copies && !prepareInput(plan, arguments, bases, pool))
            return false;
        std::vector<TileUnit> units;
        if (plan.perChannel && !plain) {
            for (std::int64_t c = 0; c < s.inChannels; ++c)
                units.push_back(
                    {bases[static_cast<std::size_t>(c / plan.lanes)] + c % plan.lanes, 1});
        } else {
            for (std::size_t block = 0; block < bases.size(); ++block) {
                const std::int64_t left =
                    s.inChannels - static_cast<std::int64_t>(block) * plan.lanes;
                units.push_back(
                    {bases[block], plain ? 1 : std::min<std::int64_t>(plan.lanes, left)});
            }
        }
        for (const Plan::Phase& phase : plan.phases) {
            if (volume(phase.count) == 0)
                continue;
            const PhaseRun run(plan, phase, arguments, to, units, n * imageFloats, pool.threads());
            if (!pool.parallelFor(run.chunks(), [&](std::int64_t i, int) { run.chunk(i); }))
                return false;
        }
    }
    return true;
}

} // namespace fusescope::kernels
