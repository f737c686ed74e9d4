#include "ops/products/products.h"
#include "ops/shape_messages.h"

#include <fmt/format.h>

#include <cmath>

namespace fusescope {

namespace {

constexpr double minusInfinity = -std::numeric_limits<double>::infinity();

// Queries, keys or values as [batch, heads, length, width], whatever layout they came in.
struct Heads
{
    std::int64_t batch = 0, heads = 0, length = 0, width = 0;
    std::vector<double> elements;

    const double* row(std::int64_t b, std::int64_t h, std::int64_t i) const
    {
        return elements.data() + ((b * heads + h) * length + i) * width;
    }
};

Result<Heads> readHeads(const KernelContext& context, std::size_t input, const char* attribute)
{
    FUSESCOPE_ASSIGN(const Tensor* t, context.tensor(input));
    FUSESCOPE_TRY(requireRank(context, *t, input, 3, 4));
    Heads result;
    result.batch = t->shape()[0];
    result.elements.resize(static_cast<std::size_t>(t->elementCount()));
    if (t->rank() == 4) {
        result.heads = t->shape()[1];
        result.length = t->shape()[2];
        result.width = t->shape()[3];
        for (std::int64_t i = 0; i < t->elementCount(); ++i)
            result.elements[static_cast<std::size_t>(i)] = t->asDouble(i);
        return result;
    }
    result.heads = context.attributes().getInt(attribute, 0);
    result.length = t->shape()[1];
    if (result.heads < 1 || t->shape()[2] % result.heads != 0)
        return context.wrong(wrongDivisor(attribute, t->shape()[2], result.heads));
    result.width = t->shape()[2] / result.heads;
    std::int64_t from = 0;
    for (std::int64_t b = 0; !result.elements.empty() && b < result.batch; ++b) {
        for (std::int64_t i = 0; i < result.length; ++i) {
            for (std::int64_t h = 0; h < result.heads; ++h) {
                for (std::int64_t w = 0; w < result.width; ++w)
                    result.elements[static_cast<std::size_t>(
                        ((b * result.heads + h) * result.length + i) * result.width + w)] =
                        t->asDouble(from++);
            }
        }
    }
    return result;
}

// Puts the cached keys or values in front.
Result<void> prepend(const KernelContext& context, std::size_t input, Heads& to)
{
    const Tensor* past = context.optionalTensor(input);
    if (!past)
        return {};
    if (past->rank() != 4 || past->shape()[0] != to.batch || past->shape()[1] != to.heads ||
        past->shape()[3] != to.width)
        return context.wrong(wrongShape(input, fmt::format("[{}, {}, length, {}]", to.batch, to.heads, to.width),
                                        shapeText(past->shape())));
    Heads joined = to;
    const std::int64_t before = past->shape()[2];
    joined.length = before + to.length;
    joined.elements.clear();
    joined.elements.reserve(
        static_cast<std::size_t>(to.batch * to.heads * joined.length * to.width));
    for (std::int64_t bh = 0; bh < to.batch * to.heads; ++bh) {
        for (std::int64_t i = 0; i < before * to.width; ++i)
            joined.elements.push_back(past->asDouble(bh * before * to.width + i));
        const auto first = to.elements.begin() +
                           static_cast<std::ptrdiff_t>(bh * to.length * to.width);
        joined.elements.insert(joined.elements.end(), first,
                               first + static_cast<std::ptrdiff_t>(to.length * to.width));
    }
    to = std::move(joined);
    return {};
}

Result<Tensor> stored(const KernelContext& context, const Heads& heads, DType type)
{
    FUSESCOPE_ASSIGN(Tensor result, context.allocate(type, {heads.batch, heads.heads, heads.length,
                                                            heads.width}));
    for (std::int64_t i = 0; i < result.elementCount(); ++i)
        result.store(i, heads.elements[static_cast<std::size_t>(i)]);
    return result;
}

// What is added to the score of query i and key j: −∞ forbids.
class Bias
{
public:
    static Result<Bias> read(const KernelContext& context, const Heads& q, const Heads& k)
    {
        Bias bias;
        const Attributes& attributes = context.attributes();
        bias.m_causal = attributes.getInt("is_causal", 0) != 0;
        bias.m_left = attributes.getInt("left_window_size", -1);
        bias.m_right = attributes.getInt("right_window_size", -1);
        bias.m_mask = context.optionalTensor(3);
        bias.m_valid = context.optionalTensor(6);
        const Tensor* past = context.optionalTensor(4);
        bias.m_past = past ? past->shape()[2] : 0;
        bias.m_hasPast = past != nullptr;
        bias.m_queries = q.length;
        if (bias.m_valid && bias.m_valid->elementCount() != q.batch)
            return context.wrong(wrongShape(6, "[" + std::to_string(q.batch) + "]",
                                            shapeText(bias.m_valid->shape())));
        if (bias.m_mask) {
            const Tensor& mask = *bias.m_mask;
            Sizes target = {q.batch, q.heads, q.length, k.length};
            if (mask.rank() > 0 && mask.shape().back() < k.length && mask.shape().back() != 1)
                target.back() = mask.shape().back();
            bias.m_width = mask.rank() > 0 && mask.shape().back() != 1 ? mask.shape().back()
                                                                       : k.length;
            if (!broadcastsToSizes(mask.shape(), target))
                return context.wrong(
                    cannotBroadcastTo(3, shapeText(mask.shape()), shapeText(target)));
            bias.m_steps = broadcastStrides(mask.shape(), target);
        }
        return bias;
    }

