#pragma once

#include "model/attribute.h"
#include "model/text_scanner.h"

#include <optional>

namespace fusescope {

// The parts of the text form that stand for themselves: types and tensors.

// A type such as `float[N, 3]`, `seq(int64)`; nothing, and nothing read, when no type stands there
// (a value may be named `float`).
Result<std::optional<Type>> readType(TextScanner& scanner);
std::string typeText(const Type& type);

// What follows a tensor's type: `{1, 2}`, `= {1, 2}`, `= random(7)`, `= fill(0)`, `= missing`.
Result<TensorPtr> readContents(TextScanner& scanner, const Type& type);
// `float[2] {1, 2}`
Result<TensorPtr> readTensor(TextScanner& scanner);
// `sparse([4], float[1] {5}, int64[1] {2})`, the word taken already.
Result<SparseTensorPtr> readSparse(TextScanner& scanner);

std::string contentsText(const Tensor& tensor, std::int64_t maxElements);
std::string tensorText(const Tensor& tensor, std::int64_t maxElements);
std::string sparseText(const SparseTensor& tensor, std::int64_t maxElements);
std::string floatText(float value); // with a point, an exponent, or `inf`, `nan`

// Whether the text is one of a floating-point number; whole numbers are none.
bool isFloatText(std::string_view text);
std::optional<double> numberOf(std::string_view text);

} // namespace fusescope
