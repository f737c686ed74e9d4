#include "ops/activation/activation.h"
#include "ops/element_map.h"

#include <numbers>

namespace fusescope::activation {

namespace {

// An attribute in the precision that the file has it in.
double number(const KernelContext& c, const char* name, float fallback)
{
    return static_cast<double>(c.attributes().getFloat(name, fallback));
}

double sigmoid(double x)
{
    return 1.0 / (1.0 + std::exp(-x));
}

double softplus(double x)
{
    return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

double softsign(double x)
{
    return x / (1.0 + std::abs(x));
}

double hardSwish(double x)
{
    const double gate = x / 6.0 + 0.5;
    return x * (gate < 0.0 ? 0.0 : gate > 1.0 ? 1.0 : gate);
}

double mish(double x)
{
    return x * std::tanh(softplus(x));
}

template <double (*F)(double)>
Result<void> runReal(KernelContext& c)
{
    return mapElements(c, FloatTypes{}, F);
}

// NaN stays NaN.
Result<void> runRelu(KernelContext& c)
{
    return mapElements(c, NumericTypes{},
                       [](auto v) { return v < decltype(v)(0) ? decltype(v)(0) : v; });
}

Result<void> runLeakyRelu(KernelContext& c)
{
    const double alpha = number(c, "alpha", 0.01F);
    return mapElements(c, FloatTypes{}, [alpha](double x) { return x < 0.0 ? alpha * x : x; });
}

Result<void> runThresholdedRelu(KernelContext& c)
{
    const double alpha = number(c, "alpha", 1.0F);
    return mapElements(c, FloatTypes{},
                       [alpha](double x) { return x > alpha || x != x ? x : 0.0; });
}

Result<void> runElu(KernelContext& c)
{
    const double alpha = number(c, "alpha", 1.0F);
    return mapElements(c, FloatTypes{},
                       [alpha](double x) { return x < 0.0 ? alpha * std::expm1(x) : x; });
}

Result<void> runSelu(KernelContext& c)
{
    const bool first = c.sinceVersion() < 6;
    const double alpha = number(c, "alpha", first ? 1.6732F : 1.67326319217681884765625F);
    const double gamma = number(c, "gamma", first ? 1.0507F : 1.05070102214813232421875F);
    return mapElements(c, FloatTypes{}, [alpha, gamma](double x) {
        return gamma * (x < 0.0 ? alpha * std::expm1(x) : x);
    });
}

Result<void> runCelu(KernelContext& c)
{
    const double alpha = number(c, "alpha", 1.0F);
    return mapElements(c, FloatTypes{},
                       [alpha](double x) { return x < 0.0 ? alpha * std::expm1(x / alpha) : x; });
}

Result<void> runHardSigmoid(KernelContext& c)
{
    const double alpha = number(c, "alpha", 0.2F);
    const double beta = number(c, "beta", 0.5F);
    return mapElements(c, FloatTypes{}, [alpha, beta](double x) {
        const double y = alpha * x + beta;
        return y < 0.0 ? 0.0 : y > 1.0 ? 1.0 : y;
    });
}

Result<void> runGelu(KernelContext& c)
{
    const std::string approximate = c.attributes().getString("approximate", "none");
    if (approximate == "tanh")
        return mapElements(c, FloatTypes{}, [](double x) {
            const double scale = std::sqrt(2.0 / std::numbers::pi);
            return 0.5 * x * (1.0 + std::tanh(scale * (x + 0.044715 * x * x * x)));
        });
    if (approximate != "none")
        return c.wrong(wrongAttribute("approximate", "none, tanh", approximate));
    return mapElements(c, FloatTypes{}, [](double x) {
        return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
    });
}

Result<void> runSwish(KernelContext& c)
{
    const double alpha = number(c, "alpha", 1.0F);
    return mapElements(c, FloatTypes{}, [alpha](double x) { return x * sigmoid(alpha * x); });
}

Result<void> runShrink(KernelContext& c)
{
    const double lambd = number(c, "lambd", 0.5F);
    const double bias = number(c, "bias", 0.0F);
    return mapElements(c, NumericTypes{}, [lambd, bias](auto v) {
        using V = decltype(v);
        const auto x = static_cast<double>(v);
        const double y = x < -lambd ? x + bias : x > lambd ? x - bias : 0.0;
        if constexpr (std::is_integral_v<V>)
            return saturatingInteger<V>(y);
        else
            return y;
    });
}

constexpr OpEntry entries[] = {
    {"", "Relu", 1, inferSame, runRelu},
    {"", "LeakyRelu", 1, inferSame, runLeakyRelu},
    {"", "ThresholdedRelu", 10, inferSame, runThresholdedRelu},
    {"", "Elu", 1, inferSame, runElu},
    {"", "Selu", 1, inferSame, runSelu},
    {"", "Celu", 12, inferSame, runCelu},
    {"", "Sigmoid", 1, inferSame, runReal<sigmoid>},
    {"", "HardSigmoid", 1, inferSame, runHardSigmoid},
    {"", "HardSwish", 14, inferSame, runReal<hardSwish>},
    {"", "Mish", 18, inferSame, runReal<mish>},
    {"", "Softplus", 1, inferSame, runReal<softplus>},
    {"", "Softsign", 1, inferSame, runReal<softsign>},
    {"", "Gelu", 20, inferSame, runGelu},
    {"", "Swish", 24, inferSame, runSwish},
    {"", "Shrink", 9, inferSame, runShrink},
};

} // namespace

std::span<const OpEntry> functions()
{
    return entries;
}

} // namespace fusescope::activation
