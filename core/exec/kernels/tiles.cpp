#include "exec/kernels/tiles.h"

#include "exec/kernels/elements.h"
#include "exec/kernels/target.h"

#include <algorithm>

namespace fusescope::kernels {

namespace {

struct Geometry
{
    const TileRow& row;
    std::int64_t lanes;
    std::int64_t first;
    int pixels;

    std::int64_t offset(int block, int pixel) const
    {
        return row.output + block * row.blockStride + (first + pixel) * row.pixelStride;
    }
    std::int64_t channel(int block) const { return row.channel + block * lanes; }
    // Channels of the block that exist.
    std::int64_t present(int block) const
    {
        return std::clamp<std::int64_t>(row.to->channels - channel(block), 0, lanes);
    }
    std::int64_t firstLane() const { return row.firstLane; }
    // Lanes of the block that are stored.
    std::int64_t endLane(int block) const
    {
        const std::int64_t end = row.to->wholeBlocks ? lanes : present(block);
        return std::min<std::int64_t>(row.endLane, end);
    }
};

// Copies a tensor in the output's layout; lanes that are not stored become zero.
void gatherTensor(const Geometry& g, const float* data, float* to)
{
    for (int block = 0; block < g.row.blocks; ++block)
        for (int pixel = 0; pixel < g.pixels; ++pixel, to += g.lanes) {
            const float* from = data + g.offset(block, pixel);
            const std::int64_t first = g.firstLane();
            const std::int64_t end = std::max(first, g.endLane(block));
            std::fill_n(to, first, 0.0F);
            std::copy(from + first, from + end, to + first);
            std::fill(to + end, to + g.lanes, 0.0F);
        }
}

void gatherChannels(const Geometry& g, const float* data, float* to)
{
    for (int block = 0; block < g.row.blocks; ++block) {
        const std::int64_t present = g.present(block);
        for (int pixel = 0; pixel < g.pixels; ++pixel, to += g.lanes) {
            std::copy_n(data + g.channel(block), present, to);
            std::fill(to + present, to + g.lanes, 0.0F);
        }
    }
}

void gatherRows(const Geometry& g, const float* data, float* to)
{
    for (int block = 0; block < g.row.blocks; ++block)
        for (int pixel = 0; pixel < g.pixels; ++pixel, to += g.lanes)
            std::fill_n(to, g.lanes, data[pixel]);
}

} // namespace

TileOutput makeTileOutput(float* output, std::int64_t channels, bool wholeBlocks,
                          const Epilogue& epilogue)
{
    TileOutput to;
    to.output = output;
    to.epilogue = epilogue;
    to.channels = channels;
    to.wholeBlocks = wholeBlocks;
    const Activation kind = epilogue.activation.kind;
    to.simple = epilogue.steps.empty() &&
                (kind == Activation::None || kind == Activation::Relu || kind == Activation::Clip);
    return to;
}

void finishTile(const TileRow& row, float* tile, std::int64_t first, int pixels, bool biased)
{
    const Geometry g{row, blockLanes(), first, pixels};
    const Epilogue& epilogue = row.to->epilogue;
    const std::int64_t count = row.blocks * pixels * g.lanes;
    alignas(64) float operand[kMaxTileVectors * 16];
    const auto combine = [&](ElementInstruction op, bool swapped) {
        if (swapped)
            evaluate(op, operand, tile, nullptr, tile, count);
        else
            evaluate(op, tile, operand, nullptr, tile, count);
    };
    const ElementInstruction add;
    if (epilogue.bias && !biased) {
        gatherChannels(g, epilogue.bias, operand);
        combine(add, false);
    }
    if (row.to->rowBias) {
        gatherRows(g, row.to->rowBias + row.row + first, operand);
        combine(add, false);
    }
    if (epilogue.residual) {
        gatherTensor(g, epilogue.residual, operand);
        combine(add, false);
    }
    if (epilogue.activation.kind != Activation::None)
        evaluate({ElementOp::Activate, 0, 0, 0, epilogue.activation}, tile, nullptr, nullptr, tile,
                 count);
    for (const EpilogueStep& step : epilogue.steps) {
        switch (step.kind) {
        case OperandKind::None:
            break;
        case OperandKind::Scalar:
            std::fill_n(operand, count, step.scalar);
            break;
        case OperandKind::Channel:
            gatherChannels(g, step.data, operand);
            break;
        case OperandKind::Row:
            gatherRows(g, step.data + row.batchRow + row.row + first, operand);
            break;
        case OperandKind::Tensor:
            gatherTensor(g, step.data, operand);
            break;
        }
        combine({step.op, 0, 0, 0, step.activation}, step.swapped);
    }
    for (int block = 0; block < row.blocks; ++block)
        for (int pixel = 0; pixel < pixels; ++pixel, tile += g.lanes) {
            const std::int64_t begin = g.firstLane();
            const std::int64_t end = std::max(begin, g.endLane(block));
            std::copy(tile + begin, tile + end, row.to->output + g.offset(block, pixel) + begin);
        }
}

} // namespace fusescope::kernels
