#include "ops/element_map.h"
#include "ops/families.h"
#include "ops/random_numbers.h"

namespace fusescope::families {

namespace {

double number(const KernelContext& c, const char* name, float fallback)
{
    return static_cast<double>(c.attributes().getFloat(name, fallback));
}

Result<void> inferRandom(InferenceContext& c)
{
    const auto shape = c.attributes().getInts("shape");
    if (!shape)
        return c.wrong(missingAttribute("shape"));
    if (!elementCountOf(*shape))
        return c.wrong(wrongAttribute("shape", ">= 0", shapeText(*shape)));
    c.setTensor(0, dtypeAttribute(c.attributes(), "dtype", DType::float32), Shape::ofSizes(*shape));
    return {};
}

Result<void> inferRandomLike(InferenceContext& c)
{
    c.setTensor(0, dtypeAttribute(c.attributes(), "dtype", c.dtype(0)), c.shape(0));
    return {};
}

template <class F>
Result<void> fillRandom(KernelContext& c, F f)
{
    DType type = dtypeAttribute(c.attributes(), "dtype", DType::float32);
    std::vector<std::int64_t> shape;
    if (c.inputCount() == 0) {
        const auto given = c.attributes().getInts("shape");
        if (!given)
            return c.wrong(missingAttribute("shape"));
        shape = *given;
    } else {
        FUSESCOPE_ASSIGN(const Tensor* like, c.tensor(0));
        shape = like->shape();
        type = dtypeAttribute(c.attributes(), "dtype", like->dtype());
    }
    if (!isFloatingPoint(type))
        return c.wrong(unsupportedType(c, type));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, shape));
    const RandomNumbers random(c);
    for (std::int64_t i = 0; i < output.elementCount(); ++i) {
        if ((i & 0xFFFFF) == 0 && c.stopRequested())
            return cancelled();
        output.store(i, f(random, static_cast<std::uint64_t>(i)));
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runNormal(KernelContext& c)
{
    const double mean = number(c, "mean", 0.0F);
    const double scale = number(c, "scale", 1.0F);
    return fillRandom(c, [mean, scale](const RandomNumbers& random, std::uint64_t i) {
        return mean + scale * random.normal(i);
    });
}

Result<void> runUniform(KernelContext& c)
{
    const double low = number(c, "low", 0.0F);
    const double high = number(c, "high", 1.0F);
    return fillRandom(c, [low, high](const RandomNumbers& random, std::uint64_t i) {
        return low + (high - low) * random.uniform(i);
    });
}

Result<void> runBernoulli(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const DType type = dtypeAttribute(c.attributes(), "dtype", input->dtype());
    if (type == DType::string)
        return c.wrong(unsupportedType(c, type));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, input->shape()));
    const RandomNumbers random(c);
    for (std::int64_t i = 0; i < output.elementCount(); ++i)
        output.store(i, random.uniform(static_cast<std::uint64_t>(i)) < input->asDouble(i) ? 1.0
                                                                                           : 0.0);
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferMultinomial(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 2, 2));
    c.setTensor(0, dtypeAttribute(c.attributes(), "dtype", DType::int32),
                Shape::of({c.shape(0).hasRank() ? c.shape(0)[0] : c.unknown(0, 0),
                           c.attributes().getInt("sample_size", 1)}));
    return {};
}

// Draws classes by the inverse of the cumulative distribution; inputs are logarithms of
// probabilities, up to a constant.
Result<void> runMultinomial(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 2, 2));
    const std::int64_t samples = c.attributes().getInt("sample_size", 1);
    const std::int64_t batches = input->shape()[0];
    const std::int64_t classes = input->shape()[1];
    if (samples < 0)
        return c.wrong(wrongAttribute("sample_size", ">= 0", std::to_string(samples)));
    if (classes < 1)
        return c.wrong(wrongShape(0, "[batch, >= 1]", shapeText(input->shape())));
    const DType type = dtypeAttribute(c.attributes(), "dtype", DType::int32);
    if (!isInteger(type))
        return c.wrong(unsupportedType(c, type));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, {batches, samples}));
    const RandomNumbers random(c);
    std::vector<double> cumulative(static_cast<std::size_t>(classes));
    for (std::int64_t b = 0; b < batches; ++b) {
        double greatest = -std::numeric_limits<double>::infinity();
        for (std::int64_t k = 0; k < classes; ++k)
            greatest = std::max(greatest, input->asDouble(b * classes + k));
        double total = 0.0;
        for (std::int64_t k = 0; k < classes; ++k) {
            total += std::exp(input->asDouble(b * classes + k) - greatest);
            cumulative[static_cast<std::size_t>(k)] = total;
        }
        for (std::int64_t s = 0; s < samples; ++s) {
            const double at = total * random.uniform(static_cast<std::uint64_t>(b * samples + s));
            const auto found = std::ranges::upper_bound(cumulative, at) - cumulative.begin();
            output.storeInt(b * samples + s, std::min<std::int64_t>(found, classes - 1));
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "RandomNormal", 1, inferRandom, runNormal},
    {"", "RandomUniform", 1, inferRandom, runUniform},
    {"", "RandomNormalLike", 1, inferRandomLike, runNormal},
    {"", "RandomUniformLike", 1, inferRandomLike, runUniform},
    {"", "Bernoulli", 15, inferRandomLike, runBernoulli},
    {"", "Multinomial", 7, inferMultinomial, runMultinomial},
};

} // namespace

std::span<const OpEntry> random()
{
    return entries;
}

} // namespace fusescope::families
