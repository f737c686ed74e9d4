#include "ops/products/multiply.h"
#include "ops/products/products.h"
#include "ops/shape_messages.h"

namespace fusescope {

namespace {

using ProductTypes = decltype(FloatTypes{} + Types<std::int32_t, std::uint32_t, std::int64_t,
                                                   std::uint64_t>{});

// A batched product: matrices of a at a's strides over the joint batch.
struct MatMulCall
{
    std::int64_t rows = 0, columns = 0, depth = 0;
    Sizes batch, aBatch, bBatch; // the joint batch, and each operand's strides over it, in matrices
    Sizes output;
};

Result<MatMulCall> readCall(const KernelContext& context, const Tensor& a, const Tensor& b)
{
    Sizes as = a.shape(), bs = b.shape();
    if (as.empty() || bs.empty())
        return context.wrong(wrongRank(as.empty() ? 0 : 1, "≥ 1", 0));
    const bool aVector = as.size() == 1, bVector = bs.size() == 1;
    if (aVector)
        as.insert(as.begin(), 1);
    if (bVector)
        bs.push_back(1);
    MatMulCall call;
    call.rows = as[as.size() - 2];
    call.depth = as.back();
    call.columns = bs.back();
    const Sizes aBatch(as.begin(), as.end() - 2), bBatch(bs.begin(), bs.end() - 2);
    const auto joint = broadcastSizes(aBatch, bBatch);
    if (bs[bs.size() - 2] != call.depth)
        return context.wrong(innerSizesDiffer(1, shapeText(b.shape()), shapeText(a.shape())));
    if (!joint)
        return context.wrong(cannotBroadcast(1, shapeText(bBatch), shapeText(aBatch)));
    call.batch = *joint;
    call.aBatch = broadcastStrides(aBatch, *joint);
    call.bBatch = broadcastStrides(bBatch, *joint);
    call.output = *joint;
    if (!aVector)
        call.output.push_back(call.rows);
    if (!bVector)
        call.output.push_back(call.columns);
    return call;
}

// product(index of a's matrix, of b's, of the result's); false when stopped.
template <class F>
bool forEachMatrix(const MatMulCall& call, F&& product)
{
    bool running = true;
    forEachRun<2>(call.batch, {call.aBatch, call.bBatch},
                  [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                      for (std::int64_t j = 0; j < count && running; ++j)
                          running = product(at[0] + j * step[0], at[1] + j * step[1], first + j);
                  });
    return running;
}

template <class T>
Result<void> matMulOf(KernelContext& context, const MatMulCall& call, const Tensor& a,
                      const Tensor& b, Tensor& y)
{
    using Acc = Accumulator<T>;
    const auto as = a.aligned<T>();
    const auto bs = b.aligned<T>();
    T* out = y.mutableElements<T>();
    const bool done = forEachMatrix(call, [&](std::int64_t ai, std::int64_t bi, std::int64_t yi) {
        const T* left = as.data() + ai * call.rows * call.depth;
        const T* right = bs.data() + bi * call.depth * call.columns;
        T* to = out + yi * call.rows * call.columns;
        return multiply<Acc>(
            context, call.rows, call.columns, call.depth,
            [&](std::int64_t m, std::int64_t k) {
                return static_cast<Acc>(widen(left[m * call.depth + k]));
            },
            [&](std::int64_t k, std::int64_t n) {
                return static_cast<Acc>(widen(right[k * call.columns + n]));
            },
            [&](std::int64_t m, std::int64_t n, Acc sum) {
                to[m * call.columns + n] = narrow<T>(sum);
            });
    });
    if (!done)
        return cancelled();
    return {};
}

// A matrix as a product takes it: [5, 4] for [4, 5] that is transposed.
std::string multiplied(const Shape& matrix, bool transposed)
{
    return (transposed ? Shape::of({matrix[1], matrix[0]}) : matrix).text();
}

} // namespace

Result<Shape> matMulShape(const InferenceContext& context, std::size_t ai, std::size_t bi)
{
    const Shape& a = context.shape(ai);
    const Shape& b = context.shape(bi);
    FUSESCOPE_TRY(requireRank(context, ai, 1));
    FUSESCOPE_TRY(requireRank(context, bi, 1));
    if (!a.hasRank() || !b.hasRank())
        return Shape::unranked();
    const Dim& aDepth = a[a.rank() - 1];
    const Dim& bDepth = b[b.rank() >= 2 ? b.rank() - 2 : 0];
    if (provablyDifferent(aDepth, bDepth))
        return context.wrong(innerSizesDiffer(bi, b.text(), a.text()));
    const auto batchOf = [](const Shape& s) {
        std::vector<Dim> dims = s.dims();
        dims.resize(s.rank() >= 2 ? s.rank() - 2 : 0);
        return Shape::of(std::move(dims));
    };
    const auto batch = broadcast(batchOf(a), batchOf(b), [&](int axis) {
        return context.unknown(0, static_cast<std::size_t>(axis));
    });
    if (!batch)
        return context.wrong(cannotBroadcast(bi, batchOf(b).text(), batchOf(a).text()));
    std::vector<Dim> dims = batch->dims();
    if (a.rank() >= 2)
        dims.push_back(a[a.rank() - 2]);
    if (b.rank() >= 2)
        dims.push_back(b[b.rank() - 1]);
    return Shape::of(std::move(dims));
}

Result<void> inferMatMul(InferenceContext& context)
{
    FUSESCOPE_ASSIGN(Shape shape, matMulShape(context, 0, 1));
    context.setTensor(0, context.dtype(0), std::move(shape));
    return {};
}

Result<void> inferMatMulInteger(InferenceContext& context)
{
    FUSESCOPE_ASSIGN(Shape shape, matMulShape(context, 0, 1));
    context.setTensor(0, DType::int32, std::move(shape));
    return {};
}

Result<void> runMatMul(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* a, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* b, context.tensor(1));
    if (a->dtype() != b->dtype())
        return context.wrong(wrongType(1, std::string(nameOf(a->dtype())),
                                       std::string(nameOf(b->dtype()))));
    FUSESCOPE_ASSIGN(const MatMulCall call, readCall(context, *a, *b));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(a->dtype(), call.output));
    FUSESCOPE_TRY(dispatch(context, ProductTypes{}, a->dtype(), [&]<class T>() {
        return matMulOf<T>(context, call, *a, *b, y);
    }));
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> runMatMulInteger(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* a, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* b, context.tensor(1));
    const Tensor* aZero = context.optionalTensor(2);
    const Tensor* bZero = context.optionalTensor(3);
    FUSESCOPE_ASSIGN(const MatMulCall call, readCall(context, *a, *b));
    // One zero point for all, one a row of a or column of b, or those for each matrix of the batch.
    const auto fits = [](const Tensor* zero, std::int64_t lines, const Tensor& of) {
        const std::int64_t count = zero ? zero->elementCount() : 1;
        const std::int64_t matrices =
            of.rank() > 2 ? productOf(std::span(of.shape()).first(of.rank() - 2)) : 1;
        return count == 1 || count == lines || count == lines * matrices;
    };
    if (!fits(aZero, call.rows, *a))
        return context.wrong(
            wrongShape(2, "[] | " + shapeText(Sizes{call.rows}), shapeText(aZero->shape())));
    if (!fits(bZero, call.columns, *b))
        return context.wrong(
            wrongShape(3, "[] | " + shapeText(Sizes{call.columns}), shapeText(bZero->shape())));
    const auto zeroAt = [](const Tensor* zero, std::int64_t matrix, std::int64_t lines,
                           std::int64_t line) {
        if (!zero)
            return std::int64_t{0};
        const std::int64_t count = zero->elementCount();
        return zero->asInt(count == 1 ? 0 : count == lines ? line : matrix * lines + line);
    };
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(DType::int32, call.output));
    auto* out = y.mutableElements<std::int32_t>();
    const bool done = forEachMatrix(call, [&](std::int64_t ai, std::int64_t bi, std::int64_t yi) {
        return multiply<std::int64_t>(
            context, call.rows, call.columns, call.depth,
            [&](std::int64_t m, std::int64_t k) {
                return a->asInt((ai * call.rows + m) * call.depth + k) -
                       zeroAt(aZero, ai, call.rows, m);
            },
            [&](std::int64_t k, std::int64_t n) {
                return b->asInt((bi * call.depth + k) * call.columns + n) -
                       zeroAt(bZero, bi, call.columns, n);
            },
            [&](std::int64_t m, std::int64_t n, std::int64_t sum) {
                out[(yi * call.rows + m) * call.columns + n] = static_cast<std::int32_t>(sum);
            });
    });
    if (!done)
        return cancelled();
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> inferGemm(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 2, 2));
    FUSESCOPE_TRY(requireRank(context, 1, 2, 2));
    const bool transA = context.attributes().getInt("transA", 0) != 0;
    const bool transB = context.attributes().getInt("transB", 0) != 0;
    const Shape& a = context.shape(0);
    const Shape& b = context.shape(1);
    if (a.hasRank() && b.hasRank() && provablyDifferent(a[transA ? 0 : 1], b[transB ? 1 : 0]))
        return context.wrong(innerSizesDiffer(1, multiplied(b, transB), multiplied(a, transA)));
    Shape result = Shape::of({a.hasRank() ? a[transA ? 1 : 0] : context.unknown(0, 0),
                              b.hasRank() ? b[transB ? 0 : 1] : context.unknown(0, 1)});
    if (context.hasInput(2) && broadcastsTo(context.shape(2), result) == Answer::no)
        return context.wrong(cannotBroadcastTo(2, context.shape(2).text(), result.text()));
    context.setTensor(0, context.dtype(0), std::move(result));
    return {};
}

