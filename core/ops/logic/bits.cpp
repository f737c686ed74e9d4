#include "ops/element_map.h"
#include "ops/logic/logic.h"

namespace fusescope::logic {

namespace {

constexpr int legacy = 7; // the first version with multidirectional broadcasting

using Bools = Types<Bool8>;

bool isDecided(const Dim& dim)
{
    return dim.isConstant();
}

Result<void> inferAnd(InferenceContext& c)
{
    FUSESCOPE_TRY(inferBinary(c, legacy, DType::boolean));
    propagateBinary(c, [](const Dim& a, const Dim& b) -> std::optional<Dim> {
        if (a == Dim(0) || b == Dim(0))
            return Dim(0);
        return isDecided(a) && isDecided(b) ? std::optional<Dim>(Dim(1)) : std::nullopt;
    });
    return {};
}

Result<void> inferOr(InferenceContext& c)
{
    FUSESCOPE_TRY(inferBinary(c, legacy, DType::boolean));
    propagateBinary(c, [](const Dim& a, const Dim& b) -> std::optional<Dim> {
        if ((isDecided(a) && a != Dim(0)) || (isDecided(b) && b != Dim(0)))
            return Dim(1);
        return isDecided(a) && isDecided(b) ? std::optional<Dim>(Dim(0)) : std::nullopt;
    });
    return {};
}

Result<void> inferXor(InferenceContext& c)
{
    return inferBinary(c, legacy, DType::boolean);
}

Result<void> inferNot(InferenceContext& c)
{
    FUSESCOPE_TRY(inferSame(c));
    const ShapeData data = c.integers(0);
    if (!data)
        return {};
    std::vector<Dim> result;
    for (std::size_t i = 0; i < data->size(); ++i)
        result.push_back(isDecided((*data)[i]) ? Dim((*data)[i] == Dim(0) ? 1 : 0)
                                               : c.unknownElement(0, i));
    c.setData(0, std::move(result));
    return {};
}

Result<void> runAnd(KernelContext& c)
{
    return mapPairs<void>(c, Bools{}, legacy, [](bool a, bool b) { return a && b; });
}

Result<void> runOr(KernelContext& c)
{
    return mapPairs<void>(c, Bools{}, legacy, [](bool a, bool b) { return a || b; });
}

Result<void> runXor(KernelContext& c)
{
    return mapPairs<void>(c, Bools{}, legacy, [](bool a, bool b) { return a != b; });
}

Result<void> runNot(KernelContext& c)
{
    return mapElements(c, Bools{}, [](bool a) { return !a; });
}

Result<void> inferBitwise(InferenceContext& c)
{
    return inferBinary(c, 1);
}

Result<void> runBitwiseAnd(KernelContext& c)
{
    return mapPairs<void>(c, IntegerTypes{}, 1, [](auto a, auto b) { return a & b; });
}

Result<void> runBitwiseOr(KernelContext& c)
{
    return mapPairs<void>(c, IntegerTypes{}, 1, [](auto a, auto b) { return a | b; });
}

Result<void> runBitwiseXor(KernelContext& c)
{
    return mapPairs<void>(c, IntegerTypes{}, 1, [](auto a, auto b) { return a ^ b; });
}

Result<void> runBitwiseNot(KernelContext& c)
{
    return mapElements(c, IntegerTypes{}, [](auto a) { return ~a; });
}

// A negative shift, or one past the width, leaves what the sign alone gives.
template <class V>
V shifted(V value, V by, bool left)
{
    constexpr int width = std::numeric_limits<std::make_unsigned_t<V>>::digits;
    bool outside = by >= V(width);
    bool negative = false;
    if constexpr (std::is_signed_v<V>) {
        outside = outside || by < 0;
        negative = value < 0;
    }
    if (outside)
        return !left && negative ? static_cast<V>(-1) : V(0);
    if (left)
        return static_cast<V>(static_cast<std::uint64_t>(value) << by);
    return static_cast<V>(value >> by);
}

Result<void> runBitShift(KernelContext& c)
{
    const std::string direction = c.attributes().getString("direction", "");
    if (direction != "LEFT" && direction != "RIGHT")
        return c.wrong(wrongAttribute("direction", "LEFT, RIGHT", direction));
    const bool left = direction == "LEFT";
    return mapPairs<void>(c, IntegerTypes{}, 1,
                          [left](auto a, auto b) { return shifted(a, b, left); });
}

constexpr OpEntry entries[] = {
    {"", "And", 1, inferAnd, runAnd},
    {"", "Or", 1, inferOr, runOr},
    {"", "Xor", 1, inferXor, runXor},
    {"", "Not", 1, inferNot, runNot},
    {"", "BitwiseAnd", 18, inferBitwise, runBitwiseAnd},
    {"", "BitwiseOr", 18, inferBitwise, runBitwiseOr},
    {"", "BitwiseXor", 18, inferBitwise, runBitwiseXor},
    {"", "BitwiseNot", 18, inferSame, runBitwiseNot},
    {"", "BitShift", 11, inferBitwise, runBitShift},
};

} // namespace

std::span<const OpEntry> bits()
{
    return entries;
}

} // namespace fusescope::logic
