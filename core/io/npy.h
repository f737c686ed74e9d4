#pragma once

#include "base/result.h"
#include "model/tensor.h"

#include <string>
#include <string_view>

namespace fusescope {

// NumPy's array files (numpy.org/doc/stable/reference/generated/numpy.lib.format.html).

inline constexpr std::string_view npyMagic = "\x93NUMPY";

// Contents in C order and little-endian stay where they lie. `expected` names the element type that
// opaque elements of its size (NumPy's V) stand for: bfloat16 and the 8-bit floats. Errors name
// `path`.
Result<TensorPtr> readNpy(std::string_view bytes, const std::shared_ptr<const void>& owner,
                          const std::string& path, DType expected);

// Types that NumPy lacks are widened without loss: narrow floats to float, 2- and 4-bit integers to
// 8 bits. Strings are written as UTF-32.
std::string npyBytes(const Tensor& tensor);

} // namespace fusescope
