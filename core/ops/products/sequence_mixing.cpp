#include "ops/families.h"
#include "ops/products/products.h"
#include "ops/shape_messages.h"

#include <cmath>

namespace fusescope {

// Rotates pairs of each head's first elements by the angles of its position.
Result<void> runRotaryEmbedding(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* cosines, context.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* sines, context.tensor(2));
    const Tensor* positions = context.optionalTensor(3);
    FUSESCOPE_TRY(requireRank(context, *x, 0, 3, 4));
    const bool packed = x->rank() == 3;
    const std::int64_t batch = x->shape()[0];
    const std::int64_t length = x->shape()[packed ? 1 : 2];
    const std::int64_t heads =
        packed ? context.attributes().getInt("num_heads", 0) : x->shape()[1];
    if (heads < 1 || (packed && x->shape()[2] % heads != 0))
        return context.wrong(wrongDivisor("num_heads", x->shape().back(), heads));
    const std::int64_t width = packed ? x->shape()[2] / heads : x->shape()[3];
    std::int64_t rotated = context.attributes().getInt("rotary_embedding_dim", 0);
    rotated = rotated == 0 ? width : rotated;
    const std::int64_t half = rotated / 2;
    const std::int64_t rows = half > 0 ? cosines->elementCount() / half : 0;
    const std::int64_t wanted = positions ? rows : batch * length;
    if (rotated < 0 || rotated > width || rotated % 2 != 0)
        return context.wrong(wrongAttribute("rotary_embedding_dim",
                                            "0, 2, 4 … " + std::to_string(width),
                                            std::to_string(rotated)));
    FUSESCOPE_TRY(requireRank(context, *cosines, 1, 1));
    if (cosines->shape().back() != half || rows != wanted)
        return context.wrong(wrongShape(
            1, "[" + (positions ? "…" : std::to_string(wanted)) + ", " + std::to_string(half) + "]",
            shapeText(cosines->shape())));
    if (cosines->shape() != sines->shape())
        return context.wrong(
            wrongShape(2, shapeText(cosines->shape()), shapeText(sines->shape())));
    FUSESCOPE_TRY(requireCount(context, positions, 3, batch * length));
    const bool interleaved = context.attributes().getInt("interleaved", 0) != 0;
    Tensor y = x->materialized();
    // With no elements the other sizes may be as large as they like.
    for (std::int64_t b = 0; y.elementCount() > 0 && b < batch; ++b) {
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t position =
                positions ? positions->asInt(b * length + i) : b * length + i;
            if (position < 0 || position >= rows)
                return context.wrong(indexOutOfRange(3, position, rows));
            for (std::int64_t h = 0; h < heads; ++h) {
                const std::int64_t base = packed ? ((b * length + i) * heads + h) * width
                                                 : ((b * heads + h) * length + i) * width;
                for (std::int64_t p = 0; p < half; ++p) {
                    const std::int64_t first = base + (interleaved ? 2 * p : p);
                    const std::int64_t second = interleaved ? first + 1 : first + half;
                    const double c = cosines->asDouble(position * half + p);
                    const double s = sines->asDouble(position * half + p);
                    const double re = x->asDouble(first), im = x->asDouble(second);
                    y.store(first, c * re - s * im);
                    y.store(second, s * re + c * im);
                }
            }
        }
    }
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> inferLinearAttention(InferenceContext& context)
{
    for (std::size_t i = 0; i < 3; ++i)
        FUSESCOPE_TRY(requireRank(context, i, 3, 3));
    const std::int64_t qHeads = context.attributes().getInt("q_num_heads", 0);
    const std::int64_t kvHeads = context.attributes().getInt("kv_num_heads", 0);
    if (qHeads < 1 || kvHeads < 1)
        return context.wrong(missingAttribute("q_num_heads, kv_num_heads"));
    const Shape& q = context.shape(0);
    const Shape& v = context.shape(2);
    const DType state = context.hasInput(3) ? context.dtype(3) : context.dtype(0);
    if (!q.hasRank() || !v.hasRank()) {
        context.setTensor(0, context.dtype(0), context.unknownShape(0, 3));
        context.setTensor(1, state, context.unknownShape(1, 4));
        return {};
    }
    const Dim width = floordiv(v[2], Dim(kvHeads));
    context.setTensor(0, context.dtype(0), Shape::of({q[0], q[1], width * Dim(qHeads)}));
    context.setTensor(1, state, Shape::of({q[0], Dim(kvHeads), floordiv(q[2], Dim(qHeads)), width}));
    return {};
}

