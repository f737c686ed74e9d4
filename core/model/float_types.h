#pragma once

#include "model/dtype.h"

#include <cstdint>

namespace fusescope {

// Storage of the narrow float forms; arithmetic happens in float or double and is rounded once.
struct Float16
{
    std::uint16_t bits = 0;
};
struct BFloat16
{
    std::uint16_t bits = 0;
};

// Exact widening.
float toFloat(Float16 value);
float toFloat(BFloat16 value);

// Rounding to nearest, ties to even; overflow gives infinity, NaN stays NaN.
Float16 float16FromDouble(double value);
BFloat16 bfloat16FromDouble(double value);

// The forms of eight bits and less, by their bit pattern (low bits). Formulas: the ONNX
// documentation of float stored in 8 bits, and the OCP microscaling formats (MX) 1.0 for the six-
// and four-bit forms and E8M0.
double narrowToDouble(DType type, std::uint8_t bits);

// `saturate` as in Cast-19: true clamps to the largest finite value, false gives infinity or NaN.
std::uint8_t narrowFromDouble(DType type, double value, bool saturate = true);

} // namespace fusescope
