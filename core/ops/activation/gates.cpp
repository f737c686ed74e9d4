#include "ops/activation/activation.h"
#include "ops/activation/clip_bounds.h"
#include "ops/element_map.h"
#include "ops/shape_messages.h"

namespace fusescope::activation {

namespace {

Result<void> inferPRelu(InferenceContext& c)
{
    copyType(c);
    const Shape& input = c.shape(0);
    Shape slope = c.shape(1);
    if (!input.hasRank() || !slope.hasRank())
        return {};
    if (c.sinceVersion() < 7) {
        if (!provablyDifferent(*slope.elementCount(), Dim(1)))
            return {};
        if (slope.rank() == 1 && input.rank() >= 2) {
            std::vector<Dim> dims(input.rank() - 1, Dim(1));
            dims[0] = slope[0];
            slope = Shape::of(std::move(dims));
        }
    }
    if (broadcastsTo(slope, input) == Answer::no)
        return c.wrong(cannotBroadcastTo(1, slope.text(), input.text()));
    return {};
}

// Versions before 7 lay the slope along the channels; later ones broadcast it to the input.
Result<void> runPRelu(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* slopeInput, c.tensor(1));
    Tensor slope = *slopeInput;
    if (slope.dtype() != input->dtype())
        return c.wrong(
            wrongType(1, std::string(nameOf(input->dtype())), std::string(nameOf(slope.dtype()))));
    if (c.sinceVersion() < 7) {
        if (slope.elementCount() == 1) {
            slope = slope.reshaped({});
        } else if (slope.rank() == 1 && input->rank() >= 2) {
            std::vector<std::int64_t> shape(input->rank() - 1, 1);
            shape[0] = slope.shape()[0];
            slope = slope.reshaped(std::move(shape));
        }
    }
    if (!broadcastsToSizes(slope.shape(), input->shape()))
        return c.wrong(cannotBroadcastTo(1, shapeText(slope.shape()), shapeText(input->shape())));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
    FUSESCOPE_TRY(dispatch(c, NumericTypes{}, input->dtype(), [&]<class T>() -> Result<void> {
        const auto x = input->aligned<T>();
        const auto s = slope.aligned<T>();
        T* out = output.mutableElements<T>();
        forEachRun<1>(
            input->shape(), {broadcastStrides(slope.shape(), input->shape())},
            [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                for (std::int64_t j = 0; j < count; ++j) {
                    const auto v = computeValue(x.data()[first + j]);
                    out[first + j] = v < decltype(v)(0)
                                         ? elementOf<T>(wrappingMul(
                                               v, computeValue(s.data()[at[0] + j * step[0]])))
                                         : x.data()[first + j];
                }
            });
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferClip(InferenceContext& c)
{
    for (std::size_t i = 1; c.sinceVersion() >= 11 && i < 3; ++i) {
        const auto count = c.shape(i).elementCount();
        if (c.hasInput(i) && count && provablyDifferent(*count, 1))
            return c.wrong(wrongShape(i, "[]", c.shape(i).text()));
    }
    FUSESCOPE_TRY(inferSame(c));
    const auto data = carriesData(c.dtype(0)) ? wholeNumbers(c, 0) : std::nullopt;
    if (!data || c.sinceVersion() < 11)
        return {};
    const auto low = c.hasInput(1) ? wholeNumbers(c, 1) : std::nullopt;
    const auto high = c.hasInput(2) ? wholeNumbers(c, 2) : std::nullopt;
    if ((c.hasInput(1) && (!low || low->size() != 1)) ||
        (c.hasInput(2) && (!high || high->size() != 1)))
        return {};
    std::vector<Dim> result = *data;
    for (Dim& dim : result) {
        if (low)
            dim = max(dim, low->front());
        if (high)
            dim = min(dim, high->front());
    }
    c.setData(0, std::move(result));
    return {};
}

// Where the least is above the greatest, all elements are the greatest.
Result<void> runClip(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const bool asInputs = c.sinceVersion() >= 11;
    const Tensor* low = asInputs ? c.optionalTensor(1) : nullptr;
    const Tensor* high = asInputs ? c.optionalTensor(2) : nullptr;
    std::size_t number = 1;
    for (const Tensor* bound : {low, high}) {
        if (bound && bound->elementCount() != 1)
            return c.wrong(wrongShape(number, "[]", shapeText(bound->shape())));
        if (bound && bound->dtype() != input->dtype())
            return c.wrong(wrongType(number, std::string(nameOf(input->dtype())),
                                     std::string(nameOf(bound->dtype()))));
        ++number;
    }
    const ClipBounds own = clipBounds(c.attributes(), c.sinceVersion(), input->dtype());
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
    FUSESCOPE_TRY(dispatch(c, NumericTypes{}, input->dtype(), [&]<class T>() -> Result<void> {
        using V = decltype(computeValue(T{}));
        std::optional<V> least, greatest;
        if constexpr (isFloatElement<T>) {
            least = static_cast<V>(own.low);
            greatest = static_cast<V>(own.high);
        }
        if (low)
            least = computeValue(low->load<T>(0));
        if (high)
            greatest = computeValue(high->load<T>(0));
        const auto x = input->aligned<T>();
        T* out = output.mutableElements<T>();
        for (std::size_t i = 0; i < x.size(); ++i) {
            V v = computeValue(x[i]);
            if (least && v < *least)
                v = *least;
            if (greatest && v > *greatest)
                v = *greatest;
            out[i] = elementOf<T>(v);
        }
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferSwiGlu(InferenceContext& c)
{
    const Shape& a = c.shape(0);
    const Shape& b = c.shape(1);
    if (!a.hasRank() || !b.hasRank()) {
        c.setTensor(0, c.dtype(0), a.hasRank() ? a : b);
        return {};
    }
    if (a.rank() != b.rank())
        return c.wrong(wrongRank(1, std::to_string(a.rank()), b.rank()));
    Shape shape = a;
    for (std::size_t axis = 0; axis < a.rank(); ++axis) {
        FUSESCOPE_ASSIGN(Dim dim, wantMeet(c, a[axis], b[axis], axis));
        shape.set(axis, std::move(dim));
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

Result<void> runSwiGlu(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* a, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* b, c.tensor(1));
    if (a->shape() != b->shape())
        return c.wrong(wrongShape(1, shapeText(a->shape()), shapeText(b->shape())));
    const auto alpha = static_cast<double>(c.attributes().getFloat("alpha", 1.0F));
    return mapPairs<void>(c, FloatTypes{}, 1, [alpha](double x, double y) {
        return x / (1.0 + std::exp(-alpha * x)) * y;
    });
}

constexpr OpEntry entries[] = {
    {"", "PRelu", 1, inferPRelu, runPRelu},
    {"", "Clip", 1, inferClip, runClip},
    {"", "SwiGLU", 28, inferSwiGlu, runSwiGlu},
};

} // namespace

std::span<const OpEntry> gates()
{
    return entries;
}

} // namespace fusescope::activation
