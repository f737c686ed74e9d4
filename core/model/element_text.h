#pragma once

#include "model/tensor.h"

#include <fmt/format.h>

#include <string>

namespace fusescope {

// Element i of an integer tensor in digits; unsigned ones may pass the range of int64.
inline std::string integerText(const Tensor& tensor, std::int64_t i)
{
    if (tensor.dtype() == DType::uint64)
        return fmt::format("{}", tensor.load<std::uint64_t>(i));
    return fmt::format("{}", tensor.asInt(i));
}

} // namespace fusescope
