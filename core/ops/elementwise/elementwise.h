#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the elementwise family.
namespace fusescope::elementwise {

std::span<const OpEntry> unary();      // Abs, Neg, Exp, Sqrt, Sin, …
std::span<const OpEntry> binary();     // Add, Sub, Mul, Div, Mod, Pow
std::span<const OpEntry> variadic();   // Min, Max, Sum, Mean
std::span<const OpEntry> optimizers(); // Adagrad, Adam, Momentum

} // namespace fusescope::elementwise
