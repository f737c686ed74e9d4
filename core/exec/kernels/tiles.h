#pragma once

#include "exec/kernels/epilogue.h"

#include <cstdint>

namespace fusescope::kernels {

/// A stretch of input channels that lie `lanes` floats apart from one pixel to the next (blocked),
/// a plain plane (one lane), or a packed panel of a matrix (as many lanes as the inner dimension).
struct TileUnit
{
    const float* base = nullptr;
    std::int64_t lanes = 0;
};

/// Where results go and what happens to them; one for a whole run. Offsets count in floats from
/// `output`; residual and tensor operands have the same offsets.
struct TileOutput
{
    float* output = nullptr;
    Epilogue epilogue;
    const float* rowBias = nullptr;
    std::int64_t channels = 0;
    bool wholeBlocks = true; ///< stores may fill the tail lanes behind the last channel
    bool simple = true;      ///< nothing but bias, residual, and one of None, Relu, Clip
};
/// Fills in `simple`.
TileOutput makeTileOutput(float* output, std::int64_t channels, bool wholeBlocks,
                          const Epilogue& epilogue);

/// `count` results next to each other, for one or two blocks of K output channels:
/// result[o][p][lane] = sum over units u, taps t, lanes i of
///     units[u].base[source + taps[t] + p * pixel + i * step] * weights[u][t][i][o][lane]
/// with pixel = K, 1, 1 and step = 1, 1, kMatrixRows for the three functions below.
struct TileRow
{
    const TileUnit* units = nullptr;
    std::int64_t unitCount = 0;
    const std::int64_t* taps = nullptr;
    std::int64_t tapCount = 1;
    std::int64_t source = 0;
    const float* weights = nullptr;
    int blocks = 1;
    std::int64_t count = 0;
    const TileOutput* to = nullptr;
    std::int64_t output = 0;      ///< offset of result [0][0][0]
    std::int64_t blockStride = 0; ///< floats from one block to the next in the output
    std::int64_t pixelStride = 0;
    std::int64_t channel = 0;  ///< channel of block 0, lane 0
    std::int64_t row = 0;      ///< of pixel 0, for the row bias
    std::int64_t batchRow = 0; ///< added to it for row operands of steps
    int firstLane = 0, endLane = 0;
};

/// Rows of a packed panel of matrix A.
inline constexpr int kMatrixRows = 14;

void computeBlockedRow(const TileRow& row);
void computePlainRow(const TileRow& row);
void computeMatrixRow(const TileRow& row); ///< count <= kMatrixRows

/// Applies the epilogue (all but bias, if `biased`) to results in `tile` ([block][pixel][K]) of
/// pixels [first, first + pixels) of the row, and stores them. `tile` is used as scratch.
void finishTile(const TileRow& row, float* tile, std::int64_t first, int pixels, bool biased);

/// Most vectors in a tile.
inline constexpr int kMaxTileVectors = 32;

} // namespace fusescope::kernels