// For each head a state S of keys by values: it decays (gated), forgets what it holds at the key
// (delta), takes in k·vᵀ, and answers q.
Result<void> runLinearAttention(KernelContext& context)
{
    const Tensor* in[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        FUSESCOPE_ASSIGN(in[i], context.tensor(i));
        FUSESCOPE_TRY(requireRank(context, *in[i], i, 3, 3));
    }
    const Tensor& q = *in[0];
    const Tensor& k = *in[1];
    const Tensor& v = *in[2];
    const Tensor* past = context.optionalTensor(3);
    const Tensor* decay = context.optionalTensor(4);
    const Tensor* beta = context.optionalTensor(5);
    const std::string rule = context.attributes().getString("update_rule", "gated_delta");
    const bool gated = rule == "gated" || rule == "gated_delta";
    const bool delta = rule == "delta" || rule == "gated_delta";
    if (!gated && !delta && rule != "linear")
        return context.wrong(
            wrongAttribute("update_rule", "linear, gated, delta, gated_delta", rule));
    if (gated && !decay)
        return context.wrong(missingInput(4));
    if (delta && !beta)
        return context.wrong(missingInput(5));
    const std::int64_t qHeads = context.attributes().getInt("q_num_heads", 0);
    const std::int64_t heads = context.attributes().getInt("kv_num_heads", 0);
    const std::int64_t batch = q.shape()[0], length = q.shape()[1];
    if (qHeads < 1 || heads < 1 || qHeads % heads != 0 || q.shape()[2] % qHeads != 0 ||
        v.shape()[2] % heads != 0 || k.shape()[2] * qHeads != q.shape()[2] * heads ||
        k.shape()[0] != batch || v.shape()[0] != batch || k.shape()[1] != length ||
        v.shape()[1] != length)
        return context.wrong(attentionShapes(context));
    const std::int64_t dk = q.shape()[2] / qHeads, dv = v.shape()[2] / heads;
    const Sizes stateShape = {batch, heads, dk, dv};
    const std::int64_t tokens = batch * length;
    const std::int64_t decayWidth = decay && tokens > 0 ? decay->elementCount() / tokens : heads;
    const std::int64_t betaWidth = beta && tokens > 0 ? beta->elementCount() / tokens : heads;
    if ((past && past->shape() != stateShape) ||
        (decayWidth != heads && decayWidth != heads * dk) ||
        (betaWidth != heads && betaWidth != 1))
        return context.wrong(attentionShapes(context));
    const double given = context.attributes().getFloat("scale", 0);
    const double scale = given == 0 ? 1 / std::sqrt(static_cast<double>(dk)) : given;
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(q.dtype(), {batch, length, qHeads * dv}));
    FUSESCOPE_ASSIGN(Tensor present,
                     context.allocate(past ? past->dtype() : q.dtype(), stateShape));
    const std::int64_t group = qHeads / heads;
    std::vector<double> state(static_cast<std::size_t>(dk * dv));
    std::vector<double> value(static_cast<std::size_t>(dv));
    const bool isEmpty = y.elementCount() == 0 && present.elementCount() == 0;
    for (std::int64_t bh = 0; !isEmpty && bh < batch * heads; ++bh) {
        const std::int64_t b = bh / heads, h = bh % heads;
        for (std::int64_t i = 0; i < dk * dv; ++i)
            state[static_cast<std::size_t>(i)] = past ? past->asDouble(bh * dk * dv + i) : 0.0;
        const auto cell = [&](std::int64_t r, std::int64_t c) -> double& {
            return state[static_cast<std::size_t>(r * dv + c)];
        };
        for (std::int64_t t = 0; t < length; ++t) {
            if (context.stopRequested())
                return cancelled();
            const std::int64_t token = b * length + t;
            const auto key = [&](std::int64_t r) {
                return k.asDouble((token * heads + h) * dk + r);
            };
            for (std::int64_t r = 0; gated && r < dk; ++r) {
                const double rate = std::exp(
                    decayWidth == heads ? decay->asDouble(token * heads + h)
                                        : decay->asDouble((token * heads + h) * dk + r));
                for (std::int64_t c = 0; c < dv; ++c)
                    cell(r, c) *= rate;
            }
            for (std::int64_t c = 0; c < dv; ++c) {
                double next = v.asDouble((token * heads + h) * dv + c);
                if (delta) {
                    double held = 0;
                    for (std::int64_t r = 0; r < dk; ++r)
                        held += cell(r, c) * key(r);
                    next = beta->asDouble(betaWidth == 1 ? token : token * heads + h) *
                           (next - held);
                }
                value[static_cast<std::size_t>(c)] = next;
            }
            for (std::int64_t r = 0; r < dk; ++r) {
                for (std::int64_t c = 0; c < dv; ++c)
                    cell(r, c) += key(r) * value[static_cast<std::size_t>(c)];
            }
            for (std::int64_t g = 0; g < group; ++g) {
                const std::int64_t head = h * group + g;
                for (std::int64_t c = 0; c < dv; ++c) {
                    double sum = 0;
                    for (std::int64_t r = 0; r < dk; ++r)
                        sum += q.asDouble((token * qHeads + head) * dk + r) * cell(r, c);
                    y.store((token * qHeads + head) * dv + c, scale * sum);
                }
            }
        }
        for (std::int64_t i = 0; i < dk * dv; ++i)
            present.store(bh * dk * dv + i, state[static_cast<std::size_t>(i)]);
    }
    context.setOutput(0, std::move(y));
    context.setOutput(1, std::move(present));
    return {};
}

namespace {

constexpr OpEntry table[] = {
    {"", "MatMul", 1, inferMatMul, runMatMul},
    {"", "MatMulInteger", 10, inferMatMulInteger, runMatMulInteger},
    {"", "Gemm", 1, inferGemm, runGemm},
    {"", "Einsum", 12, inferEinsum, runEinsum},
    {"", "Det", 11, inferDet, runDet},
    {"", "Attention", 23, inferAttention, runAttention},
    {"ai.onnx.preview", "FlexAttention", 1, inferFlexAttention, runFlexAttention},
    {"", "RotaryEmbedding", 23, inferSame, runRotaryEmbedding},
    {"", "LinearAttention", 27, inferLinearAttention, runLinearAttention},
};

} // namespace

namespace families {

std::span<const OpEntry> products()
{
    return table;
}

} // namespace families

} // namespace fusescope
