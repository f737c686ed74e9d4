#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fusescope {

// The numbers of TensorProto.DataType, to ONNX 1.23.
enum class DType : std::int32_t {
    undefined = 0,
    float32 = 1,
    uint8 = 2,
    int8 = 3,
    uint16 = 4,
    int16 = 5,
    int32 = 6,
    int64 = 7,
    string = 8,
    boolean = 9,
    float16 = 10,
    float64 = 11,
    uint32 = 12,
    uint64 = 13,
    complex64 = 14,
    complex128 = 15,
    bfloat16 = 16,
    float8e4m3fn = 17,
    float8e4m3fnuz = 18,
    float8e5m2 = 19,
    float8e5m2fnuz = 20,
    uint4 = 21,
    int4 = 22,
    float4e2m1 = 23,
    float8e8m0 = 24,
    uint2 = 25,
    int2 = 26,
    float6e2m3 = 27,
    float6e3m2 = 28
};

// Bits of one element as raw data holds it (2, 4, 6, 8, …, 128); 0 for string and undefined.
// Elements under eight bits are packed from the low bits up.
int bitsOf(DType type);

// Bytes that `count` elements take in raw data; nothing when that does not fit 63 bits.
std::optional<std::int64_t> bytesOf(DType type, std::int64_t count);

bool isFloatingPoint(DType type); // all float forms, not complex
bool isInteger(DType type);       // signed and unsigned, not bool
bool isSigned(DType type);
bool isKnown(DType type);

// The lower-case name of ONNX's type strings: "float", "int64", "float8e4m3fn", "bool".
std::string_view nameOf(DType type);
std::optional<DType> dtypeFromName(std::string_view name);

} // namespace fusescope
