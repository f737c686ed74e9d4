#include "ops/sequence/ml_support.h"

#include <numbers>

namespace fusescope::sequence {

namespace {

double logistic(double x)
{
    return 1.0 / (1.0 + std::exp(-x));
}

// The inverse of the error function: Winitzki's approximation, then Newton's steps.
double inverseErf(double x)
{
    if (!(std::abs(x) < 1.0))
        return x * std::numeric_limits<double>::infinity();
    constexpr double a = 0.147;
    const double log = std::log1p(-x * x);
    const double half = 2.0 / (std::numbers::pi * a) + log / 2.0;
    double y = std::copysign(std::sqrt(std::sqrt(half * half - log / a) - half), x);
    for (int i = 0; i < 3; ++i)
        y -= (std::erf(y) - x) / (2.0 / std::sqrt(std::numbers::pi) * std::exp(-y * y));
    return y;
}

} // namespace

Result<Rows> wantRows(const KernelContext& c, std::size_t input)
{
    Rows rows;
    FUSESCOPE_ASSIGN(rows.tensor, c.tensor(input));
    const auto& shape = rows.tensor->shape();
    if (rows.tensor->isString())
        return c.wrong(wrongType(input, "float", "string"));
    if (shape.empty() || shape.size() > 2)
        return c.wrong(wrongRank(input, "1, 2", shape.size()));
    rows.count = shape.size() == 2 ? shape[0] : 1;
    rows.width = shape.back();
    // Rows without features take no memory, so their number may be of any magnitude.
    constexpr std::int64_t mostEmptyRows = 1 << 20;
    if (rows.width == 0 && rows.count > mostEmptyRows)
        return c.wrong(wrongShape(input, "[N, F > 0]", shapeText(shape)));
    return rows;
}

std::vector<double> numbersOf(const Attributes& attributes, const char* floats, const char* tensor)
{
    std::vector<double> result;
    if (const auto values = attributes.getFloats(floats)) {
        for (const float value : *values)
            result.push_back(static_cast<double>(value));
    } else if (const TensorPtr held = tensor ? attributes.getTensor(tensor) : nullptr;
               held && held->isAvailable() && !held->isString()) {
        for (std::int64_t i = 0; i < held->elementCount(); ++i)
            result.push_back(held->asDouble(i));
    }
    return result;
}

std::string transformName(const Attributes& attributes)
{
    return attributes.getString("post_transform", "NONE");
}

Result<void> transformScores(const KernelContext& c, std::string_view name,
                             std::vector<double>& scores)
{
    if (name == "NONE" || scores.empty())
        return {};
    if (name == "LOGISTIC") {
        for (double& score : scores)
            score = logistic(score);
        return {};
    }
    if (name == "PROBIT") {
        for (double& score : scores)
            score = std::numbers::sqrt2 * inverseErf(2.0 * score - 1.0);
        return {};
    }
    if (name != "SOFTMAX" && name != "SOFTMAX_ZERO")
        return c.wrong(wrongAttribute(
            "post_transform", "NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO, PROBIT", std::string(name)));
    const double greatest = *std::ranges::max_element(scores);
    double total = 0.0;
    for (double& score : scores) {
        // SOFTMAX_ZERO keeps what is zero at zero.
        const bool kept = name == "SOFTMAX_ZERO" && std::abs(score) <= 1e-7;
        score = kept ? score * std::exp(-greatest) : std::exp(score - greatest);
        total += score;
    }
    for (double& score : scores)
        score = total == 0.0 ? 0.5 : score / total;
    return {};
}

void Labels::store(Tensor& output, std::int64_t i, std::size_t index) const
{
    if (areStrings())
        output.mutableStrings()[static_cast<std::size_t>(i)] = strings[index];
    else
        output.storeInt(i, ints[index]);
}

Labels labelsOf(const Attributes& attributes, const char* ints, const char* strings)
{
    Labels labels;
    labels.ints = intsOr(attributes, ints, {});
    labels.strings = attributes.getStrings(strings).value_or(std::vector<std::string>{});
    return labels;
}

Result<void> inferClassifier(InferenceContext& c, const char* ints, const char* strings)
{
    const Labels labels = labelsOf(c.attributes(), ints, strings);
    const Shape& input = c.shape(0);
    const Dim rows = input.hasRank() && input.rank() == 2   ? input[0]
                     : input.hasRank() && input.rank() == 1 ? Dim(1)
                                                            : c.unknown(0, 0);
    c.setTensor(0, labels.dtype(), Shape::of({rows}));
    c.setTensor(1, DType::float32, Shape::of({rows, c.unknown(1, 1)}));
    return {};
}

Result<void> setClassified(KernelContext& c, const Labels& labels,
                           const std::vector<std::size_t>& chosen,
                           const std::vector<std::vector<double>>& scores)
{
    const auto rows = static_cast<std::int64_t>(chosen.size());
    const auto width =
        scores.empty() ? std::int64_t{0} : static_cast<std::int64_t>(scores[0].size());
    FUSESCOPE_ASSIGN(Tensor names, c.allocate(labels.dtype(), {rows}));
    FUSESCOPE_ASSIGN(Tensor values, c.allocate(DType::float32, {rows, width}));
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto r = static_cast<std::size_t>(row);
        if (chosen[r] >= labels.size())
            return c.wrong({"ops.index-out-of-range",
                            {{"index", static_cast<std::int64_t>(chosen[r])},
                             {"size", static_cast<std::int64_t>(labels.size())}}});
        labels.store(names, row, chosen[r]);
        for (std::int64_t k = 0; k < width; ++k)
            values.store(row * width + k, scores[r][static_cast<std::size_t>(k)]);
    }
    c.setOutput(0, std::move(names));
    if (c.wantsOutput(1))
        c.setOutput(1, std::move(values));
    return {};
}

} // namespace fusescope::sequence
