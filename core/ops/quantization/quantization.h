#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the quantization family.
namespace fusescope::quantization {

std::span<const OpEntry> linear();   // QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear
std::span<const OpEntry> products(); // QLinearMatMul, QLinearConv

// The nearest value of an integer type to `value`, which is a whole number; NaN gives 0.
double saturateTo(DType type, double value);

} // namespace fusescope::quantization
