#include "ops/element_map.h"
#include "ops/reduction/reduction.h"

namespace fusescope::reduction {

namespace {

// Folds along an axis, keeping what is reached at each place.
template <class F>
Result<void> scan(KernelContext& c, int start, F f)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::int64_t given, wantInt(c, 1));
    FUSESCOPE_ASSIGN(const std::size_t axis, axisOf(c, given, input->rank()));
    const bool exclusive = c.attributes().getInt("exclusive", 0) != 0;
    const bool reverse = c.attributes().getInt("reverse", 0) != 0;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
    const std::int64_t size = input->shape()[axis];
    const std::int64_t inner = productOf(std::span(input->shape()).subspan(axis + 1));
    FUSESCOPE_TRY(dispatch(c, NumericTypes{}, input->dtype(), [&]<class T>() -> Result<void> {
        const auto in = input->template aligned<T>();
        T* out = output.template mutableElements<T>();
        const std::int64_t lines = size == 0 ? 0 : input->elementCount() / size;
        for (std::int64_t line = 0; line < lines; ++line) {
            const std::int64_t base = line / inner * size * inner + line % inner;
            auto state = static_cast<decltype(computeValue(T{}))>(start);
            for (std::int64_t k = 0; k < size; ++k) {
                const std::int64_t at = base + (reverse ? size - 1 - k : k) * inner;
                const auto next = f(state, computeValue(in.data()[at]));
                out[at] = elementOf<T>(exclusive ? state : next);
                state = next;
            }
        }
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runCumSum(KernelContext& c)
{
    return scan(c, 0, [](auto a, auto b) { return wrappingAdd(a, b); });
}

Result<void> runCumProd(KernelContext& c)
{
    return scan(c, 1, [](auto a, auto b) { return wrappingMul(a, b); });
}

constexpr OpEntry entries[] = {
    {"", "CumSum", 11, inferSame, runCumSum},
    {"", "CumProd", 26, inferSame, runCumProd},
};

} // namespace

std::span<const OpEntry> scans()
{
    return entries;
}

} // namespace fusescope::reduction
