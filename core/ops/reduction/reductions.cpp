#include "ops/element_map.h"
#include "ops/reduction/reduction.h"

#include <cstddef>
#include <memory>
#include <numeric>
#include <span>

namespace fusescope::reduction {

namespace {

// ReduceSum takes its axes as an input from 13 on, the others from 18 on.
bool axesAreInput(const Node& node, int since)
{
    return since >= (node.op.type == "ReduceSum" ? 13 : 18);
}

Result<void> inferReduce(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const bool keep = c.attributes().getInt("keepdims", 1) == 1;
    const AxesArgument axes = axesArgument(c, axesAreInput(c.node(), c.sinceVersion()));
    if (!input.hasRank()) {
        const bool all = !axes.given && c.attributes().getInt("noop_with_empty_axes", 0) == 0;
        c.setTensor(0, c.dtype(0), all && !keep ? Shape::scalar() : Shape::unranked());
        return {};
    }
    const std::size_t rank = input.rank();
    if (axes.given && !axes.values) {
        const auto count = knownLength(c, 1);
        if (keep)
            c.setTensor(0, c.dtype(0), c.unknownShape(0, rank));
        else if (count && *count > 0 && *count <= static_cast<std::int64_t>(rank))
            c.setTensor(0, c.dtype(0), c.unknownShape(0, rank - static_cast<std::size_t>(*count)));
        else
            c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::vector<bool> reduced(rank);
    const bool empty = !axes.given || axes.values->empty();
    if (!empty) {
        FUSESCOPE_ASSIGN(const auto list, wantAxes(c, *axes.values, rank));
        for (const std::size_t axis : list)
            reduced[axis] = true;
    } else if (c.attributes().getInt("noop_with_empty_axes", 0) == 0) {
        reduced.assign(rank, true);
    }
    std::vector<Dim> dims;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (!reduced[axis])
            dims.push_back(input[axis]);
        else if (keep)
            dims.push_back(1);
    }
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    return {};
}

// A reduction of a whole shape vector.
template <class F>
Result<void> inferReduceData(InferenceContext& c, F f)
{
    FUSESCOPE_TRY(inferReduce(c));
    const Shape& input = c.shape(0);
    const ShapeData data = carriesData(c.dtype(0)) ? wholeNumbers(c, 0) : std::nullopt;
    const auto count = c.outputs()[0].type.shape.elementCount();
    if (!data || data->empty() || !input.hasRank() || input.rank() != 1 || !count ||
        *count != Dim(1))
        return {};
    Dim value = data->front();
    for (std::size_t i = 1; i < data->size(); ++i)
        value = f(value, (*data)[i]);
    c.setData(0, {std::move(value)});
    return {};
}

Result<void> inferProd(InferenceContext& c)
{
    return inferReduceData(c, [](const Dim& a, const Dim& b) { return a * b; });
}
Result<void> inferSum(InferenceContext& c)
{
    return inferReduceData(c, [](const Dim& a, const Dim& b) { return a + b; });
}
Result<void> inferMax(InferenceContext& c)
{
    return inferReduceData(c, [](const Dim& a, const Dim& b) { return max(a, b); });
}
Result<void> inferMin(InferenceContext& c)
{
    return inferReduceData(c, [](const Dim& a, const Dim& b) { return min(a, b); });
}

// What is reduced, for a kernel.
struct Plan
{
    std::vector<std::int64_t> shape; // of the result
    Sizes strides;                   // into the result, 0 along reduced axes
    std::int64_t count = 1;          // elements in one reduction
};

Result<Plan> planOf(const KernelContext& c, const Tensor& input)
{
    const bool keep = c.attributes().getInt("keepdims", 1) == 1;
    FUSESCOPE_ASSIGN(const auto axes, kernelAxes(c, axesAreInput(c.node(), c.sinceVersion())));
    std::vector<bool> reduced(input.rank());
    if (axes && !axes->empty()) {
        FUSESCOPE_ASSIGN(const auto list, wantAxes(c, *axes, input.rank()));
        for (const std::size_t axis : list)
            reduced[axis] = true;
    } else if (c.attributes().getInt("noop_with_empty_axes", 0) == 0) {
        reduced.assign(input.rank(), true);
    }
    Plan plan;
    std::vector<std::int64_t> kept;
    for (std::size_t axis = 0; axis < input.rank(); ++axis) {
        const std::int64_t size = input.shape()[axis];
        kept.push_back(reduced[axis] ? 1 : size);
        if (!reduced[axis] || keep)
            plan.shape.push_back(kept.back());
        if (reduced[axis])
            plan.count *= size;
    }
    plan.strides = stridesOf(kept);
    for (std::size_t axis = 0; axis < input.rank(); ++axis) {
        if (reduced[axis])
            plan.strides[axis] = 0;
    }
    return plan;
}

// Folds each group of elements. A rule has a State made by start<V>(), add(state, value) and
// finish(state, count).
template <class List, class Rule>
Result<void> reduce(KernelContext& c, List list, Rule rule)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const Plan plan, planOf(c, *input));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), plan.shape));
    FUSESCOPE_TRY(dispatch(c, list, input->dtype(), [&]<class T>() -> Result<void> {
        using V = decltype(computeValue(T{}));
        using State = decltype(rule.template start<V>());
        struct Cell // not a bare bool: std::vector would pack those
        {
            State state;
        };
        static_assert(std::is_trivially_copyable_v<Cell> && alignof(Cell) <= alignof(std::max_align_t));
        // A tensor, so that they count as memory of the run.
        const auto count = static_cast<std::size_t>(output.elementCount());
        FUSESCOPE_ASSIGN(Tensor room,
                         c.allocate(DType::uint8, {static_cast<std::int64_t>(count * sizeof(Cell))}));
        const std::span<Cell> cells(static_cast<Cell*>(static_cast<void*>(room.mutableData())), count);
        std::uninitialized_fill(cells.begin(), cells.end(), Cell{rule.template start<V>()});
        const auto in = input->template aligned<T>();
        forEachRun<1>(
            input->shape(), {plan.strides},
            [&](std::int64_t first, std::int64_t length, const auto& at, const auto& step) {
                for (std::int64_t j = 0; j < length; ++j)
                    rule.add(cells[static_cast<std::size_t>(at[0] + j * step[0])].state,
                             computeValue(in.data()[first + j]));
            });
        T* out = output.template mutableElements<T>();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto value = rule.finish(cells[i].state, plan.count);
            if constexpr (std::is_integral_v<T> && std::is_floating_point_v<decltype(value)>)
                out[i] = saturatingInteger<T>(value);
            else
                out[i] = elementOf<T>(value);
        }
        return {};
    }));
    c.setOutput(0, std::move(output));
    return {};
}

