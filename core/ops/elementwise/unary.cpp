#include "ops/element_map.h"
#include "ops/elementwise/elementwise.h"

namespace fusescope::elementwise {

namespace {

// A function of real numbers, for every float type.
template <double (*F)(double)>
Result<void> runReal(KernelContext& c)
{
    return mapElements(c, FloatTypes{}, F);
}

// Inference that carries whole numbers through where the function leaves them as they are.
Result<void> inferRounding(InferenceContext& c)
{
    FUSESCOPE_TRY(inferSame(c));
    passData(c, c.shape(0).hasRank() ? c.shape(0).rank() : 2);
    return {};
}

Result<void> inferMapped(InferenceContext& c,
                         const std::function<std::optional<Dim>(const Dim&)>& f)
{
    FUSESCOPE_TRY(inferSame(c));
    const ShapeData data = carriesData(c.dtype(0)) ? wholeNumbers(c, 0) : std::nullopt;
    if (!data)
        return {};
    std::vector<Dim> result;
    for (std::size_t i = 0; i < data->size(); ++i) {
        auto value = f((*data)[i]);
        result.push_back(value ? *std::move(value) : c.unknownElement(0, i));
    }
    c.setData(0, std::move(result));
    return {};
}

Result<void> inferNeg(InferenceContext& c)
{
    return inferMapped(c, [](const Dim& dim) { return std::optional<Dim>(-dim); });
}

Result<void> inferAbs(InferenceContext& c)
{
    return inferMapped(c, [](const Dim& dim) {
        return provablyNonNegative(dim) ? std::optional<Dim>(dim)
                                        : std::optional<Dim>(max(dim, -dim));
    });
}

Result<void> runAbs(KernelContext& c)
{
    return mapElements(c, NumericTypes{}, [](auto v) {
        if constexpr (std::is_floating_point_v<decltype(v)>)
            return std::abs(v);
        else if constexpr (std::is_signed_v<decltype(v)>)
            return v < 0 ? wrappingSub(decltype(v){0}, v) : v;
        else
            return v;
    });
}

Result<void> runNeg(KernelContext& c)
{
    return mapElements(c, NumericTypes{}, [](auto v) {
        if constexpr (std::is_floating_point_v<decltype(v)>)
            return -v;
        else
            return wrappingSub(decltype(v){0}, v);
    });
}

Result<void> runSign(KernelContext& c)
{
    return mapElements(c, NumericTypes{}, [](auto v) {
        using V = decltype(v);
        return v > V(0) ? V(1) : v < V(0) ? static_cast<V>(-1) : v == V(0) ? V(0) : v;
    });
}

// Of integers too: the result is rounded towards zero.
Result<void> runErf(KernelContext& c)
{
    return mapElements(c, NumericTypes{}, [](auto v) {
        return static_cast<decltype(v)>(std::erf(static_cast<double>(v)));
    });
}

double reciprocal(double x)
{
    return 1.0 / x;
}
double roundToEven(double x)
{
    return std::nearbyint(x);
}

constexpr OpEntry entries[] = {
    {"", "Abs", 1, inferAbs, runAbs},
    {"", "Neg", 1, inferNeg, runNeg},
    {"", "Sign", 9, inferSame, runSign},
    {"", "Reciprocal", 1, inferSame, runReal<reciprocal>},
    {"", "Floor", 1, inferRounding, runReal<std::floor>},
    {"", "Ceil", 1, inferRounding, runReal<std::ceil>},
    {"", "Round", 11, inferRounding, runReal<roundToEven>},
    {"", "Sqrt", 1, inferSame, runReal<std::sqrt>},
    {"", "Exp", 1, inferSame, runReal<std::exp>},
    {"", "Log", 1, inferSame, runReal<std::log>},
    {"", "Erf", 9, inferSame, runErf},
    {"", "Sin", 7, inferSame, runReal<std::sin>},
    {"", "Cos", 7, inferSame, runReal<std::cos>},
    {"", "Tan", 7, inferSame, runReal<std::tan>},
    {"", "Asin", 7, inferSame, runReal<std::asin>},
    {"", "Acos", 7, inferSame, runReal<std::acos>},
    {"", "Atan", 7, inferSame, runReal<std::atan>},
    {"", "Sinh", 9, inferSame, runReal<std::sinh>},
    {"", "Cosh", 9, inferSame, runReal<std::cosh>},
    {"", "Tanh", 1, inferSame, runReal<std::tanh>},
    {"", "Asinh", 9, inferSame, runReal<std::asinh>},
    {"", "Acosh", 9, inferSame, runReal<std::acosh>},
    {"", "Atanh", 9, inferSame, runReal<std::atanh>},
};

} // namespace

std::span<const OpEntry> unary()
{
    return entries;
}

} // namespace fusescope::elementwise
