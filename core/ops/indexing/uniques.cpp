#include "ops/element_copy.h"
#include "ops/indexing/indexing.h"
#include "ops/infer_support.h"
#include "ops/stoppable.h"

#include <numeric>

namespace fusescope::indexing {

namespace {

Result<void> inferUnique(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    Shape shape = Shape::of({c.unknown(0, 0)});
    Dim inverse = c.unknown(2, 0);
    if (c.attributes().has("axis")) {
        shape = input;
        if (input.hasRank()) {
            FUSESCOPE_ASSIGN(const std::size_t axis,
                             axisOf(c, c.attributes().getInt("axis", 0), input.rank()));
            shape.set(axis, c.unknown(0, 0));
            inverse = input[axis];
        }
    } else if (auto count = input.elementCount()) {
        inverse = *std::move(count);
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    for (const std::size_t i : {std::size_t{1}, std::size_t{3}}) {
        if (i < c.outputCount())
            c.setTensor(i, DType::int64, Shape::of({c.unknown(0, 0)}));
    }
    if (c.outputCount() > 2)
        c.setTensor(2, DType::int64, Shape::of({inverse}));
    return {};
}

int compareFloats(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
    return a < b ? -1 : b < a ? 1 : 0;
}

// By the real parts, then by the imaginary ones.
template <class T>
int compareComplex(const Tensor& tensor, std::int64_t i, std::int64_t j)
{
    const std::complex<double> a = tensor.load<T>(i);
    const std::complex<double> b = tensor.load<T>(j);
    const int order = compareFloats(a.real(), b.real());
    return order != 0 ? order : compareFloats(a.imag(), b.imag());
}

// Negative, 0 or positive as element i is before, equal to or after element j. NaN is the last.
int compareElements(const Tensor& tensor, std::int64_t i, std::int64_t j)
{
    const auto order = [](const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : 0; };
    if (tensor.isString())
        return order(tensor.loadString(i), tensor.loadString(j));
    if (tensor.dtype() == DType::uint64)
        return order(tensor.load<std::uint64_t>(i), tensor.load<std::uint64_t>(j));
    if (tensor.dtype() == DType::complex64)
        return compareComplex<std::complex<float>>(tensor, i, j);
    if (tensor.dtype() == DType::complex128)
        return compareComplex<std::complex<double>>(tensor, i, j);
    if (!isFloatingPoint(tensor.dtype()))
        return order(tensor.asInt(i), tensor.asInt(j));
    return compareFloats(tensor.asDouble(i), tensor.asDouble(j));
}

Result<void> runUnique(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    std::vector<std::int64_t> shape{input->elementCount()};
    std::size_t axis = 0;
    if (c.attributes().has("axis")) {
        FUSESCOPE_ASSIGN(axis, axisOf(c, c.attributes().getInt("axis", 0), input->rank()));
        shape = input->shape();
    }
    const std::int64_t size = shape[axis];
    const std::int64_t outer = productOf(std::span(shape).first(axis));
    const std::int64_t inner = productOf(std::span(shape).subspan(axis + 1));
    FUSESCOPE_TRY(c.allocate(DType::int64, {size})); // beside a 0 it may be of any magnitude
    StopPoll poll(c);
    const auto compare = [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t o = 0; o < outer; ++o) {
            for (std::int64_t i = 0; i < inner; ++i) {
                poll();
                if (const int order = compareElements(*input, (o * size + a) * inner + i,
                                                      (o * size + b) * inner + i))
                    return order;
            }
        }
        return 0;
    };
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    struct Group
    {
        std::int64_t first;
        std::vector<std::int64_t> members;
    };
    std::vector<Group> groups;
    FUSESCOPE_TRY(stoppable([&] {
        std::ranges::stable_sort(order, [&](auto a, auto b) { return compare(a, b) < 0; });
        for (const std::int64_t i : order) {
            if (groups.empty() || compare(groups.back().first, i) != 0)
                groups.push_back({i, {}});
            groups.back().members.push_back(i);
        }
    }));
    if (c.attributes().getInt("sorted", 1) == 0)
        std::ranges::sort(groups, {}, &Group::first);
    const auto count = static_cast<std::int64_t>(groups.size());
    shape[axis] = count;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    std::vector<std::int64_t> first, inverse(static_cast<std::size_t>(size)), counts;
    ElementCopy mover(output, *input);
    for (std::int64_t g = 0; g < count; ++g) {
        const Group& group = groups[static_cast<std::size_t>(g)];
        for (std::int64_t o = 0; o < outer; ++o)
            mover.copy((o * count + g) * inner, (o * size + group.first) * inner, inner);
        first.push_back(group.first);
        counts.push_back(static_cast<std::int64_t>(group.members.size()));
        for (const std::int64_t i : group.members)
            inverse[static_cast<std::size_t>(i)] = g;
    }
    c.setOutput(0, std::move(output));
    if (c.wantsOutput(1))
        c.setOutput(1, Tensor::vector(first));
    if (c.wantsOutput(2))
        c.setOutput(2, Tensor::vector(inverse));
    if (c.wantsOutput(3))
        c.setOutput(3, Tensor::vector(counts));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Unique", 11, inferUnique, runUnique},
};

} // namespace

std::span<const OpEntry> uniques()
{
    return entries;
}

} // namespace fusescope::indexing
