#include "ops/element_map.h"
#include "ops/logic/logic.h"

namespace fusescope::logic {

namespace {

constexpr int legacy = 7; // the first version with multidirectional broadcasting

using Decision = std::optional<bool>;

// Shape data of a comparison: 1 or 0 where it is decided for all values of the symbols.
Result<void> inferComparison(InferenceContext& c, Decision (*decide)(const Dim&, const Dim&))
{
    FUSESCOPE_TRY(inferBinary(c, legacy, DType::boolean));
    propagateBinary(c, [decide](const Dim& a, const Dim& b) -> std::optional<Dim> {
        const Decision decision = decide(a, b);
        return decision ? std::optional<Dim>(Dim(*decision ? 1 : 0)) : std::nullopt;
    });
    return {};
}

Decision decideEqual(const Dim& a, const Dim& b)
{
    return provablyEqual(a, b)       ? Decision(true)
           : provablyDifferent(a, b) ? Decision(false)
                                     : std::nullopt;
}

Decision decideLess(const Dim& a, const Dim& b)
{
    return provablyLessEqual(a + Dim(1), b) ? Decision(true)
           : provablyLessEqual(b, a)        ? Decision(false)
                                            : std::nullopt;
}

Decision decideGreater(const Dim& a, const Dim& b)
{
    return decideLess(b, a);
}

Decision decideLessEqual(const Dim& a, const Dim& b)
{
    const Decision greater = decideLess(b, a);
    return greater ? Decision(!*greater) : std::nullopt;
}

Decision decideGreaterEqual(const Dim& a, const Dim& b)
{
    return decideLessEqual(b, a);
}

template <Decision (*Decide)(const Dim&, const Dim&)>
Result<void> inferDecided(InferenceContext& c)
{
    return inferComparison(c, Decide);
}

template <class F>
Result<void> runComparison(KernelContext& c, F f)
{
    return mapPairs<Bool8>(c, NumericAndBoolTypes{}, legacy, f);
}

Result<void> runEqual(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* a, c.tensor(0));
    if (!a->isString())
        return runComparison(c, [](auto x, auto y) { return x == y; });
    FUSESCOPE_ASSIGN(const BinaryOperands operands, binaryOperands(c, legacy));
    if (!operands.b.isString())
        return c.wrong(wrongType(1, "string", std::string(nameOf(operands.b.dtype()))));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::boolean, operands.shape));
    auto* out = output.mutableElements<std::uint8_t>();
    forEachRun<2>(operands.shape,
                  {broadcastStrides(operands.a.shape(), operands.shape),
                   broadcastStrides(operands.b.shape(), operands.shape)},
                  [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                      for (std::int64_t j = 0; j < count; ++j)
                          out[first + j] = operands.a.loadString(at[0] + j * step[0]) ==
                                                   operands.b.loadString(at[1] + j * step[1])
                                               ? 1
                                               : 0;
                  });
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runLess(KernelContext& c)
{
    return runComparison(c, [](auto a, auto b) { return a < b; });
}

Result<void> runGreater(KernelContext& c)
{
    return runComparison(c, [](auto a, auto b) { return a > b; });
}

Result<void> runLessEqual(KernelContext& c)
{
    return runComparison(c, [](auto a, auto b) { return a <= b; });
}

Result<void> runGreaterEqual(KernelContext& c)
{
    return runComparison(c, [](auto a, auto b) { return a >= b; });
}

Result<void> inferTest(InferenceContext& c)
{
    c.setTensor(0, DType::boolean, c.shape(0));
    return {};
}

// A test of each element of a float tensor.
template <class F>
Result<void> runTest(KernelContext& c, F f)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    if (!isFloatingPoint(input->dtype()))
        return c.wrong(unsupportedType(c, input->dtype()));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::boolean, input->shape()));
    auto* out = output.mutableElements<std::uint8_t>();
    for (std::int64_t i = 0; i < input->elementCount(); ++i)
        out[i] = f(input->asDouble(i)) ? 1 : 0;
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runIsNaN(KernelContext& c)
{
    return runTest(c, [](double v) { return std::isnan(v); });
}

Result<void> runIsInf(KernelContext& c)
{
    const bool negative = c.attributes().getInt("detect_negative", 1) != 0;
    const bool positive = c.attributes().getInt("detect_positive", 1) != 0;
    return runTest(c, [negative, positive](double v) {
        return std::isinf(v) && (v < 0 ? negative : positive);
    });
}

constexpr OpEntry entries[] = {
    {"", "Equal", 1, inferDecided<decideEqual>, runEqual},
    {"", "Less", 1, inferDecided<decideLess>, runLess},
    {"", "Greater", 1, inferDecided<decideGreater>, runGreater},
    {"", "LessOrEqual", 12, inferDecided<decideLessEqual>, runLessEqual},
    {"", "GreaterOrEqual", 12, inferDecided<decideGreaterEqual>, runGreaterEqual},
    {"", "IsNaN", 9, inferTest, runIsNaN},
    {"", "IsInf", 10, inferTest, runIsInf},
};

} // namespace

std::span<const OpEntry> comparisons()
{
    return entries;
}

} // namespace fusescope::logic
