#include "model/dtype.h"

#include <array>
#include <limits>

namespace fusescope {

namespace {

enum class Kind : std::uint8_t { other, floating, signedInteger, unsignedInteger };

struct Row
{
    DType type;
    std::string_view name;
    int bits;
    Kind kind;
};

constexpr std::array rows = {
    Row{DType::undefined, "undefined", 0, Kind::other},
    Row{DType::float32, "float", 32, Kind::floating},
    Row{DType::uint8, "uint8", 8, Kind::unsignedInteger},
    Row{DType::int8, "int8", 8, Kind::signedInteger},
    Row{DType::uint16, "uint16", 16, Kind::unsignedInteger},
    Row{DType::int16, "int16", 16, Kind::signedInteger},
    Row{DType::int32, "int32", 32, Kind::signedInteger},
    Row{DType::int64, "int64", 64, Kind::signedInteger},
    Row{DType::string, "string", 0, Kind::other},
    Row{DType::boolean, "bool", 8, Kind::other},
    Row{DType::float16, "float16", 16, Kind::floating},
    Row{DType::float64, "double", 64, Kind::floating},
    Row{DType::uint32, "uint32", 32, Kind::unsignedInteger},
    Row{DType::uint64, "uint64", 64, Kind::unsignedInteger},
    Row{DType::complex64, "complex64", 64, Kind::other},
    Row{DType::complex128, "complex128", 128, Kind::other},
    Row{DType::bfloat16, "bfloat16", 16, Kind::floating},
    Row{DType::float8e4m3fn, "float8e4m3fn", 8, Kind::floating},
    Row{DType::float8e4m3fnuz, "float8e4m3fnuz", 8, Kind::floating},
    Row{DType::float8e5m2, "float8e5m2", 8, Kind::floating},
    Row{DType::float8e5m2fnuz, "float8e5m2fnuz", 8, Kind::floating},
    Row{DType::uint4, "uint4", 4, Kind::unsignedInteger},
    Row{DType::int4, "int4", 4, Kind::signedInteger},
    Row{DType::float4e2m1, "float4e2m1", 4, Kind::floating},
    Row{DType::float8e8m0, "float8e8m0", 8, Kind::floating},
    Row{DType::uint2, "uint2", 2, Kind::unsignedInteger},
    Row{DType::int2, "int2", 2, Kind::signedInteger},
    Row{DType::float6e2m3, "float6e2m3", 6, Kind::floating},
    Row{DType::float6e3m2, "float6e3m2", 6, Kind::floating},
};

const Row& rowOf(DType type)
{
    const auto index = static_cast<std::size_t>(type);
    return index < rows.size() ? rows[index] : rows[0];
}

} // namespace

int bitsOf(DType type)
{
    return rowOf(type).bits;
}

std::optional<std::int64_t> bytesOf(DType type, std::int64_t count)
{
    const std::int64_t bits = bitsOf(type);
    if (count < 0 || (bits > 0 && count > (std::numeric_limits<std::int64_t>::max() - 7) / bits))
        return std::nullopt;
    return (count * bits + 7) / 8;
}

bool isFloatingPoint(DType type)
{
    return rowOf(type).kind == Kind::floating;
}

bool isInteger(DType type)
{
    const Kind kind = rowOf(type).kind;
    return kind == Kind::signedInteger || kind == Kind::unsignedInteger;
}

bool isSigned(DType type)
{
    const Kind kind = rowOf(type).kind;
    return kind == Kind::signedInteger || kind == Kind::floating;
}

bool isKnown(DType type)
{
    return type != DType::undefined && rowOf(type).type == type;
}

std::string_view nameOf(DType type)
{
    return rowOf(type).name;
}

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (const Row& row : rows) {
        if (row.name == name && row.type != DType::undefined)
            return row.type;
    }
    return std::nullopt;
}

} // namespace fusescope
