#pragma once

#include "ops/runtime_value.h"
#include "report/comparison.h"

namespace fusescope {

// The tolerance when none is given: rtol 1e-10 for double, 1e-5 float, 2e-3 fp16, 2e-2 bf16, 0 for
// the rest; atol 0.
Tolerance defaultTolerance(DType type);

// Compares `after` with `before`: passes if each |before−after| ≤ atol + rtol·max|before|, the largest
// finite one of the tensor. Sequences, optionals and maps are compared element by element; the worst
// one is reported.
TensorComparison compareValues(const RuntimeValue& before, const RuntimeValue& after,
                               std::optional<double> rtol = {}, std::optional<double> atol = {});

// The rule of the operator tests: |expected−found| ≤ atol + rtol·|expected| for each element.
TensorComparison compareElementwise(const RuntimeValue& expected, const RuntimeValue& found,
                                    double rtol, double atol);

} // namespace fusescope
