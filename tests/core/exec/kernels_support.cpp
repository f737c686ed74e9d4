#include "core/exec/kernels_support.h"

#include "exec/kernels/reorder.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace fusescope::test {

using kernels::ConvolutionShape;
using kernels::ThreadPool;

namespace {

constexpr std::uint32_t kPattern = 0x7FA5A5A5; // a signalling NaN

bool isPattern(const float& value)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits == kPattern;
}

void fillPattern(float* data, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(data + i, &kPattern, sizeof kPattern);
}

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

// Calls fn(output index in the image, input index in the image, kernel index) for every product.
template <class Fn>
void forTaps(const ConvolutionShape& s, bool transposed, Fn fn)
{
    const auto& wide = transposed ? s.input : s.output;
    const auto& narrow = transposed ? s.output : s.input;
    for (std::int64_t z = 0; z < wide[0]; ++z)
        for (std::int64_t y = 0; y < wide[1]; ++y)
            for (std::int64_t x = 0; x < wide[2]; ++x)
                for (std::int64_t kz = 0; kz < s.kernel[0]; ++kz)
                    for (std::int64_t ky = 0; ky < s.kernel[1]; ++ky)
                        for (std::int64_t kx = 0; kx < s.kernel[2]; ++kx) {
                            const std::int64_t p[3] = {
                                z * s.stride[0] - s.padBefore[0] + kz * s.dilation[0],
                                y * s.stride[1] - s.padBefore[1] + ky * s.dilation[1],
                                x * s.stride[2] - s.padBefore[2] + kx * s.dilation[2]};
                            bool inside = true;
                            for (int i = 0; i < 3; ++i)
                                inside = inside && p[i] >= 0 && p[i] < narrow[i];
                            if (!inside)
                                continue;
                            const std::int64_t a = (z * wide[1] + y) * wide[2] + x;
                            const std::int64_t b = (p[0] * narrow[1] + p[1]) * narrow[2] + p[2];
                            const std::int64_t k = (kz * s.kernel[1] + ky) * s.kernel[2] + kx;
                            transposed ? fn(b, a, k) : fn(a, b, k);
                        }
}

ConvolutionOracle run(const ConvolutionShape& s, bool transposed, const std::vector<float>& input,
                      const std::vector<float>& weights, const std::vector<float>& bias)
{
    const auto volume = [](const kernels::Extent& e) { return e[0] * e[1] * e[2]; };
    const std::int64_t in = volume(s.input);
    const std::int64_t out = volume(s.output);
    const std::int64_t kernel = volume(s.kernel);
    const std::int64_t groupIn = s.inChannels / s.groups;
    const std::int64_t groupOut = s.outChannels / s.groups;
    ConvolutionOracle oracle;
    oracle.result.resize(at(s.batch * s.outChannels * out));
    oracle.magnitude.resize(oracle.result.size());
    for (std::int64_t n = 0; n < s.batch; ++n)
        for (std::int64_t o = 0; o < s.outChannels; ++o) {
            double* const result = &oracle.result[at((n * s.outChannels + o) * out)];
            double* const magnitude = &oracle.magnitude[at((n * s.outChannels + o) * out)];
            const double start = bias.empty() ? 0.0 : bias[at(o)];
            for (std::int64_t i = 0; i < out; ++i) {
                result[i] = start;
                magnitude[i] = std::abs(start);
            }
            for (std::int64_t i = 0; i < groupIn; ++i) {
                const std::int64_t c = o / groupOut * groupIn + i;
                const float* const x = &input[at((n * s.inChannels + c) * in)];
                const std::int64_t row = transposed ? c * groupOut + o % groupOut : o * groupIn + i;
                const float* const w = &weights[at(row * kernel)];
                forTaps(s, transposed, [&](std::int64_t to, std::int64_t from, std::int64_t k) {
                    const double product = static_cast<double>(x[from]) * w[k];
                    result[to] += product;
                    magnitude[to] += std::abs(product);
                });
            }
        }
    return oracle;
}

} // namespace

Guarded::Guarded(std::int64_t count) : m_data(at(count + 2 * kGuard))
{
    fillPattern(m_data.data(), count + 2 * kGuard);
}

Guarded::Guarded(const std::vector<float>& values)
    : Guarded(static_cast<std::int64_t>(values.size()))
{
    std::copy(values.begin(), values.end(), data());
}

bool Guarded::intact() const
{
    for (std::int64_t i = 0; i < kGuard; ++i)
        if (!isPattern(m_data[at(i)]) || !isPattern(m_data[m_data.size() - 1 - at(i)]))
            return false;
    return true;
}

std::vector<float> Guarded::values() const
{
    return {data(), data() + size()};
}

std::vector<float> randomFloats(std::int64_t count, std::uint32_t seed)
{
    std::vector<float> values(at(count));
    std::uint32_t state = seed * 2654435761U + 12345;
    for (float& value : values) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<float>(state >> 8) / 8388608.0F - 1.0F;
    }
    return values;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

