#include "ops/element_copy.h"
#include "ops/element_map.h"
#include "ops/reduction/reduction.h"
#include "ops/stoppable.h"

#include <numeric>

namespace fusescope::reduction {

namespace {

Result<void> inferArg(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, DType::int64, Shape::unranked());
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), input.rank()));
    std::vector<Dim> dims = input.dims();
    if (c.attributes().getInt("keepdims", 1) == 1)
        dims[axis] = 1;
    else
        dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    c.setTensor(0, DType::int64, Shape::of(std::move(dims)));
    return {};
}

// Whether a comes before b when the greatest (least) comes first; NaN is before all.
template <class V>
bool comesFirst(V a, V b, bool greatest)
{
    if (a != a || b != b)
        return b == b;
    return greatest ? a > b : a < b;
}

template <bool Greatest>
Result<void> runArg(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), input->rank()));
    const bool last = c.attributes().getInt("select_last_index", 0) != 0;
    std::vector<std::int64_t> shape = input->shape();
    const std::int64_t size = shape[axis];
    const std::int64_t inner = productOf(std::span(shape).subspan(axis + 1));
    if (c.attributes().getInt("keepdims", 1) == 1)
        shape[axis] = 1;
    else
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::int64, shape));
    if (size == 0 && output.elementCount() > 0)
        return c.wrong({"ops.empty-reduction", {{"axis", static_cast<std::int64_t>(axis)}}});
    auto* out = output.mutableElements<std::int64_t>();
    FUSESCOPE_TRY(dispatch(c, NumericTypes{}, input->dtype(), [&]<class T>() -> Result<void> {
        const auto in = input->aligned<T>();
        StopPoll poll(c);
        return stoppable([&] {
            for (std::int64_t i = 0; i < output.elementCount(); ++i) {
                const T* first = in.data() + i / inner * size * inner + i % inner;
                std::int64_t best = 0;
                for (std::int64_t k = 1; k < size; ++k) {
                    poll();
                    const auto value = computeValue(first[k * inner]);
                    const auto held = computeValue(first[best * inner]);
                    if (comesFirst(value, held, Greatest) ||
                        (last && !comesFirst(held, value, Greatest)))
                        best = k;
                }
                out[i] = best;
            }
        });
    }));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferTopK(InferenceContext& c)
{
    Shape shape = c.shape(0);
    if (shape.hasRank()) {
        FUSESCOPE_ASSIGN(const std::size_t axis,
                         axisOf(c, c.attributes().getInt("axis", -1), shape.rank()));
        Dim k = c.unknown(0, axis);
        if (c.sinceVersion() < 10) {
            k = c.attributes().getInt("k", 0);
        } else if (const ShapeData data = c.integers(1);
                   data && data->size() == 1 && provablyNonNegative((*data)[0])) {
            k = (*data)[0];
        }
        const auto count = k.constant();
        const auto size = shape[axis].constant();
        if (count && (*count < 0 || (size && *count > *size)))
            return c.wrong(wrongValue("k", "0 … " + shape[axis].text(), k.text()));
        shape.set(axis, std::move(k));
    }
    c.setTensor(0, c.dtype(0), shape);
    c.setTensor(1, DType::int64, std::move(shape));
    return {};
}

Result<void> runTopK(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", -1), input->rank()));
    std::int64_t k = c.attributes().getInt("k", 0);
    if (c.sinceVersion() >= 10) {
        FUSESCOPE_ASSIGN(k, wantInt(c, 1));
    }
    std::vector<std::int64_t> shape = input->shape();
    const std::int64_t size = shape[axis];
    if (k < 0 || k > size)
        return c.wrong(wrongValue("k", "0 … " + std::to_string(size), std::to_string(k)));
    const bool largest = c.attributes().getInt("largest", 1) != 0;
    const std::int64_t outer = productOf(std::span(shape).first(axis));
    const std::int64_t inner = productOf(std::span(shape).subspan(axis + 1));
    shape[axis] = k;
    FUSESCOPE_ASSIGN(Tensor values, c.allocate(input->dtype(), shape));
    FUSESCOPE_ASSIGN(Tensor indices, c.allocate(DType::int64, shape));
    auto* out = indices.mutableElements<std::int64_t>();
    ElementCopy mover(values, *input);
    if (input->elementCount() == 0) {
        c.setOutput(0, std::move(values));
        c.setOutput(1, std::move(indices));
        return {};
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    FUSESCOPE_TRY(dispatch(c, NumericTypes{}, input->dtype(), [&]<class T>() -> Result<void> {
        const auto in = input->aligned<T>();
        StopPoll poll(c);
        return stoppable([&] {
            for (std::int64_t line = 0; line < outer * inner; ++line) {
                const std::int64_t o = line / inner;
                const std::int64_t i = line % inner;
                const std::int64_t base = o * size * inner + i;
                std::iota(order.begin(), order.end(), std::int64_t{0});
                std::ranges::partial_sort(
                    order, order.begin() + k, [&](std::int64_t a, std::int64_t b) {
                        poll();
                        const auto x = computeValue(in.data()[base + a * inner]);
                        const auto y = computeValue(in.data()[base + b * inner]);
                        if (comesFirst(x, y, largest))
                            return true;
                        return !comesFirst(y, x, largest) && a < b;
                    });
                for (std::int64_t n = 0; n < k; ++n) {
                    const std::int64_t at = (o * k + n) * inner + i;
                    out[at] = order[static_cast<std::size_t>(n)];
                    mover.copy(at, base + out[at] * inner);
                }
            }
        });
    }));
    c.setOutput(0, std::move(values));
    c.setOutput(1, std::move(indices));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "ArgMax", 1, inferArg, runArg<true>},
    {"", "ArgMin", 1, inferArg, runArg<false>},
    {"", "TopK", 1, inferTopK, runTopK},
};

} // namespace

std::span<const OpEntry> selections()
{
    return entries;
}

} // namespace fusescope::reduction
