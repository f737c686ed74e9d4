#include "ops/element_map.h"
#include "ops/sequence/ml_support.h"
#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

namespace {

Result<void> inferFloats(InferenceContext& c)
{
    c.setTensor(0, DType::float32, c.shape(0));
    return {};
}

Result<void> runScaler(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const auto offset = numbersOf(c.attributes(), "offset");
    const auto scale = numbersOf(c.attributes(), "scale");
    const auto width = static_cast<std::size_t>(rows.width);
    for (const auto* list : {&offset, &scale}) {
        if (list->size() != 1 && list->size() != width)
            return c.wrong(wrongLength(list == &offset ? "offset" : "scale", width, list->size()));
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::float32, rows.tensor->shape()));
    for (std::int64_t i = 0; i < output.elementCount(); ++i) {
        const auto k = static_cast<std::size_t>(i % rows.width);
        output.store(i, (rows.tensor->asDouble(i) - offset[offset.size() == 1 ? 0 : k]) *
                            scale[scale.size() == 1 ? 0 : k]);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runNormalizer(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const std::string norm = c.attributes().getString("norm", "MAX");
    if (norm != "MAX" && norm != "L1" && norm != "L2")
        return c.wrong(wrongAttribute("norm", "MAX, L1, L2", norm));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::float32, rows.tensor->shape()));
    for (std::int64_t row = 0; row < rows.count; ++row) {
        double size = 0.0;
        for (std::int64_t k = 0; k < rows.width; ++k) {
            const double value = rows.at(row, k);
            size = norm == "MAX"  ? std::max(size, std::abs(value))
                   : norm == "L1" ? size + std::abs(value)
                                  : size + value * value;
        }
        size = norm == "L2" ? std::sqrt(size) : size;
        for (std::int64_t k = 0; k < rows.width; ++k)
            output.store(row * rows.width + k,
                         size == 0.0 ? rows.at(row, k) : rows.at(row, k) / size);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runBinarizer(KernelContext& c)
{
    const auto threshold = static_cast<double>(c.attributes().getFloat("threshold", 0.0F));
    return mapElements(c, NumericTypes{}, [threshold](auto v) {
        return static_cast<decltype(v)>(static_cast<double>(v) > threshold ? 1 : 0);
    });
}

Result<void> runImputer(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const bool floats = isFloatingPoint(rows.tensor->dtype());
    const auto decimals = numbersOf(c.attributes(), "imputed_value_floats");
    const auto integers = intsOr(c.attributes(), "imputed_value_int64s", {});
    const double replaced =
        static_cast<double>(c.attributes().getFloat("replaced_value_float", 0.0F));
    const std::int64_t replacedInteger = c.attributes().getInt("replaced_value_int64", 0);
    const std::size_t given = floats ? decimals.size() : integers.size();
    const auto width = static_cast<std::size_t>(rows.width);
    if (given != 1 && given != width)
        return c.wrong(wrongLength(floats ? "imputed_value_floats" : "imputed_value_int64s", width,
                                   given));
    FUSESCOPE_TRY(c.allocate(rows.tensor->dtype(), rows.tensor->shape()));
    Tensor output = rows.tensor->materialized();
    for (std::int64_t i = 0; i < output.elementCount(); ++i) {
        const auto from = given == 1 ? std::size_t{0} : static_cast<std::size_t>(i % rows.width);
        if (!floats) {
            if (output.asInt(i) == replacedInteger)
                output.storeInt(i, integers[from]);
            continue;
        }
        const double value = output.asDouble(i);
        if (value == replaced || (std::isnan(value) && std::isnan(replaced)))
            output.store(i, decimals[from]);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferVectorizer(InferenceContext& c)
{
    const auto widths = c.attributes().getInts("inputdimensions");
    // Inputs beyond the list are taken whole, entries beyond the inputs say nothing.
    std::optional<Dim> sum = Dim(0);
    for (std::size_t i = 0; sum && i < c.inputCount(); ++i) {
        const Shape& shape = c.shape(i);
        if (widths && i < widths->size())
            sum = *sum + Dim((*widths)[i]);
        else if (shape.hasRank() && (shape.rank() == 1 || shape.rank() == 2))
            sum = *sum + shape[shape.rank() - 1];
        else
            sum.reset();
    }
    const Dim total = sum && provablyNonNegative(*sum) ? *sum : c.unknown(0, 1);
    const Shape& first = c.shape(0);
    const Dim rows = first.hasRank() && first.rank() == 2   ? first[0]
                     : first.hasRank() && first.rank() == 1 ? Dim(1)
                                                            : c.unknown(0, 0);
    c.setTensor(0, DType::float32, Shape::of({rows, total}));
    return {};
}

Result<void> runVectorizer(KernelContext& c)
{
    const auto widths = intsOr(c.attributes(), "inputdimensions", {});
    std::vector<Rows> inputs;
    std::vector<std::int64_t> taken;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, i));
        if (!inputs.empty() && rows.count != inputs[0].count)
            return c.wrong(wrongShape(i, "[" + std::to_string(inputs[0].count) + ", …]",
                                      shapeText(rows.tensor->shape())));
        const std::int64_t width = i < widths.size() ? widths[i] : rows.width;
        constexpr std::int64_t widest = std::int64_t{1} << 40;
        if (width < 0 || width > widest)
            return c.wrong(wrongAttribute("inputdimensions", "0 … " + std::to_string(widest),
                                          std::to_string(width)));
        inputs.push_back(rows);
        taken.push_back(width);
        total += width;
    }
    const std::int64_t count = inputs.empty() ? 0 : inputs[0].count;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::float32, {count, total}));
    std::int64_t first = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::int64_t row = 0; row < count; ++row) {
            for (std::int64_t k = 0; k < std::min(taken[i], inputs[i].width); ++k)
                output.store(row * total + first + k, inputs[i].at(row, k));
        }
        first += taken[i];
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {mlDomain, "Scaler", 1, inferFloats, runScaler},
    {mlDomain, "Normalizer", 1, inferFloats, runNormalizer},
    {mlDomain, "Binarizer", 1, inferSame, runBinarizer},
    {mlDomain, "Imputer", 1, inferSame, runImputer},
    {mlDomain, "FeatureVectorizer", 1, inferVectorizer, runVectorizer},
};

} // namespace

std::span<const OpEntry> mlScaling()
{
    return entries;
}

} // namespace fusescope::sequence
