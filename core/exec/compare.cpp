#include "exec/compare.h"

#include <bit>
#include <cmath>
#include <limits>

namespace fusescope {

namespace {

enum class Rule { wholeTensor, elementwise };

// The number of representable floats between two of a type's values; infinite across a NaN.
double ulpsApart(DType type, double a, double b)
{
    if (a == b)
        return 0;
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<double>::infinity();
    int mantissa = 52;
    int lowest = -1022;
    switch (type) {
    case DType::float32:
        mantissa = 23;
        lowest = -126;
        break;
    case DType::float16:
        mantissa = 10;
        lowest = -14;
        break;
    case DType::bfloat16:
        mantissa = 7;
        lowest = -126;
        break;
    default:
        break;
    }
    const double larger = std::max(std::fabs(a), std::fabs(b));
    if (std::isinf(larger))
        return std::numeric_limits<double>::infinity();
    const int exponent = std::max(std::ilogb(larger), lowest);
    return std::fabs(a - b) / std::ldexp(1.0, exponent - mantissa);
}

std::vector<std::int64_t> indexOf(std::int64_t flat, const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t i = shape.size(); i-- > 0;) {
        index[i] = flat % shape[i];
        flat /= shape[i];
    }
    return index;
}

void compareStrings(const Tensor& before, const Tensor& after, TensorComparison& result)
{
    for (std::int64_t i = 0; i < before.elementCount(); ++i) {
        if (before.loadString(i) == after.loadString(i))
            continue;
        result.pass = false;
        result.why = Message("compare.values");
        result.worstIndex = indexOf(i, before.shape());
        return;
    }
}

// What the elements have in common while they are walked.
struct Sums
{
    double dot = 0, before = 0, after = 0;
    double worst = -1;
    std::int64_t worstAt = -1;
    bool nanMoved = false;