// Long sums of floats are kept in double, of integers they wrap.
template <class V>
using Sum = std::conditional_t<std::is_floating_point_v<V>, double, V>;

struct SumRule
{
    template <class V>
    Sum<V> start() const
    {
        return 0;
    }
    void add(auto& s, auto v) const { s = wrappingAdd(s, v); }
    auto finish(auto s, std::int64_t) const { return s; }
};
struct ProdRule
{
    template <class V>
    Sum<V> start() const
    {
        return 1;
    }
    void add(auto& s, auto v) const { s = wrappingMul(s, v); }
    auto finish(auto s, std::int64_t) const { return s; }
};
struct SquareRule
{
    template <class V>
    Sum<V> start() const
    {
        return 0;
    }
    void add(auto& s, auto v) const { s = wrappingAdd(s, wrappingMul(v, v)); }
    auto finish(auto s, std::int64_t) const { return s; }
};
struct AbsRule
{
    template <class V>
    Sum<V> start() const
    {
        return 0;
    }
    void add(auto& s, auto v) const
    {
        s = v < decltype(v)(0) ? wrappingSub(s, v) : wrappingAdd(s, v);
    }
    auto finish(auto s, std::int64_t) const { return s; }
};
struct RealSumRule
{
    template <class V>
    double start() const
    {
        return 0.0;
    }
    void add(double& s, auto v) const { s += static_cast<double>(v); }
};
// Means of integers are exact, rounded towards zero.
__extension__ typedef __int128 WideSum;
struct MeanRule
{
    template <class V>
    auto start() const
    {
        return std::conditional_t<std::is_floating_point_v<V>, double, WideSum>(0);
    }
    void add(double& s, double v) const { s += v; }
    void add(WideSum& s, auto v) const { s += v; }
    double finish(double s, std::int64_t n) const { return s / static_cast<double>(n); }
    WideSum finish(WideSum s, std::int64_t n) const { return n == 0 ? 0 : s / n; }
};
struct LogSumRule : RealSumRule
{
    double finish(double s, std::int64_t) const { return std::log(s); }
};
struct NormRule
{
    template <class V>
    double start() const
    {
        return 0.0;
    }
    void add(double& s, auto v) const { s += static_cast<double>(v) * static_cast<double>(v); }
    double finish(double s, std::int64_t) const { return std::sqrt(s); }
};
// The sum is kept relative to the greatest so far, so that nothing overflows.
struct LogSumExpRule
{
    struct State
    {
        double greatest = -std::numeric_limits<double>::infinity();
        double sum = 0.0;
    };
    template <class V>
    State start() const
    {
        return {};
    }
    void add(State& s, auto element) const
    {
        const auto v = static_cast<double>(element);
        if (v > s.greatest) {
            s.sum = (s.sum == 0.0 ? 0.0 : s.sum * std::exp(s.greatest - v)) + 1.0;
            s.greatest = v;
        } else if (v == s.greatest) {
            s.sum += std::isinf(v) && v < 0 ? 0.0 : 1.0;
        } else {
            s.sum += std::exp(v - s.greatest);
        }
    }
    double finish(const State& s, std::int64_t) const
    {
        return s.sum == 0.0 ? -std::numeric_limits<double>::infinity()
                            : std::log(s.sum) + s.greatest;
    }
};
// The least or greatest; of nothing, the value that any other one replaces.
template <bool Greatest>
struct ExtremeRule
{
    template <class V>
    V start() const
    {
        if constexpr (std::is_same_v<V, bool>)
            return !Greatest;
        else if constexpr (std::is_floating_point_v<V>)
            return Greatest ? -std::numeric_limits<V>::infinity()
                            : std::numeric_limits<V>::infinity();
        else
            return Greatest ? std::numeric_limits<V>::min() : std::numeric_limits<V>::max();
    }
    void add(auto& s, auto v) const
    {
        if (v != v || (Greatest ? v > s : v < s))
            s = v;
    }
    auto finish(auto s, std::int64_t) const { return s; }
};

