#pragma once

#include "exec/kernels/epilogue.h"
#include "exec/kernels/threadpool.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fusescope::kernels {

/// One step of an elementwise program. Operands are numbered: first the inputs, then the
/// constants, then the results of the instructions in order.
struct ElementInstruction
{
    ElementOp op = ElementOp::Add;
    std::uint16_t a = 0, b = 0, c = 0; ///< as many as the operator takes
    ActivationSpec activation;         ///< for ElementOp::Activate
};

/// The last instruction's result is the output. A program without instructions copies input 0.
struct ElementProgram
{
    std::uint16_t inputs = 0;
    std::vector<float> constants;
    std::vector<ElementInstruction> code;
};

/// An input of a run: strides in elements for each output axis, 0 where it is broadcast. Empty
/// strides: same dense layout as the output. A per-channel vector over blocked [N][C/K][S][K] has
/// strides {0, K, 0, 1} and must be padded to whole blocks.
struct ElementOperand
{
    const float* data = nullptr;
    std::span<const std::int64_t> strides;
};

/// Most operands and intermediate results that a program may have together.
inline constexpr int kMaxElementValues = 96;

/// True if every operand is numbered before its use and the limits hold.
bool isValid(const ElementProgram& program);

/// Runs the program over every element of a dense output of the given shape, in one pass. A dense
/// input may be the output buffer. At most 16 axes. False if the stop flag cut it short.
bool runElementwise(const ElementProgram& program, std::span<const std::int64_t> shape,
                    std::span<const ElementOperand> inputs, float* output, ThreadPool& pool);

} // namespace fusescope::kernels