    double at(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const
    {
        const std::int64_t offset =
            m_hasPast ? m_past : m_valid ? m_valid->asInt(b) - m_queries : 0;
        if (m_causal && j > i + offset)
            return minusInfinity;
        if (m_left >= 0 && j < i + offset - m_left)
            return minusInfinity;
        if (m_right >= 0 && j > i + offset + m_right)
            return minusInfinity;
        if (m_valid && j >= m_valid->asInt(b))
            return minusInfinity;
        if (!m_mask)
            return 0;
        if (j >= m_width)
            return minusInfinity;
        const std::int64_t place = b * m_steps[0] + h * m_steps[1] + i * m_steps[2] + j * m_steps[3];
        if (m_mask->dtype() == DType::boolean)
            return m_mask->asInt(place) != 0 ? 0 : minusInfinity;
        return m_mask->asDouble(place);
    }

private:
    bool m_causal = false, m_hasPast = false;
    std::int64_t m_left = -1, m_right = -1, m_past = 0, m_queries = 0, m_width = 0;
    const Tensor* m_mask = nullptr;
    const Tensor* m_valid = nullptr;
    Sizes m_steps;
};

void softmax(std::vector<double>& row)
{
    const double top = row.empty() ? 0 : *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& v : row) {
        v = std::exp(v - top);
        sum += v;
    }
    for (double& v : row)
        v /= sum;
}

} // namespace

Message attentionShapes(const KernelContext& context)
{
    std::string found;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Tensor* tensor = context.optionalTensor(i);
        found += (i > 0 ? ", " : "") + (tensor ? shapeText(tensor->shape()) : std::string("-"));
    }
    return Message("ops.attention-shapes", {{"found", std::move(found)}});
}

Result<void> inferAttention(InferenceContext& context)
{
    const Shape& q = context.shape(0);
    const Shape& k = context.shape(1);
    const Shape& v = context.shape(2);
    for (std::size_t i = 0; i < 3; ++i)
        FUSESCOPE_TRY(requireRank(context, i, 3, 4));
    if (!q.hasRank() || !k.hasRank() || !v.hasRank()) {
        context.setTensor(0, context.dtype(0), q.hasRank() ? context.unknownShape(0, q.rank())
                                                           : Shape());
        for (std::size_t i = 1; i < context.outputCount(); ++i)
            context.setTensor(i, context.dtype(i == 2 ? 2 : 0), context.unknownShape(i, 4));
        return {};
    }
    const Dim qHeads = q.rank() == 4 ? q[1] : Dim(context.attributes().getInt("q_num_heads", 1));
    const Dim kvHeads = k.rank() == 4 ? k[1] : Dim(context.attributes().getInt("kv_num_heads", 1));
    const auto width = [](const Shape& s, const Dim& heads) {
        return s.rank() == 4 ? s[3] : floordiv(s[2], heads);
    };
    const auto length = [](const Shape& s) { return s[s.rank() - 2]; };
    const Dim vWidth = width(v, kvHeads);
    context.setTensor(0, context.dtype(0),
                      q.rank() == 4 ? Shape::of({q[0], q[1], q[2], vWidth})
                                    : Shape::of({q[0], q[1], qHeads * vWidth}));
    const auto withPast = [&](std::size_t input, std::size_t output, const Dim& now) {
        if (!context.hasInput(input))
            return now;
        const Shape& past = context.shape(input);
        return past.hasRank() && past.rank() == 4 ? past[2] + now : context.unknown(output, 2);
    };
    const Dim total = withPast(4, 1, length(k));
    context.setTensor(1, context.dtype(1), Shape::of({k[0], kvHeads, total, width(k, kvHeads)}));
    context.setTensor(2, context.dtype(2),
                      Shape::of({v[0], kvHeads, withPast(5, 2, length(v)), vWidth}));
    context.setTensor(3, context.dtype(0), Shape::of({q[0], qHeads, length(q), total}));
    return {};
}

