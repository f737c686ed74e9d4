#include "exec/kernels/matmul.h"

#include "exec/kernels/convolution_parts.h"
#include "exec/kernels/target.h"
#include "exec/kernels/tiles.h"

#include <algorithm>

namespace fusescope::kernels {

namespace {

// A is packed in stretches of so many bytes; a chunk of work is some panels of A that fit the
// second cache against some columns of B that do.
constexpr std::int64_t kStretchBytes = 2 * 1024 * 1024;
constexpr std::int64_t kPanelsPerChunk = 4;
constexpr std::int64_t kColumnBytes = 192 * 1024;
constexpr std::int64_t kSmallProduct = 8 * 1024 * 1024; // multiply-adds
constexpr std::int64_t kRows = kMatrixRows;

struct Sizes
{
    explicit Sizes(const MatMulShape& s)
        : lanes(blockLanes()), lda(s.lda != 0 ? s.lda : (s.transA ? s.m : s.k)),
          ldb(s.ldb != 0 ? s.ldb : (s.transB ? s.k : s.n)), ldc(s.ldc != 0 ? s.ldc : s.n),
          columnBlocks(ceilDivide(s.n, lanes)), columnPairs(ceilDivide(columnBlocks, 2)),
          rowPanels(ceilDivide(s.m, kRows)),
          stretch(
              std::clamp<std::int64_t>(kStretchBytes / std::max<std::int64_t>(1, kRows * s.k * 4),
                                       1, std::max<std::int64_t>(1, rowPanels))),
          pairsPerChunk(std::max<std::int64_t>(
              1, kColumnBytes / std::max<std::int64_t>(1, 2 * lanes * s.k * 4)))
    {
    }

    std::int64_t lanes;
    std::int64_t lda, ldb, ldc;
    std::int64_t columnBlocks, columnPairs;
    std::int64_t rowPanels;
    std::int64_t stretch;       // panels of A packed together
    std::int64_t pairsPerChunk; // column pairs
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

namespace {

// Small products of a batch are shared out whole.
bool sharesOutBatch(const MatMulShape& s, int threads)
{
    return threads > 1 && s.batch >= threads && s.m * s.n * s.k <= kSmallProduct;
}

// Scratch of one product: packed A, then packed B if it is packed on the way.
std::int64_t productScratchFloats(const MatMulShape& s, bool packedB)
{
    const Sizes z(s);
    return z.stretch * kRows * s.k + (packedB ? 0 : packedMatMulFloats(s));
}

// Row panels [first, first + count), packed in `packedA`, times all of packed B.
bool multiplyStretch(const MatMulShape& s, const Sizes& z, const TileOutput& to,
                     const float* packedA, const float* packedB, std::int64_t first,
                     std::int64_t count, std::int64_t batch, std::int64_t output, ThreadPool& pool)
{
    static constexpr std::int64_t kTap = 0;
    const std::int64_t groups = ceilDivide(count, kPanelsPerChunk);
    const std::int64_t parts = std::clamp<std::int64_t>(
        ceilDivide(z.columnPairs, z.pairsPerChunk),
        std::min<std::int64_t>(z.columnPairs, pool.threads()), z.columnPairs);
    // Columns come first: a thread reads its part of B once from memory.
    return pool.parallelFor(parts * groups, [&](std::int64_t chunk, int) {
        const std::int64_t part = chunk / groups;
        const std::int64_t group = chunk % groups;
        const std::int64_t endPanel = count * (group + 1) / groups;
        const std::int64_t endPair = z.columnPairs * (part + 1) / parts;
        for (std::int64_t pair = z.columnPairs * part / parts; pair < endPair; ++pair)
            for (std::int64_t p = count * group / groups; p < endPanel; ++p) {
                const TileUnit unit{packedA + p * kRows * s.k, s.k};
                TileRow row;
                row.units = &unit;
                row.unitCount = 1;
                row.taps = &kTap;
                row.weights = packedB + pair * 2 * z.lanes * s.k;
                row.blocks = pair * 2 + 1 < z.columnBlocks ? 2 : 1;
                row.row = (first + p) * kRows;
                row.batchRow = batch * s.m;
                row.count = std::min(kRows, s.m - row.row);
                row.to = &to;
                row.channel = pair * 2 * z.lanes;
                row.output = output + row.row * z.ldc + row.channel;
                row.blockStride = z.lanes;
                row.pixelStride = z.ldc;
                row.endLane = static_cast<int>(z.lanes);
                computeMatrixRow(row);
            }
    });
}

// Product b of the batch. `packedNow` is the matrix that lies packed in scratch, if any.
bool runProduct(const MatMulShape& shape, const Sizes& z, const MatMulArguments& arguments,
                const TileOutput& to, std::int64_t b, float* scratch, const float*& packedNow,
                ThreadPool& pool)
{
    const float* const a = matrixAt(arguments.a, b);
    const float* packed = scratch + z.stretch * kRows * shape.k;
    if (arguments.packedB) {
        packed = arguments.packedB + b * arguments.packedBStride;
    } else if (const float* const matrix = matrixAt(arguments.b, b); matrix != packedNow) {
        packMatMulB(shape, matrix, scratch + z.stretch * kRows * shape.k, pool);
        packedNow = matrix;
    }
    const std::int64_t cStride = arguments.cStride != 0 ? arguments.cStride : shape.m * z.ldc;
    for (std::int64_t first = 0; first < z.rowPanels; first += z.stretch) {
        const std::int64_t count = std::min(z.stretch, z.rowPanels - first);
        const bool packedAll = pool.parallelFor(count, [&](std::int64_t p, int) {
            packRows(shape, z, a, first + p, scratch + p * kRows * shape.k);
        });
        if (!packedAll ||
            !multiplyStretch(shape, z, to, scratch, packed, first, count, b, b * cStride, pool))
            return false;
    }
    return true;
}

} // namespace

std::int64_t matMulScratchFloats(const MatMulShape& shape, bool packedB, int threads)
{
    return productScratchFloats(shape, packedB) * (sharesOutBatch(shape, threads) ? threads : 1);
}

bool runMatMul(const MatMulShape& shape, const MatMulArguments& arguments, ThreadPool& pool)
{
    if (shape.m == 0 || shape.n == 0 || shape.batch == 0)
        return !pool.stopped();
    const Sizes z(shape);
    TileOutput to = makeTileOutput(arguments.c, shape.n, false, arguments.epilogue);
    to.rowBias = arguments.rowBias;
    const bool oneB = !arguments.b.offsets && arguments.b.stride == 0;
    if (sharesOutBatch(shape, pool.threads()) && (arguments.packedB || !oneB)) {
        const std::int64_t each = productScratchFloats(shape, arguments.packedB != nullptr);
        return pool.parallelFor(shape.batch, [&](std::int64_t b, int worker) {
            const float* packedNow = nullptr;
            runProduct(shape, z, arguments, to, b, arguments.scratch + worker * each, packedNow,
                       pool);
        });
    }
    const float* packedNow = nullptr;
    for (std::int64_t b = 0; b < shape.batch; ++b)
        if (!runProduct(shape, z, arguments, to, b, arguments.scratch, packedNow, pool))
            return false;
    return true;
}

} // namespace fusescope::kernels
