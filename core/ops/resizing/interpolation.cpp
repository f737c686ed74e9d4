#include "ops/resizing/interpolation.h"

namespace fusescope::resizing {

namespace {

std::optional<double> sourceOf(const AxisSampling& a, double x)
{
    const auto in = static_cast<double>(a.inSize);
    const double resized = a.scale * in;
    if (a.transform == "half_pixel")
        return (x + 0.5) / a.scale - 0.5;
    if (a.transform == "asymmetric")
        return x / a.scale;
    if (a.transform == "pytorch_half_pixel")
        return a.outSize > 1 ? (x + 0.5) / a.scale - 0.5 : 0.0;
    if (a.transform == "tf_half_pixel_for_nn")
        return a.scale == 1.0 ? x : (x + 0.5) / a.scale;
    if (a.transform == "align_corners")
        return a.outSize == 1 || resized == 1.0 ? 0.0 : x * (in - 1.0) / (resized - 1.0);
    if (a.transform == "half_pixel_symmetric") {
        const double adjustment = static_cast<double>(a.outSize) / resized;
        return in / 2.0 * (1.0 - adjustment) + (x + 0.5) / a.scale - 0.5;
    }
    if (a.transform == "tf_crop_and_resize") {
        if (a.outSize > 1)
            return a.roiStart * (in - 1.0) + x * (a.roiEnd - a.roiStart) * (in - 1.0) /
                                                 (static_cast<double>(a.outSize) - 1.0);
        return 0.5 * (a.roiStart + a.roiEnd) * (in - 1.0);
    }
    return std::nullopt;
}

std::optional<double> nearestOf(const AxisSampling& a, double x)
{
    if (a.nearest == "round_prefer_floor")
        return std::ceil(x - 0.5);
    if (a.nearest == "round_prefer_ceil")
        return std::floor(x + 0.5);
    if (a.nearest == "floor")
        return std::floor(x);
    if (a.nearest == "ceil")
        return std::ceil(x);
    return std::nullopt;
}

double tent(double t)
{
    return std::max(0.0, 1.0 - std::abs(t));
}

double keys(double t, double a)
{
    const double x = std::abs(t);
    if (x <= 1.0)
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    if (x < 2.0)
        return ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
    return 0.0;
}

} // namespace

bool samplesOf(const AxisSampling& a, std::vector<Sample>& samples)
{
    const bool isCubic = a.mode == "cubic";
    if (!isCubic && a.mode != "linear" && a.mode != "nearest")
        return false;
    // A kernel much wider than the axis sees only its edges.
    const double least = 0.25 / static_cast<double>(std::max<std::int64_t>(a.inSize, 1));
    const double shrink = a.antialias ? std::clamp(a.scale, least, 1.0) : 1.0;
    const double support = (isCubic ? 2.0 : 1.0) / shrink;
    const auto last = static_cast<double>(a.inSize - 1);
    samples.clear();
    for (std::int64_t i = 0; i < a.outSize; ++i) {
        const auto source = sourceOf(a, static_cast<double>(i));
        if (!source)
            return false;
        // Beyond the edges all is alike: this keeps the indices in range of any attribute.
        const double reach = last + support + 2.0;
        const double x = std::isnan(*source) ? 0.0 : std::clamp(*source, -(support + 2.0), reach);
        Sample sample;
        sample.outside = a.transform == "tf_crop_and_resize" && (x < 0.0 || x > last);
        if (a.mode == "nearest") {
            const auto nearest = nearestOf(a, x);
            if (!nearest)
                return false;
            sample.indices.push_back(static_cast<std::int64_t>(std::clamp(*nearest, 0.0, last)));
            sample.weights.push_back(1.0);
            samples.push_back(std::move(sample));
            continue;
        }
        double total = 0.0;
        for (double k = std::floor(x - support) + 1.0; k < x + support; k += 1.0) {
            const double t = (k - x) * shrink;
            double weight = isCubic ? keys(t, a.cubicA) : tent(t);
            if (a.excludeOutside && (k < 0.0 || k > last))
                weight = 0.0;
            if (weight == 0.0)
                continue;
            sample.indices.push_back(static_cast<std::int64_t>(std::clamp(k, 0.0, last)));
            sample.weights.push_back(weight);
            total += weight;
        }
        for (double& weight : sample.weights)
            weight /= total;
        samples.push_back(std::move(sample));
    }
    return true;
}

} // namespace fusescope::resizing
