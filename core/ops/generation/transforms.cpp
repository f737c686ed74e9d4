#include "ops/element_map.h"
#include "ops/generation/fourier.h"
#include "ops/generation/generation.h"

namespace fusescope::generation {

namespace {

using Complex = FourierTransform::Complex;

// Version 17 has the axis as an attribute.
template <class C>
std::int64_t attributeAxis(const C& c)
{
    return c.attributes().getInt("axis", 1);
}

Result<void> inferDft(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    FUSESCOPE_TRY(requireRank(c, 0, 2));
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::optional<std::int64_t> axis;
    if (c.sinceVersion() < 20)
        axis = attributeAxis(c);
    else
        axis = c.hasInput(2) ? knownInt(c, 2) : std::optional<std::int64_t>(-2);
    if (!axis) {
        c.setTensor(0, c.dtype(0), c.unknownShape(0, input.rank()));
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t a, axisOf(c, *axis, input.rank()));
    const bool inverse = c.attributes().getInt("inverse", 0) != 0;
    const bool onesided = c.attributes().getInt("onesided", 0) != 0;
    Dim length = onesided && inverse ? (input[a] - Dim(1)) * Dim(2) : input[a];
    if (c.hasInput(1)) {
        const ShapeData given = c.integers(1);
        length = given && given->size() == 1 && provablyNonNegative((*given)[0]) ? (*given)[0]
                                                                                 : c.unknown(0, a);
    }
    Shape shape = input;
    shape.set(a, onesided && !inverse ? floordiv(length, 2) + Dim(1) : length);
    shape.set(input.rank() - 1, onesided && inverse ? 1 : 2);
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

constexpr std::int64_t longestSignal = std::int64_t{1} << 26;

Result<void> runDft(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 2));
    std::int64_t axis = -2;
    if (c.sinceVersion() < 20) {
        axis = attributeAxis(c);
    } else if (c.hasInput(2)) {
        FUSESCOPE_ASSIGN(axis, wantInt(c, 2));
    }
    const std::size_t rank = input->rank();
    FUSESCOPE_ASSIGN(const std::size_t a, axisOf(c, axis, rank));
    const std::int64_t parts = input->shape()[rank - 1];
    if (a + 1 == rank)
        return c.wrong(wrongValue("axis", "0 … " + std::to_string(rank - 2), std::to_string(axis)));
    if (parts != 1 && parts != 2)
        return c.wrong(wrongShape(0, "[…, 1], […, 2]", shapeText(input->shape())));
    const bool inverse = c.attributes().getInt("inverse", 0) != 0;
    const bool onesided = c.attributes().getInt("onesided", 0) != 0;
    const std::int64_t have = input->shape()[a];
    std::int64_t length = onesided && inverse ? std::max<std::int64_t>(2 * (have - 1), 0) : have;
    if (c.hasInput(1)) {
        FUSESCOPE_ASSIGN(length, wantInt(c, 1));
    }
    if (length < 1 || length > longestSignal)
        return c.wrong(wrongValue("dft_length", "1 … " + std::to_string(longestSignal),
                                  std::to_string(length)));
    std::vector<std::int64_t> shape = input->shape();
    shape[a] = onesided && !inverse ? length / 2 + 1 : length;
    shape[rank - 1] = onesided && inverse ? 1 : 2;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    const std::int64_t inner = productOf(std::span(shape).subspan(a + 1, rank - a - 2));
    const std::int64_t outer = productOf(std::span(shape).first(a));
    const std::int64_t outParts = shape[rank - 1];
    std::vector<Complex> line(static_cast<std::size_t>(length));
    StopPoll poll(c);
    std::optional<FourierTransform> transform;
    FUSESCOPE_TRY(stoppable([&] { transform.emplace(line.size(), inverse ? 1.0 : -1.0, poll); }));
    for (std::int64_t l = 0; l < outer * inner; ++l) {
        if (c.stopRequested())
            return cancelled();
        std::ranges::fill(line, Complex());
        const std::int64_t o = l / inner;
        const std::int64_t i = l % inner;
        const std::int64_t read = std::min(have, onesided && inverse ? length / 2 + 1 : length);
        for (std::int64_t n = 0; n < read; ++n) {
            const std::int64_t at = ((o * have + n) * inner + i) * parts;
            line[static_cast<std::size_t>(n)] = {input->asDouble(at),
                                                 parts == 2 ? input->asDouble(at + 1) : 0.0};
        }
        // The half that is not given is the mirror image.
        for (std::int64_t n = length / 2 + 1; onesided && inverse && n < length; ++n)
            line[static_cast<std::size_t>(n)] =
                std::conj(line[static_cast<std::size_t>(length - n)]);
        FUSESCOPE_TRY(stoppable([&] { (*transform)(line); }));
        const double scale = inverse ? 1.0 / static_cast<double>(length) : 1.0;
        for (std::int64_t k = 0; k < shape[a]; ++k) {
            const std::int64_t at = ((o * shape[a] + k) * inner + i) * outParts;
            const Complex value = line[static_cast<std::size_t>(k)] * scale;
            output.store(at, value.real());
            if (outParts == 2)
                output.store(at + 1, value.imag());
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferStft(InferenceContext& c)
{
    const Shape& signal = c.shape(0);
    FUSESCOPE_TRY(requireRank(c, 0, 2, 3));
    std::optional<Dim> length;
    if (c.hasInput(3)) {
        const auto given = knownInt(c, 3);
        length = given ? std::optional(Dim(*given)) : std::nullopt;
    } else if (c.hasInput(2)) {
        length = c.shape(2).hasRank() && c.shape(2).rank() == 1 ? std::optional(c.shape(2)[0])
                                                                : std::nullopt;
    } else if (signal.hasRank()) {
        length = signal[1];
    }
    const auto step = knownInt(c, 1);
    Shape shape = c.unknownShape(0, 4);
    shape.set(3, 2);
    if (signal.hasRank())
        shape.set(0, signal[0]);
    if (length) {
        shape.set(2, c.attributes().getInt("onesided", 1) != 0 ? floordiv(*length, 2) + Dim(1)
                                                               : *length);
        if (step && *step > 0 && signal.hasRank())
            shape.set(1, floordiv(signal[1] - *length, *step) + Dim(1));
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

Result<void> runStft(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* signal, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *signal, 0, 2, 3));
    FUSESCOPE_ASSIGN(const std::int64_t step, wantInt(c, 1));
    const Tensor* window = c.optionalTensor(2);
    const std::int64_t batches = signal->shape()[0];
    const std::int64_t size = signal->shape()[1];
    const std::int64_t parts = signal->rank() == 3 ? signal->shape()[2] : 1;
    std::int64_t length = window ? window->elementCount() : size;
    if (c.hasInput(3)) {
        FUSESCOPE_ASSIGN(length, wantInt(c, 3));
    }
    if (step < 1)
        return c.wrong(wrongValue("frame_step", ">= 1", std::to_string(step)));
    if (length < 1 || length > size || length > longestSignal)
        return c.wrong(
            wrongValue("frame_length", "1 … " + std::to_string(std::min(size, longestSignal)),
                       std::to_string(length)));
    if (window && window->elementCount() != length)
        return c.wrong(wrongShape(2, std::to_string(length), shapeText(window->shape())));
    if (parts != 1 && parts != 2)
        return c.wrong(wrongShape(0, "[…, 1], […, 2]", shapeText(signal->shape())));
    const std::int64_t frames = (size - length) / step + 1;
    const bool onesided = c.attributes().getInt("onesided", 1) != 0;
    const std::int64_t bins = onesided ? length / 2 + 1 : length;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(signal->dtype(), {batches, frames, bins, 2}));
    std::vector<Complex> line(static_cast<std::size_t>(length));
    StopPoll poll(c);
    std::optional<FourierTransform> transform;
    FUSESCOPE_TRY(stoppable([&] { transform.emplace(line.size(), -1.0, poll); }));
    for (std::int64_t f = 0; f < batches * frames; ++f) {
        if (c.stopRequested())
            return cancelled();
        const std::int64_t first = f / frames * size + f % frames * step;
        for (std::int64_t n = 0; n < length; ++n) {
            const std::int64_t at = (first + n) * parts;
            const double weight = window ? window->asDouble(n) : 1.0;
            line[static_cast<std::size_t>(n)] =
                Complex(signal->asDouble(at), parts == 2 ? signal->asDouble(at + 1) : 0.0) * weight;
        }
        line.resize(static_cast<std::size_t>(length));
        FUSESCOPE_TRY(stoppable([&] { (*transform)(line); }));
        for (std::int64_t k = 0; k < bins; ++k) {
            output.store((f * bins + k) * 2, line[static_cast<std::size_t>(k)].real());
            output.store((f * bins + k) * 2 + 1, line[static_cast<std::size_t>(k)].imag());
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "DFT", 17, inferDft, runDft},
    {"", "STFT", 17, inferStft, runStft},
};

} // namespace

std::span<const OpEntry> transforms()
{
    return entries;
}

} // namespace fusescope::generation
