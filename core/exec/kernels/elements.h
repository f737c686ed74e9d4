#pragma once

#include "exec/kernels/elementwise.h"

namespace fusescope::kernels {

/// out[i] = op(a[i], b[i], c[i]) for i in [0, count); count is a multiple of blockLanes(). Operands
/// that the operator does not take are not read; `out` may be one of them.
void evaluate(const ElementInstruction& instruction, const float* a, const float* b, const float* c,
              float* out, std::int64_t count);

/// Number of operands of an operator: 1, 2 or 3.
int operandCount(ElementOp op);

} // namespace fusescope::kernels