template <class Rule>
Result<void> runReduce(KernelContext& c)
{
    return reduce(c, NumericTypes{}, Rule{});
}
template <bool Greatest>
Result<void> runExtreme(KernelContext& c)
{
    return reduce(c, NumericAndBoolTypes{}, ExtremeRule<Greatest>{});
}

constexpr OpEntry entries[] = {
    {"", "ReduceSum", 1, inferSum, runReduce<SumRule>},
    {"", "ReduceProd", 1, inferProd, runReduce<ProdRule>},
    {"", "ReduceMean", 1, inferReduce, runReduce<MeanRule>},
    {"", "ReduceMax", 1, inferMax, runExtreme<true>},
    {"", "ReduceMin", 1, inferMin, runExtreme<false>},
    {"", "ReduceL1", 1, inferReduce, runReduce<AbsRule>},
    {"", "ReduceL2", 1, inferReduce, runReduce<NormRule>},
    {"", "ReduceSumSquare", 1, inferReduce, runReduce<SquareRule>},
    {"", "ReduceLogSum", 1, inferReduce, runReduce<LogSumRule>},
    {"", "ReduceLogSumExp", 1, inferReduce, runReduce<LogSumExpRule>},
};

} // namespace

std::span<const OpEntry> reductions()
{
    return entries;
}

} // namespace fusescope::reduction
