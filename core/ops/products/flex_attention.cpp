#include "ops/infer_support.h"
#include "ops/products/products.h"

#include <cmath>

namespace fusescope {

namespace {

// The element type of scores and probabilities: what `softmax_precision` says, else double for
// double and float for all others.
template <class C>
Result<DType> precisionOf(const C& c, DType input)
{
    const DType otherwise = input == DType::float64 ? DType::float64 : DType::float32;
    if (!c.attributes().has("softmax_precision"))
        return otherwise;
    const DType asked = dtypeAttribute(c.attributes(), "softmax_precision", DType::undefined);
    if (asked != DType::float32 && asked != DType::float64 && asked != DType::float16 &&
        asked != DType::bfloat16)
        return c.wrong(
            wrongAttribute("softmax_precision", "1, 10, 11, 16",
                           std::to_string(c.attributes().getInt("softmax_precision", 0))));
    return asked;
}

// Runs the body of an attribute, if there is one, on the one tensor; the shape and type must stay.
Result<void> modify(KernelContext& c, const char* attribute, TensorPtr& scores)
{
    const BodyId body = c.attributes().getBody(attribute);
    if (!body)
        return {};
    FUSESCOPE_ASSIGN(const std::vector<RuntimeValue> results, c.runBody(body, {scores}));
    if (results.size() != 1)
        return c.wrong(wrongBodyOutputs(attribute, 1, results.size()));
    TensorPtr result = results[0].tensorPtr();
    if (!result || result->dtype() != scores->dtype() || result->shape() != scores->shape())
        return c.wrong(wrongAttribute(attribute, RuntimeValue(scores).type().text(),
                                      results[0].type().text()));
    scores = std::move(result);
    return {};
}

Result<TensorPtr> scoresOf(KernelContext& c, const Tensor& q, const Tensor& k, DType precision)
{
    const auto& shape = q.shape();
    const std::int64_t group = shape[1] / k.shape()[1];
    const std::int64_t keys = k.shape()[2], width = shape[3];
    const double scale = c.attributes().has("scale")
                             ? static_cast<double>(c.attributes().getFloat("scale", 1))
                             : 1 / std::sqrt(static_cast<double>(width));
    FUSESCOPE_ASSIGN(Tensor scores, c.allocate(precision, {shape[0], shape[1], shape[2], keys}));
    const std::int64_t rows = keys > 0 ? scores.elementCount() / keys : 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (c.stopRequested())
            return cancelled();
        const std::int64_t b = row / shape[2] / shape[1], h = row / shape[2] % shape[1];
        const std::int64_t first = (b * k.shape()[1] + h / group) * keys;
        for (std::int64_t j = 0; j < keys; ++j) {
            double dot = 0;
            for (std::int64_t w = 0; w < width; ++w)
                dot += q.asDouble(row * width + w) * k.asDouble((first + j) * width + w);
            scores.store(row * keys + j, dot * scale);
        }
    }
    return std::make_shared<const Tensor>(std::move(scores));
}

// By the definition: a row of −∞ alone gives NaN.
Result<TensorPtr> softmaxOf(KernelContext& c, const Tensor& scores)
{
    FUSESCOPE_ASSIGN(Tensor result, c.allocate(scores.dtype(), scores.shape()));
    const std::int64_t keys = scores.shape()[3];
    std::vector<double> row(static_cast<std::size_t>(keys));
    for (std::int64_t base = 0; base < scores.elementCount(); base += keys) {
        if (c.stopRequested())
            return cancelled();
        double top = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::int64_t j = 0; j < keys; ++j)
            top = std::max(top, scores.asDouble(base + j));
        for (std::int64_t j = 0; j < keys; ++j) {
            double& v = row[static_cast<std::size_t>(j)];
            v = std::exp(scores.asDouble(base + j) - top);
            sum += v;
        }
        for (std::int64_t j = 0; j < keys; ++j)
            result.store(base + j, row[static_cast<std::size_t>(j)] / sum);
    }
    return std::make_shared<const Tensor>(std::move(result));
}

} // namespace

Result<void> inferFlexAttention(InferenceContext& c)
{
    for (std::size_t i = 0; i < 3; ++i)
        FUSESCOPE_TRY(requireRank(c, i, 4, 4));
    const auto size = [&c](std::size_t input, std::size_t axis, std::size_t unknown) {
        return c.shape(input).hasRank() ? c.shape(input)[axis] : c.unknown(0, unknown);
    };
    const Dim batch = size(0, 0, 0), heads = size(0, 1, 1), queries = size(0, 2, 2);
    FUSESCOPE_ASSIGN(const DType precision, precisionOf(c, c.dtype(0)));
    KnownValue scores;
    scores.type = Type::tensor(c.dtype(0) == DType::undefined ? DType::undefined : precision,
                               Shape::of({batch, heads, queries, size(1, 2, 4)}));
    for (const char* attribute : {"score_mod", "prob_mod"}) {
        if (const BodyId body = c.attributes().getBody(attribute))
            FUSESCOPE_TRY(c.inferBody(body, {scores}));
    }
    c.setTensor(0, c.dtype(0), Shape::of({batch, heads, queries, size(2, 3, 3)}));
    return {};
}

Result<void> runFlexAttention(KernelContext& c)
{
    const Tensor* parts[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        FUSESCOPE_ASSIGN(parts[i], c.tensor(i));
        FUSESCOPE_TRY(requireRank(c, *parts[i], i, 4, 4));
    }
    const Tensor &q = *parts[0], &k = *parts[1], &v = *parts[2];
    const auto& qs = q.shape();
    const auto& ks = k.shape();
    const auto& vs = v.shape();
    if (qs[0] != ks[0] || ks[0] != vs[0] || ks[1] != vs[1] || ks[2] != vs[2] || qs[3] != ks[3] ||
        ks[1] < 1 || qs[1] % ks[1] != 0)
        return c.wrong(attentionShapes(c));
    FUSESCOPE_ASSIGN(const DType precision, precisionOf(c, q.dtype()));
    FUSESCOPE_ASSIGN(TensorPtr scores, scoresOf(c, q, k, precision));
    FUSESCOPE_TRY(modify(c, "score_mod", scores));
    FUSESCOPE_ASSIGN(scores, softmaxOf(c, *scores));
    FUSESCOPE_TRY(modify(c, "prob_mod", scores));
    FUSESCOPE_ASSIGN(Tensor y, c.allocate(v.dtype(), {qs[0], qs[1], qs[2], vs[3]}));
    const std::int64_t group = qs[1] / ks[1];
    const std::int64_t rows = vs[3] > 0 ? y.elementCount() / vs[3] : 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (c.stopRequested())
            return cancelled();
        const std::int64_t b = row / qs[2] / qs[1], h = row / qs[2] % qs[1];
        const std::int64_t first = (b * ks[1] + h / group) * ks[2];
        for (std::int64_t w = 0; w < vs[3]; ++w) {
            double sum = 0;
            for (std::int64_t j = 0; j < ks[2]; ++j)
                sum += scores->asDouble(row * ks[2] + j) * v.asDouble((first + j) * vs[3] + w);
            y.store(row * vs[3] + w, sum);
        }
    }
    c.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
