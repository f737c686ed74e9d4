#include "ops/sequence/ml_support.h"
#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

namespace {

// coefficients[k] · row + intercepts[k] for each k.
Result<std::vector<double>> linearScores(const KernelContext& c, const Rows& rows, std::int64_t row,
                                         std::span<const double> coefficients,
                                         std::span<const double> intercepts, std::size_t count)
{
    const auto width = static_cast<std::size_t>(rows.width);
    if (coefficients.size() != count * width)
        return c.wrong(wrongLength("coefficients", count * width, coefficients.size()));
    if (!intercepts.empty() && intercepts.size() != count)
        return c.wrong(wrongLength("intercepts", count, intercepts.size()));
    std::vector<double> scores(count);
    for (std::size_t k = 0; k < count; ++k) {
        double sum = intercepts.empty() ? 0.0 : intercepts[k];
        for (std::size_t i = 0; i < width; ++i)
            sum += coefficients[k * width + i] * rows.at(row, static_cast<std::int64_t>(i));
        scores[k] = sum;
    }
    return scores;
}

Result<void> inferRegressor(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const Dim rows = input.hasRank() && input.rank() == 2   ? input[0]
                     : input.hasRank() && input.rank() == 1 ? Dim(1)
                                                            : c.unknown(0, 0);
    c.setTensor(0, DType::float32,
                Shape::of({rows, std::max<std::int64_t>(c.attributes().getInt("targets", 1), 0)}));
    return {};
}

Result<void> runRegressor(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const std::int64_t targets = c.attributes().getInt("targets", 1);
    if (targets < 1 || targets > (1 << 24))
        return c.wrong(wrongAttribute("targets", "1 … " + std::to_string(1 << 24), std::to_string(targets)));
    const auto coefficients = numbersOf(c.attributes(), "coefficients");
    const auto intercepts = numbersOf(c.attributes(), "intercepts");
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::float32, {rows.count, targets}));
    for (std::int64_t row = 0; row < rows.count; ++row) {
        FUSESCOPE_ASSIGN(auto scores, linearScores(c, rows, row, coefficients, intercepts,
                                                   static_cast<std::size_t>(targets)));
        FUSESCOPE_TRY(transformScores(c, transformName(c.attributes()), scores));
        for (std::int64_t k = 0; k < targets; ++k)
            output.store(row * targets + k, scores[static_cast<std::size_t>(k)]);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferLinearClassifier(InferenceContext& c)
{
    return inferClassifier(c, "classlabels_ints", "classlabels_strings");
}

// With two labels and one row of coefficients, the score counts for one and against the other.
Result<void> runClassifier(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const Labels labels = labelsOf(c.attributes(), "classlabels_ints", "classlabels_strings");
    const auto coefficients = numbersOf(c.attributes(), "coefficients");
    const auto intercepts = numbersOf(c.attributes(), "intercepts");
    const auto width = static_cast<std::size_t>(std::max<std::int64_t>(rows.width, 1));
    const std::size_t count = coefficients.size() / width;
    std::vector<std::size_t> chosen;
    std::vector<std::vector<double>> all;
    for (std::int64_t row = 0; row < rows.count; ++row) {
        FUSESCOPE_ASSIGN(auto scores, linearScores(c, rows, row, coefficients, intercepts, count));
        if (scores.size() == 1 && labels.size() == 2)
            scores = {-scores[0], scores[0]};
        FUSESCOPE_TRY(transformScores(c, transformName(c.attributes()), scores));
        chosen.push_back(
            static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin()));
        all.push_back(std::move(scores));
    }
    return setClassified(c, labels, chosen, all);
}

constexpr OpEntry entries[] = {
    {mlDomain, "LinearRegressor", 1, inferRegressor, runRegressor},
    {mlDomain, "LinearClassifier", 1, inferLinearClassifier, runClassifier},
};

} // namespace

std::span<const OpEntry> mlLinear()
{
    return entries;
}

} // namespace fusescope::sequence
