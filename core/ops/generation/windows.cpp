#include "ops/element_map.h"
#include "ops/generation/generation.h"

#include <numbers>

namespace fusescope::generation {

namespace {

Result<void> inferWindow(InferenceContext& c)
{
    const ShapeData size = c.integers(0);
    const bool known = size && size->size() == 1 && provablyNonNegative((*size)[0]);
    c.setTensor(0, dtypeAttribute(c.attributes(), "output_datatype", DType::float32),
                Shape::of({known ? (*size)[0] : c.unknown(0, 0)}));
    return {};
}

// A sum of cosines: a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N).
Result<void> runWindow(KernelContext& c, double a0, double a1, double a2)
{
    FUSESCOPE_ASSIGN(const std::int64_t size, wantInt(c, 0));
    if (size < 0)
        return c.wrong(wrongValue("size", ">= 0", std::to_string(size)));
    const bool periodic = c.attributes().getInt("periodic", 1) != 0;
    const auto period = static_cast<double>(periodic ? size : size - 1);
    FUSESCOPE_ASSIGN(
        Tensor output,
        c.allocate(dtypeAttribute(c.attributes(), "output_datatype", DType::float32), {size}));
    for (std::int64_t n = 0; n < size; ++n) {
        // A symmetric window of one element divides 0 by 0, as the operator's function does.
        const double angle = period == 0.0 ? std::numeric_limits<double>::quiet_NaN()
                                           : 2.0 * std::numbers::pi * static_cast<double>(n) / period;
        output.store(n, a0 - a1 * std::cos(angle) + a2 * std::cos(2.0 * angle));
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runHann(KernelContext& c)
{
    return runWindow(c, 0.5, 0.5, 0.0);
}
Result<void> runHamming(KernelContext& c)
{
    return runWindow(c, 25.0 / 46.0, 1.0 - 25.0 / 46.0, 0.0);
}
Result<void> runBlackman(KernelContext& c)
{
    return runWindow(c, 0.42, 0.5, 0.08);
}

Result<void> inferMel(InferenceContext& c)
{
    const auto bands = knownInt(c, 0);
    const auto length = knownInt(c, 1);
    c.setTensor(0, dtypeAttribute(c.attributes(), "output_datatype", DType::float32),
                Shape::of({length && *length >= 0 ? Dim(*length / 2 + 1) : c.unknown(0, 0),
                           bands && *bands >= 0 ? Dim(*bands) : c.unknown(0, 1)}));
    return {};
}

Result<void> runMel(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const std::int64_t bands, wantInt(c, 0));
    FUSESCOPE_ASSIGN(const std::int64_t length, wantInt(c, 1));
    FUSESCOPE_ASSIGN(const std::int64_t rate, wantInt(c, 2));
    FUSESCOPE_ASSIGN(const Tensor* low, c.tensor(3));
    FUSESCOPE_ASSIGN(const Tensor* high, c.tensor(4));
    if (bands < 0)
        return c.wrong(wrongValue("num_mel_bins", ">= 0", std::to_string(bands)));
    if (length < 0)
        return c.wrong(wrongValue("dft_length", ">= 0", std::to_string(length)));
    if (rate < 1)
        return c.wrong(wrongValue("sample_rate", ">= 1", std::to_string(rate)));
    for (const auto& [input, edge] : {std::pair(std::size_t{3}, low), {std::size_t{4}, high}}) {
        if (edge->elementCount() != 1)
            return c.wrong(wrongShape(input, "[]", shapeText(edge->shape())));
    }
    const std::int64_t bins = length / 2 + 1;
    FUSESCOPE_ASSIGN(Tensor output,
                     c.allocate(dtypeAttribute(c.attributes(), "output_datatype", DType::float32),
                                {bins, bands}));
    const auto mel = [](double hertz) { return 2595.0 * std::log10(1.0 + hertz / 700.0); };
    const double lowest = mel(low->asDouble(0));
    const double step = (mel(high->asDouble(0)) - lowest) / static_cast<double>(bands + 2);
    // The bin in which the i-th edge of the triangles lies.
    const auto edge = [&](std::int64_t i) {
        const double hertz =
            700.0 * (std::pow(10.0, (static_cast<double>(i) * step + lowest) / 2595.0) - 1.0);
        const double bin =
            std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
        return std::isnan(bin)
                   ? std::int64_t{0}
                   : static_cast<std::int64_t>(std::clamp(bin, -1.0, static_cast<double>(bins)));
    };
    const auto put = [&](std::int64_t bin, std::int64_t band, double value) {
        if (bin >= 0 && bin < bins)
            output.store(bin * bands + band, value);
    };
    for (std::int64_t i = 0; i < bands; ++i) {
        const std::int64_t first = edge(i);
        const std::int64_t center = edge(i + 1);
        const std::int64_t last = edge(i + 2);
        if (first == center)
            put(center, i, 1.0);
        for (std::int64_t j = first; first < center && j <= center; ++j)
            put(j, i, static_cast<double>(j - first) / static_cast<double>(center - first));
        for (std::int64_t j = center; j < last; ++j)
            put(j, i, static_cast<double>(last - j) / static_cast<double>(last - center));
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "HannWindow", 17, inferWindow, runHann},
    {"", "HammingWindow", 17, inferWindow, runHamming},
    {"", "BlackmanWindow", 17, inferWindow, runBlackman},
    {"", "MelWeightMatrix", 17, inferMel, runMel},
};

} // namespace

std::span<const OpEntry> windows()
{
    return entries;
}

} // namespace fusescope::generation
