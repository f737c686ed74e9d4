#pragma once

#include "exec/kernels/epilogue.h"
#include "exec/kernels/threadpool.h"

#include <cstdint>

namespace fusescope::kernels {

/// C[b] = alpha op(A[b]) op(B[b]) for b in [0, batch): A is m x k (k x m if transA), B is k x n
/// (n x k if transB), C is m x n, all row-major. `lda`, `ldb`, `ldc` are row lengths; 0: dense.
struct MatMulShape
{
    std::int64_t m = 1, n = 1, k = 1;
    std::int64_t batch = 1;
    bool transA = false, transB = false;
    float alpha = 1.0F;
    std::int64_t lda = 0, ldb = 0, ldc = 0;
};

/// One operand of a batched product: matrix b starts at data + (offsets ? offsets[b] : b * stride).
/// A stride of 0 uses the same matrix throughout.
struct MatrixOperand
{
    const float* data = nullptr;
    std::int64_t stride = 0;
    const std::int64_t* offsets = nullptr;
};

/// Bias per row, per column and a full addend can be combined; the column bias is
/// epilogue.bias, the full addend epilogue.residual (layout of C). In steps, `Channel` is the
/// column and `Row` is the row b * m + i.
struct MatMulArguments
{
    MatrixOperand a;
    MatrixOperand b;                ///< unpacked B; not read if packedB is given
    const float* packedB = nullptr; ///< from packMatMulB()
    std::int64_t packedBStride = 0; ///< floats between packed matrices; 0: one for all
    const float* rowBias = nullptr; ///< m floats
    float* c = nullptr;
    std::int64_t cStride = 0; ///< floats between results; 0: dense
    float* scratch = nullptr;
    Epilogue epilogue;
};

/// Floats of one packed B.
std::int64_t packedMatMulFloats(const MatMulShape& shape);
/// Packs op(B) times alpha; run it with the same shape. alpha is then not applied again.
void packMatMulB(const MatMulShape& shape, const float* b, float* packed, ThreadPool& pool);

std::int64_t matMulScratchFloats(const MatMulShape& shape, bool packedB, int threads);
/// k == 0 gives the epilogue of zeros. False if the stop flag cut it short.
bool runMatMul(const MatMulShape& shape, const MatMulArguments& arguments, ThreadPool& pool);

} // namespace fusescope::kernels
