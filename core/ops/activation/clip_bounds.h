#pragma once

#include "model/attribute.h"
#include "model/dtype.h"

#include <limits>

namespace fusescope {

// Numbers that a Clip keeps its elements between.
struct ClipBounds
{
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

// Those of a Clip before version 11; later those that stand for an input that is not given. Version 1
// has none by default, version 6 the limits of float. From version 11 on ONNX says "they default to
// numeric_limits::lowest() and numeric_limits::max()": of the type of the elements, so an infinity
// becomes finite. ONNX Runtime does so for float16, float and double; onnx.reference leaves infinities
// as they are, and the text of the specification decides. No integer lies beyond its limits.
inline ClipBounds clipBounds(const Attributes& attributes, int sinceVersion, DType type)
{
    if (sinceVersion < 11) {
        constexpr float endless = std::numeric_limits<float>::infinity();
        constexpr float widest = std::numeric_limits<float>::max();
        const float otherwise = sinceVersion < 6 ? endless : widest;
        return {static_cast<double>(attributes.getFloat("min", -otherwise)),
                static_cast<double>(attributes.getFloat("max", otherwise))};
    }
    const auto within = [](double most) { return ClipBounds{-most, most}; };
    switch (type) {
    case DType::float16:
        return within(65504.0);
    case DType::bfloat16:
        return within(0x1.fep127);
    case DType::float32:
        return within(static_cast<double>(std::numeric_limits<float>::max()));
    case DType::float64:
        return within(std::numeric_limits<double>::max());
    default:
        return {};
    }
}

} // namespace fusescope