Result<void> runAttention(KernelContext& context)
{
    FUSESCOPE_ASSIGN(Heads q, readHeads(context, 0, "q_num_heads"));
    FUSESCOPE_ASSIGN(Heads k, readHeads(context, 1, "kv_num_heads"));
    FUSESCOPE_ASSIGN(Heads v, readHeads(context, 2, "kv_num_heads"));
    FUSESCOPE_TRY(prepend(context, 4, k));
    FUSESCOPE_TRY(prepend(context, 5, v));
    if (q.batch != k.batch || k.batch != v.batch || k.heads != v.heads || k.length != v.length ||
        q.width != k.width || k.heads < 1 || q.heads % k.heads != 0)
        return context.wrong(attentionShapes(context));
    FUSESCOPE_ASSIGN(const Bias bias, Bias::read(context, q, k));
    const DType type = context.input(0).tensor()->dtype();
    const double scale = context.attributes().has("scale")
                             ? static_cast<double>(context.attributes().getFloat("scale", 1))
                             : 1 / std::sqrt(static_cast<double>(q.width));
    const double softcap = context.attributes().getFloat("softcap", 0);
    const std::int64_t mode = context.attributes().getInt("qk_matmul_output_mode", 0);
    const bool packed = context.input(0).tensor()->rank() == 3;
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(
                                   type, packed ? Sizes{q.batch, q.length, q.heads * v.width}
                                                : Sizes{q.batch, q.heads, q.length, v.width}));
    Tensor scores;
    const bool wantsScores = context.wantsOutput(3);
    if (wantsScores) {
        FUSESCOPE_ASSIGN(scores, context.allocate(type, {q.batch, q.heads, q.length, k.length}));
    }
    const std::int64_t group = q.heads / k.heads;
    std::vector<double> row(static_cast<std::size_t>(k.length));
    std::vector<bool> isForbidden(row.size());
    std::vector<double> sum(static_cast<std::size_t>(v.width));
    const bool isEmpty = y.elementCount() == 0 && scores.elementCount() == 0;
    for (std::int64_t bh = 0; !isEmpty && bh < q.batch * q.heads; ++bh) {
        const std::int64_t b = bh / q.heads, h = bh % q.heads;
        for (std::int64_t i = 0; i < q.length; ++i) {
            if (context.stopRequested())
                return cancelled();
            const auto note = [&](std::int64_t stage) {
                if (!wantsScores || stage != mode)
                    return;
                for (std::int64_t j = 0; j < k.length; ++j)
                    scores.store((bh * q.length + i) * k.length + j,
                                 row[static_cast<std::size_t>(j)]);
            };
            const double* query = q.row(b, h, i);
            for (std::int64_t j = 0; j < k.length; ++j) {
                const double* key = k.row(b, h / group, j);
                double dot = 0;
                for (std::int64_t w = 0; w < q.width; ++w)
                    dot += query[w] * key[w];
                row[static_cast<std::size_t>(j)] = dot * scale;
            }
            note(0);
            if (softcap > 0) {
                for (double& s : row)
                    s = softcap * std::tanh(s / softcap);
            }
            note(1);
            for (std::int64_t j = 0; j < k.length; ++j) {
                const double add = bias.at(b, h, i, j);
                double& s = row[static_cast<std::size_t>(j)];
                // What is forbidden counts for nothing, even a NaN.
                isForbidden[static_cast<std::size_t>(j)] = add == minusInfinity;
                s = add == minusInfinity ? add : s + add;
            }
            note(2);
            // A row that may see nothing is all zero.
            if (std::find(isForbidden.begin(), isForbidden.end(), false) == isForbidden.end())
                std::fill(row.begin(), row.end(), 0.0);
            else
                softmax(row);
            note(3);
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::int64_t j = 0; j < k.length; ++j) {
                const double weight = row[static_cast<std::size_t>(j)];
                if (isForbidden[static_cast<std::size_t>(j)])
                    continue;
                const double* value = v.row(b, h / group, j);
                for (std::int64_t w = 0; w < v.width; ++w)
                    sum[static_cast<std::size_t>(w)] += weight * value[w];
            }
            const std::int64_t base = packed
                                          ? ((b * q.length + i) * q.heads + h) * v.width
                                          : (bh * q.length + i) * v.width;
            for (std::int64_t w = 0; w < v.width; ++w)
                y.store(base + w, sum[static_cast<std::size_t>(w)]);
        }
    }
    context.setOutput(0, std::move(y));
    if (context.wantsOutput(1)) {
        FUSESCOPE_ASSIGN(Tensor present, stored(context, k, context.input(1).tensor()->dtype()));
        context.setOutput(1, std::move(present));
    }
    if (context.wantsOutput(2)) {
        FUSESCOPE_ASSIGN(Tensor present, stored(context, v, context.input(2).tensor()->dtype()));
        context.setOutput(2, std::move(present));
    }
    if (wantsScores)
        context.setOutput(3, std::move(scores));
    return {};
}

} // namespace fusescope