Result<void> runGemm(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* a, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* b, context.tensor(1));
    const Tensor* c = context.optionalTensor(2);
    FUSESCOPE_TRY(requireRank(context, *a, 0, 2, 2));
    FUSESCOPE_TRY(requireRank(context, *b, 1, 2, 2));
    const bool transA = context.attributes().getInt("transA", 0) != 0;
    const bool transB = context.attributes().getInt("transB", 0) != 0;
    const double alpha = context.attributes().getFloat("alpha", 1.0F);
    const double beta = context.attributes().getFloat("beta", 1.0F);
    const std::int64_t rows = a->shape()[transA ? 1 : 0], depth = a->shape()[transA ? 0 : 1];
    const std::int64_t columns = b->shape()[transB ? 0 : 1];
    const Sizes sizes = {rows, columns};
    for (const Tensor* other : {b, c}) {
        if (other && other->dtype() != a->dtype())
            return context.wrong(wrongType(other == b ? 1 : 2, std::string(nameOf(a->dtype())),
                                           std::string(nameOf(other->dtype()))));
    }
    if (b->shape()[transB ? 1 : 0] != depth)
        return context.wrong(innerSizesDiffer(1, multiplied(Shape::ofSizes(b->shape()), transB),
                                              multiplied(Shape::ofSizes(a->shape()), transA)));
    if (c && !broadcastsToSizes(c->shape(), sizes))
        return context.wrong(cannotBroadcastTo(2, shapeText(c->shape()), shapeText(sizes)));
    const Sizes steps = c ? broadcastStrides(c->shape(), sizes) : Sizes{0, 0};
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(a->dtype(), sizes));
    FUSESCOPE_TRY(dispatch(context, ProductTypes{}, a->dtype(), [&]<class T>() -> Result<void> {
        using Acc = Accumulator<T>;
        const auto as = a->aligned<T>();
        const auto bs = b->aligned<T>();
        T* out = y.mutableElements<T>();
        const bool done = multiply<Acc>(
            context, rows, columns, depth,
            [&](std::int64_t m, std::int64_t k) {
                return static_cast<Acc>(
                    widen(as[static_cast<std::size_t>(transA ? k * rows + m : m * depth + k)]));
            },
            [&](std::int64_t k, std::int64_t n) {
                return static_cast<Acc>(widen(
                    bs[static_cast<std::size_t>(transB ? n * depth + k : k * columns + n)]));
            },
            [&](std::int64_t m, std::int64_t n, Acc sum) {
                const auto scaled = [](double factor, double number) {
                    if constexpr (isFloatElement<T>)
                        return factor * number;
                    else
                        return saturatingInteger<Acc>(factor * number);
                };
                Acc value = alpha == 1 ? sum : scaled(alpha, static_cast<double>(sum));
                if (c && beta != 0) {
                    const std::int64_t at = m * steps[0] + n * steps[1];
                    const bool whole = !isFloatElement<T> && beta == 1;
                    value = wrappingAdd(value, whole ? static_cast<Acc>(c->asInt(at))
                                                     : scaled(beta, c->asDouble(at)));
                }
                out[m * columns + n] = narrow<T>(value);
            });
        if (!done)
            return cancelled();
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
