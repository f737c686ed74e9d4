#include "exec/kernels/matmul.h"

#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/target.h"
#include "exec/kernels/tiles.h"

#include <algorithm>

namespace fusescope::kernels {

namespace {

constexpr std::int64_t kPanelRows = 4; // panels of A that are multiplied with one panel of B
constexpr std::int64_t kRows = kMatrixRows;

struct Sizes
{
    explicit Sizes(const MatMulShape& s)
        : lanes(blockLanes()), lda(s.lda != 0 ? s.lda : (s.transA ? s.m : s.k)),
          ldb(s.ldb != 0 ? s.ldb : (s.transB ? s.k : s.n)), ldc(s.ldc != 0 ? s.ldc : s.n),
          columnBlocks(ceilDivide(s.n, lanes)), columnPairs(ceilDivide(columnBlocks, 2)),
          rowPanels(ceilDivide(s.m, kRows))
    {
    }

    std::int64_t lanes;
    std::int64_t lda, ldb, ldc;
    std::int64_t columnBlocks, columnPairs;
    std::int64_t rowPanels;
};

const float* matrixAt(const MatrixOperand& operand, std::int64_t b)
{
    return operand.data + (operand.offsets ? operand.offsets[b] : b * operand.stride);
}

// Columns [pair * 2K, ...) of op(B) as [k][2K], the last pair perhaps [k][K]; zeros behind column
// n.
void packPair(const MatMulShape& s, const Sizes& z, const float* b, std::int64_t pair, float* to)
{
    const std::int64_t first = pair * 2 * z.lanes;
    const std::int64_t width = std::min<std::int64_t>(2, z.columnBlocks - pair * 2) * z.lanes;
    const std::int64_t present = std::min(width, s.n - first);
    for (std::int64_t k = 0; k < s.k; ++k, to += width) {
        if (s.transB)
            for (std::int64_t j = 0; j < present; ++j)
                to[j] = s.alpha * b[(first + j) * z.ldb + k];
        else
            for (std::int64_t j = 0; j < present; ++j)
                to[j] = s.alpha * b[k * z.ldb + first + j];
        std::fill(to + present, to + width, 0.0F);
    }
}

// Rows [panel * kRows, ...) of op(A) as [k][kRows]; rows behind m are left out.
void packRows(const MatMulShape& s, const Sizes& z, const float* a, std::int64_t panel, float* to)
{
    const std::int64_t first = panel * kRows;
    const std::int64_t rows = std::min(kRows, s.m - first);
    if (s.transA) {
        for (std::int64_t k = 0; k < s.k; ++k)
            std::copy_n(a + k * z.lda + first, rows, to + k * kRows);
        return;
    }
    // In short stretches, so that both sides stay in the first cache.
    constexpr std::int64_t kStretch = 64;
    for (std::int64_t begin = 0; begin < s.k; begin += kStretch)
        for (std::int64_t r = 0; r < rows; ++r) {
            const float* from = a + (first + r) * z.lda;
            for (std::int64_t k = begin; k < std::min(s.k, begin + kStretch); ++k)
                to[k * kRows + r] = from[k];
        }
}

} // namespace

std::int64_t packedMatMulFloats(const MatMulShape& shape)
{
    const Sizes z(shape);
    return z.columnBlocks * z.lanes * shape.k;
}

void packMatMulB(const MatMulShape& shape, const float* b, float* packed, ThreadPool& pool)
{
    const Sizes z(shape);
    pool.parallelFor(z.columnPairs, [&](std::int64_t pair, int) {
        packPair(shape, z, b, pair, packed + pair * 2 * z.lanes * shape.k);
    });
}

std::int64_t matMulScratchFloats(const MatMulShape& shape, bool packedB, int threads)
{
    const std::int64_t panels = kPanelRows * kRows * shape.k * threads;
    return panels + (packedB ? 0 : packedMatMulFloats(shape));
}

bool runMatMul(const MatMulShape& shape, const MatMulArguments& arguments, ThreadPool& pool)
{
    if (shape.m == 0 || shape.n == 0 || shape.batch == 0)
        return !pool.stopped();
    static constexpr std::int64_t kTap = 0;
    const Sizes z(shape);
    TileOutput to = makeTileOutput(arguments.c, shape.n, false, arguments.epilogue);
    to.rowBias = arguments.rowBias;
    const std::int64_t cStride = arguments.cStride != 0 ? arguments.cStride : shape.m * z.ldc;
    float* const panelScratch = arguments.scratch;
    float* const packedScratch = arguments.scratch + kPanelRows * kRows * shape.k * pool.threads();
    const std::int64_t rowGroups = ceilDivide(z.rowPanels, kPanelRows);
    // Row groups first; columns are cut as far as there are threads left without work.
    const std::int64_t columnParts =
        rowGroups >= 2 * pool.threads() ? 1
                                        : std::min<std::int64_t>(z.columnPairs, 4 * pool.threads());
    const float* packedNow = nullptr;
    for (std::int64_t b = 0; b < shape.batch; ++b) {
        const float* const a = matrixAt(arguments.a, b);
        const float* packed = arguments.packedB;
        if (packed) {
            packed += b * arguments.packedBStride;
        } else {
            const float* const matrix = matrixAt(arguments.b, b);
            packed = packedScratch;
            if (matrix != packedNow)
                packMatMulB(shape, matrix, packedScratch, pool);
            packedNow = matrix;
        }
        const auto work = [&](std::int64_t chunk, int worker) {
            const std::int64_t group = chunk / columnParts;
            const std::int64_t part = chunk % columnParts;
            const std::int64_t firstPanel = group * kPanelRows;
            const std::int64_t panels = std::min(kPanelRows, z.rowPanels - firstPanel);
            float* const packedA = panelScratch + worker * kPanelRows * kRows * shape.k;
            for (std::int64_t p = 0; p < panels; ++p)
                packRows(shape, z, a, firstPanel + p, packedA + p * kRows * shape.k);
            const std::int64_t end = z.columnPairs * (part + 1) / columnParts;
            for (std::int64_t pair = z.columnPairs * part / columnParts; pair < end; ++pair)
                for (std::int64_t p = 0; p < panels; ++p) {
                    const TileUnit unit{packedA + p * kRows * shape.k, shape.k};
                    const std::int64_t first = (firstPanel + p) * kRows;
                    TileRow row;
                    row.units = &unit;
                    row.unitCount = 1;
                    row.taps = &kTap;
                    row.weights = packed + pair * 2 * z.lanes * shape.k;
                    row.blocks = pair * 2 + 1 < z.columnBlocks ? 2 : 1;
                    row.count = std::min(kRows, shape.m - first);
                    row.to = &to;
                    row.output = b * cStride + first * z.ldc + pair * 2 * z.lanes;
                    row.blockStride = z.lanes;
                    row.pixelStride = z.ldc;
                    row.channel = pair * 2 * z.lanes;
                    row.row = first;
                    row.batchRow = b * shape.m;
                    row.endLane = static_cast<int>(z.lanes);
                    computeMatrixRow(row);
                }
        };
        if (!pool.parallelFor(rowGroups * columnParts, work))
            return false;
    }
    return true;
}

} // namespace fusescope::kernels
