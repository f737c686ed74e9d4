#pragma once

#include "exec/kernels/convolution.h"
#include "exec/kernels/target.h"
#include "exec/kernels/threadpool.h"

#include <QString>
#include <cstdint>
#include <functional>
#include <vector>

namespace fusescope::test {

/// A buffer of floats between guard bands; it starts at an odd multiple of four bytes, so that
/// nothing may rely on alignment, and is filled with a signalling pattern.
class Guarded
{
public:
    explicit Guarded(std::int64_t count);
    explicit Guarded(const std::vector<float>& values);

    float* data() { return m_data.data() + kGuard; }
    const float* data() const { return m_data.data() + kGuard; }
    std::int64_t size() const { return static_cast<std::int64_t>(m_data.size()) - 2 * kGuard; }
    /// The guard bands are untouched.
    bool intact() const;
    std::vector<float> values() const;

private:
    static constexpr std::int64_t kGuard = 65;
    std::vector<float> m_data;
};

/// Seeded values in [-1, 1).
std::vector<float> randomFloats(std::int64_t count, std::uint32_t seed);

/// Calls fn with one and with two threads under every instruction set that can run. `fn` returns
/// the results; they must be bitwise equal for both thread counts.
using KernelRun = std::function<std::vector<float>(kernels::ThreadPool&)>;
QString overTargets(const KernelRun& fn,
                    const std::function<QString(const std::vector<float>&)>& check);

/// Empty if |a - b| <= bound(i) everywhere, NaN and infinities agreeing; else the worst element.
QString compare(const std::vector<float>& actual, const std::vector<double>& expected,
                const std::function<double(std::size_t)>& bound);
/// With |a - b| <= relative * |b| + absolute.
QString compare(const std::vector<float>& actual, const std::vector<double>& expected,
                double relative, double absolute);
bool sameBits(const std::vector<float>& a, const std::vector<float>& b);

/// Plain to blocked and back, element by element.
std::vector<float> blockedOf(const std::vector<float>& plain, std::int64_t batch,
                             std::int64_t channels, std::int64_t spatial);
std::vector<float> plainOf(const float* blocked, std::int64_t batch, std::int64_t channels,
                           std::int64_t spatial);

/// Convolution in double; `magnitude` receives the sum of |x w| of each result.
struct ConvolutionOracle
{
    std::vector<double> result, magnitude;
};
ConvolutionOracle convolve(const kernels::ConvolutionShape& shape, const std::vector<float>& input,
                           const std::vector<float>& weights, const std::vector<float>& bias);
ConvolutionOracle convolveTransposed(const kernels::ConvolutionShape& shape,
                                     const std::vector<float>& input,
                                     const std::vector<float>& weights,
                                     const std::vector<float>& bias);

/// An activation by its definition, in double.
double activated(const kernels::ActivationSpec& activation, double x);

} // namespace fusescope::test