QString overTargets(const KernelRun& fn,
                    const std::function<QString(const std::vector<float>&)>& check)
{
    QString problem;
    for (const std::string& target : kernels::availableTargets()) {
        if (!kernels::useTarget(target))
            return QStringLiteral("cannot use %1").arg(QString::fromStdString(target));
        ThreadPool one(1);
        ThreadPool two(2);
        const std::vector<float> first = fn(one);
        const std::vector<float> second = fn(two);
        problem = check(first);
        if (problem.isEmpty() && !sameBits(first, second))
            problem = QStringLiteral("two threads give other bits than one");
        if (!problem.isEmpty()) {
            problem = QString::fromStdString(target) + QStringLiteral(": ") + problem;
            break;
        }
    }
    kernels::useTarget("");
    return problem;
}

QString compare(const std::vector<float>& actual, const std::vector<double>& expected,
                const std::function<double(std::size_t)>& bound)
{
    if (actual.size() != expected.size())
        return QStringLiteral("%1 results instead of %2").arg(actual.size()).arg(expected.size());
    double worst = 0;
    QString text;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double a = actual[i];
        const double b = expected[i];
        if (std::isnan(a) && std::isnan(b))
            continue;
        const bool overflows =
            std::isinf(a) && std::signbit(a) == std::signbit(b) && std::abs(b) > 3.4028234e38;
        if (a == b || overflows)
            continue;
        const double excess = std::abs(a - b) / bound(i);
        if (excess <= 1.0)
            continue;
        if (text.isEmpty() || excess > worst)
            text = QStringLiteral("element %1 of %2 is %3 instead of %4")
                       .arg(i)
                       .arg(actual.size())
                       .arg(a, 0, 'g', 9)
                       .arg(b, 0, 'g', 9);
        worst = std::max(worst, excess);
    }
    return text;
}

QString compare(const std::vector<float>& actual, const std::vector<double>& expected,
                double relative, double absolute)
{
    return compare(actual, expected,
                   [&](std::size_t i) { return relative * std::abs(expected[i]) + absolute; });
}

std::vector<float> blockedOf(const std::vector<float>& plain, std::int64_t batch,
                             std::int64_t channels, std::int64_t spatial)
{
    const std::int64_t lanes = kernels::blockLanes();
    const std::int64_t blocks = kernels::channelBlocks(channels);
    // Tail lanes are poisoned: nothing may read them.
    std::vector<float> blocked(at(batch * blocks * lanes * spatial), std::nanf(""));
    for (std::int64_t n = 0; n < batch; ++n)
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < spatial; ++i)
                blocked[at(((n * blocks + c / lanes) * spatial + i) * lanes + c % lanes)] =
                    plain[at((n * channels + c) * spatial + i)];
    return blocked;
}

std::vector<float> plainOf(const float* blocked, std::int64_t batch, std::int64_t channels,
                           std::int64_t spatial)
{
    const std::int64_t lanes = kernels::blockLanes();
    const std::int64_t blocks = kernels::channelBlocks(channels);
    std::vector<float> plain(at(batch * channels * spatial));
    for (std::int64_t n = 0; n < batch; ++n)
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < spatial; ++i)
                plain[at((n * channels + c) * spatial + i)] =
                    blocked[((n * blocks + c / lanes) * spatial + i) * lanes + c % lanes];
    return plain;
}

ConvolutionOracle convolve(const ConvolutionShape& shape, const std::vector<float>& input,
                           const std::vector<float>& weights, const std::vector<float>& bias)
{
    return run(shape, false, input, weights, bias);
}

ConvolutionOracle convolveTransposed(const ConvolutionShape& shape, const std::vector<float>& input,
                                     const std::vector<float>& weights,
                                     const std::vector<float>& bias)
{
    return run(shape, true, input, weights, bias);
}

double activated(const kernels::ActivationSpec& activation, double x)
{
    const double alpha = activation.alpha;
    const double beta = activation.beta;
    const auto clip = [](double v, double low, double high) {
        return v < low ? low : (v > high ? high : v);
    };
    using kernels::Activation;
    switch (activation.kind) {
    case Activation::None:
        return x;
    case Activation::Relu:
        return x < 0 ? 0 : x;
    case Activation::Clip:
        return clip(x, alpha, beta);
    case Activation::Sigmoid:
        return 1 / (1 + std::exp(-x));
    case Activation::Tanh:
        return std::tanh(x);
    case Activation::LeakyRelu:
        return x < 0 ? alpha * x : x;
    case Activation::HardSigmoid:
        return clip(alpha * x + beta, 0, 1);
    case Activation::HardSwish:
        return x * clip(x / 6 + 0.5, 0, 1);
    case Activation::Silu:
        return x / (1 + std::exp(-alpha * x));
    case Activation::Elu:
        return x < 0 ? alpha * std::expm1(x) : x;
    case Activation::GeluErf:
        return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::GeluTanh:
        return x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    case Activation::Mish:
        return x * std::tanh(x > 30 ? x : std::log1p(std::exp(x)));
    case Activation::Softplus:
        return x > 30 ? x : std::log1p(std::exp(x));
    }
    return x;
}

} // namespace fusescope::test