    double cosine() const
    {
        if (before == 0 && after == 0)
            return 1;
        return before == 0 || after == 0 ? 0 : dot / std::sqrt(before) / std::sqrt(after);
    }
};

struct Pair
{
    double before, after;
};

// The imaginary part stands for a second element, compared like the real one.
Pair imaginaryOf(const Tensor& before, const Tensor& after, std::int64_t i)
{
    if (before.dtype() == DType::complex64)
        return {before.load<std::complex<float>>(i).imag(), after.load<std::complex<float>>(i).imag()};
    return {before.load<std::complex<double>>(i).imag(), after.load<std::complex<double>>(i).imag()};
}

void takeElement(const Pair& pair, std::int64_t at, Rule rule, double allowed,
                 TensorComparison& result, Sums& sums)
{
    const auto [a, b] = pair;
    const bool nanA = std::isnan(a);
    const bool nanB = std::isnan(b);
    result.nanBefore += nanA ? 1 : 0;
    result.nanAfter += nanB ? 1 : 0;
    result.infBefore += std::isinf(a) ? 1 : 0;
    result.infAfter += std::isinf(b) ? 1 : 0;
    if (nanA || nanB) {
        if (nanA != nanB && !sums.nanMoved) {
            sums.nanMoved = true;
            sums.worst = std::numeric_limits<double>::infinity();
            sums.worstAt = at;
        }
        return;
    }
    const double difference = a == b ? 0 : std::fabs(a - b);
    if (std::isfinite(a) && std::isfinite(b)) {
        sums.dot += a * b;
        sums.before += a * a;
        sums.after += b * b;
    }
    result.maxAbs = std::max(result.maxAbs, difference);
    if (a != 0 && difference != 0)
        result.maxRel = std::max(result.maxRel, difference / std::fabs(a));
    if (isFloatingPoint(result.dtype))
        result.maxUlp = std::max(result.maxUlp, ulpsApart(result.dtype, a, b));
    const double excess =
        rule == Rule::wholeTensor
            ? difference
            : difference - (result.tolerance.atol + result.tolerance.rtol * std::fabs(a));
    if (!sums.nanMoved && (sums.worstAt < 0 || excess > sums.worst)) {
        sums.worst = excess;
        sums.worstAt = at;
    }
    const bool fails = rule == Rule::wholeTensor ? !(difference <= allowed) : !(excess <= 0);
    if (fails && difference != 0)
        result.pass = false;
}

bool isComplex(DType type)
{
    return type == DType::complex64 || type == DType::complex128;
}

void compareNumbers(const Tensor& before, const Tensor& after, Rule rule, TensorComparison& result)
{
    // Of two fills all elements are alike: one is looked at, however many there are.
    const bool alike = before.isSplat() && after.isSplat() && before.elementCount() > 0;
    const std::int64_t count = alike ? 1 : before.elementCount();
    double largest = 0;
    for (std::int64_t i = 0; i < count && rule == Rule::wholeTensor; ++i) {
        const double v = std::fabs(before.asDouble(i));
        if (std::isfinite(v))
            largest = std::max(largest, v);
    }
    const double allowed = result.tolerance.atol + result.tolerance.rtol * largest;
    Sums sums;
    for (std::int64_t i = 0; i < count; ++i) {
        if (before.dtype() == DType::int64 || before.dtype() == DType::uint64) {
            // Beyond 2^53 doubles cannot tell neighbours apart.
            if (before.load<std::int64_t>(i) != after.load<std::int64_t>(i) &&
                before.asDouble(i) == after.asDouble(i)) {
                result.pass = false;
                sums.worstAt = i;
            }
        }
        takeElement({before.asDouble(i), after.asDouble(i)}, i, rule, allowed, result, sums);
        if (isComplex(before.dtype()))
            takeElement(imaginaryOf(before, after, i), i, rule, allowed, result, sums);
    }
    result.cosine = sums.cosine();
    if (alike) {
        for (std::int64_t* counted :
             {&result.nanBefore, &result.nanAfter, &result.infBefore, &result.infAfter})
            *counted *= before.elementCount();
    }
    if (sums.nanMoved) {
        result.pass = false;
        result.why = Message("compare.nan");
    } else if (!result.pass) {
        result.why = Message("compare.values");
    }
    if (sums.worstAt >= 0) {
        result.worstIndex = indexOf(sums.worstAt, before.shape());
        result.worstBefore = before.asDouble(sums.worstAt);
        result.worstAfter = after.asDouble(sums.worstAt);
    }
}

std::string textOf(const std::vector<std::int64_t>& shape)
{
    return Shape::ofSizes(shape).text();
}

TensorComparison compareTensors(const Tensor& before, const Tensor& after, Rule rule,
                                Tolerance tolerance)
{
    TensorComparison result;
    result.dtype = before.dtype();
    result.shape = before.shape();
    result.tolerance = tolerance;
    result.pass = true;
    if (before.dtype() != after.dtype()) {
        result.pass = false;
        result.why = Message("compare.type", {{"before", std::string(nameOf(before.dtype()))},
                                              {"after", std::string(nameOf(after.dtype()))}});
    } else if (before.shape() != after.shape()) {
        result.pass = false;
        result.why = Message("compare.shape", {{"before", textOf(before.shape())},
                                               {"after", textOf(after.shape())}});
    } else if (before.isString()) {
        compareStrings(before, after, result);
    } else {
        compareNumbers(before, after, rule, result);
    }
    return result;
}

using CompareTensors = std::function<TensorComparison(const Tensor&, const Tensor&)>;

TensorComparison differentKinds()
{
    TensorComparison result;
    result.why = Message("compare.kind");
    return result;
}

TensorComparison compareAny(const RuntimeValue& before, const RuntimeValue& after,
                            const CompareTensors& tensors);

// The worst of the elements: the first that fails, else the one with the largest difference.
TensorComparison
worstOf(const std::vector<std::pair<const RuntimeValue*, const RuntimeValue*>>& pairs,
        const CompareTensors& tensors)
{
    TensorComparison worst;
    worst.pass = true;
    for (const auto& [before, after] : pairs) {
        TensorComparison one = compareAny(*before, *after, tensors);
        if (!one.pass)
            return one;
        if (one.maxAbs >= worst.maxAbs)
            worst = std::move(one);
    }
    return worst;
}

TensorComparison compareMaps(const MapValue& before, const MapValue& after,
                             const CompareTensors& tensors)
{
    if (before.entries.index() != after.entries.index())
        return differentKinds();
    return std::visit(
        [&](const auto& left) {
            const auto& right = std::get<std::decay_t<decltype(left)>>(after.entries);
            std::vector<std::pair<const RuntimeValue*, const RuntimeValue*>> pairs;
            auto b = right.begin();
            for (const auto& [key, value] : left) {
                if (b == right.end() || b->first != key)
                    return differentKinds();
                pairs.emplace_back(&value, &b->second);
                ++b;
            }
            return b == right.end() ? worstOf(pairs, tensors) : differentKinds();
        },
        before.entries);
}

TensorComparison compareAny(const RuntimeValue& before, const RuntimeValue& after,
                            const CompareTensors& tensors)
{
    if (before.value.index() != after.value.index())
        return differentKinds();
    if (before.tensor())
        return tensors(*before.tensor(), *after.tensor());
    if (const SparseTensor* left = before.sparse()) {
        const SparseTensor* right = after.sparse();
        if (left->shape != right->shape)
            return differentKinds();
        const RuntimeValue indices[] = {left->indices, right->indices};
        const RuntimeValue values[] = {left->values, right->values};
        return worstOf({{&indices[0], &indices[1]}, {&values[0], &values[1]}}, tensors);
    }
    if (const SequenceValue* left = before.sequence()) {
        const SequenceValue* right = after.sequence();
        if (left->elements.size() != right->elements.size()) {
            TensorComparison result = differentKinds();
            result.why = Message(
                "compare.length",
                {{"before", static_cast<std::int64_t>(left->elements.size())},
                 {"after", static_cast<std::int64_t>(right->elements.size())}});
            return result;
        }
        std::vector<std::pair<const RuntimeValue*, const RuntimeValue*>> pairs;
        for (std::size_t i = 0; i < left->elements.size(); ++i)
            pairs.emplace_back(left->elements[i].get(), right->elements[i].get());
        return worstOf(pairs, tensors);
    }
    if (const OptionalValue* left = before.optional()) {
        const OptionalValue* right = after.optional();
        if (!left->held != !right->held)
            return differentKinds();
        if (left->held)
            return compareAny(*left->held, *right->held, tensors);
    }
    if (before.map())
        return compareMaps(*before.map(), *after.map(), tensors);
    TensorComparison equal;
    equal.pass = true;
    return equal;
}

} // namespace

Tolerance defaultTolerance(DType type)
{
    switch (type) {
    case DType::float64:
    case DType::complex128:
        return {1e-10, 0};
    case DType::float32:
    case DType::complex64:
        return {1e-5, 0};
    case DType::float16:
        return {2e-3, 0};
    case DType::bfloat16:
        return {2e-2, 0};
    default:
        return {0, 0};
    }
}

TensorComparison compareValues(const RuntimeValue& before, const RuntimeValue& after,
                               std::optional<double> rtol, std::optional<double> atol)
{
    return compareAny(before, after, [&](const Tensor& a, const Tensor& b) {
        Tolerance tolerance = defaultTolerance(a.dtype());
        if (isFloatingPoint(a.dtype()) || isComplex(a.dtype())) {
            tolerance.rtol = rtol.value_or(tolerance.rtol);
            tolerance.atol = atol.value_or(tolerance.atol);
        }
        return compareTensors(a, b, Rule::wholeTensor, tolerance);
    });
}

TensorComparison compareElementwise(const RuntimeValue& expected, const RuntimeValue& found,
                                    double rtol, double atol)
{
    return compareAny(expected, found, [&](const Tensor& a, const Tensor& b) {
        const bool inexact = isFloatingPoint(a.dtype()) || isComplex(a.dtype());
        return compareTensors(a, b, Rule::elementwise, inexact ? Tolerance{rtol, atol} : Tolerance{});
    });
}

} // namespace fusescope
