#include "ops/kernel_support.h"

#include <fmt/format.h>

namespace fusescope {

namespace {

std::int64_t number(std::size_t i)
{
    return static_cast<std::int64_t>(i);
}

Message axisOutOfRange(std::int64_t axis, std::size_t rank)
{
    return Message("ops.axis", {{"axis", axis}, {"rank", number(rank)}});
}

template <class Context>
Result<std::size_t> axisIn(const Context& context, std::int64_t axis, std::size_t rank,
                           bool inclusive)
{
    if (inclusive && axis == number(rank))
        return rank;
    const auto found = normalizeAxis(axis, rank);
    if (!found)
        return context.wrong(axisOutOfRange(axis, rank));
    return *found;
}

std::string rankText(int low, int high)
{
    if (high < 0)
        return fmt::format("≥ {}", low);
    return low == high ? fmt::format("{}", low) : fmt::format("{} … {}", low, high);
}

bool rankFits(std::size_t rank, int low, int high)
{
    return static_cast<int>(rank) >= low && (high < 0 || static_cast<int>(rank) <= high);
}

} // namespace

Message unsupportedType(const KernelContext& context, DType type)
{
    return Message("ops.unsupported-type",
                   {{"op", context.node().op.type}, {"type", std::string(nameOf(type))}});
}

Result<std::size_t> axisOf(const InferenceContext& context, std::int64_t axis, std::size_t rank,
                           bool inclusive)
{
    return axisIn(context, axis, rank, inclusive);
}

Result<std::size_t> axisOf(const KernelContext& context, std::int64_t axis, std::size_t rank,
                           bool inclusive)
{
    return axisIn(context, axis, rank, inclusive);
}

std::int64_t productOf(std::span<const std::int64_t> sizes)
{
    // Beside a 0 the other sizes may be of any magnitude: the product wraps.
    std::uint64_t product = 1;
    for (const std::int64_t size : sizes)
        product *= static_cast<std::uint64_t>(size);
    return static_cast<std::int64_t>(product);
}

std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> shape)
{
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(strides[i]) *
                                                   static_cast<std::uint64_t>(shape[i]));
    return strides;
}

std::string shapeText(std::span<const std::int64_t> shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

Message wrongRank(std::size_t input, std::string expected, std::size_t found)
{
    return Message("ops.rank", {{"input", number(input + 1)},
                                {"expected", std::move(expected)},
                                {"found", number(found)}});
}

Message wrongShape(std::size_t input, std::string expected, std::string found)
{
    return Message("ops.shape", {{"input", number(input + 1)},
                                 {"expected", std::move(expected)},
                                 {"found", std::move(found)}});
}

Message wrongType(std::size_t input, std::string expected, std::string found)
{
    return Message("ops.type", {{"input", number(input + 1)},
                                {"expected", std::move(expected)},
                                {"found", std::move(found)}});
}

Message wrongAttribute(std::string name, std::string expected, std::string found)
{
    return Message("ops.attribute", {{"name", std::move(name)},
                                     {"expected", std::move(expected)},
                                     {"found", std::move(found)}});
}

Message missingAttribute(std::string name)
{
    return Message("ops.missing-attribute", {{"name", std::move(name)}});
}

Message missingInput(std::size_t input)
{
    return Message("ops.missing-input", {{"input", number(input + 1)}});
}

Message wrongValue(std::string what, std::string expected, std::string found)
{
    return Message("ops.value", {{"what", std::move(what)},
                                 {"expected", std::move(expected)},
                                 {"found", std::move(found)}});
}

Message wrongLength(std::string name, std::size_t expected, std::size_t found)
{
    return Message("ops.length", {{"name", std::move(name)},
                                  {"expected", number(expected)},
                                  {"found", number(found)}});
}

Message wrongDivisor(std::string attribute, std::int64_t of, std::int64_t found)
{
    return Message("ops.divisor",
                   {{"name", std::move(attribute)}, {"of", of}, {"found", found}});
}

Message wrongSize(std::size_t input, std::size_t axis, std::string expected, std::string shape)
{
    return Message("ops.size-at-axis", {{"input", number(input + 1)},
                                        {"axis", number(axis)},
                                        {"expected", std::move(expected)},
                                        {"found", std::move(shape)}});
}

Message wrongElement(std::size_t input, std::string expected, std::int64_t found)
{
    return Message("ops.element", {{"input", number(input + 1)},
                                   {"expected", std::move(expected)},
                                   {"found", found}});
}

Message notSquare(std::size_t input, std::string shape)
{
    return Message("ops.square", {{"input", number(input + 1)}, {"found", std::move(shape)}});
}

Message wrongBodyOutputs(std::string attribute, std::size_t expected, std::size_t found)
{
    return Message("ops.body-outputs", {{"name", std::move(attribute)},
                                        {"expected", number(expected)},
                                        {"found", number(found)}});
}

Result<void> requireRank(const InferenceContext& context, std::size_t input, int low, int high)
{
    const Shape& shape = context.shape(input);
    if (shape.hasRank() && !rankFits(shape.rank(), low, high))
        return context.wrong(wrongRank(input, rankText(low, high), shape.rank()));
    return {};
}

Result<void> requireRank(const KernelContext& context, const Tensor& tensor, std::size_t input,
                         int low, int high)
{
    if (!rankFits(tensor.rank(), low, high))
        return context.wrong(wrongRank(input, rankText(low, high), tensor.rank()));
    return {};
}

Result<void> requireCount(const KernelContext& context, const Tensor* tensor, std::size_t input,
                          std::int64_t count)
{
    if (tensor && tensor->elementCount() != count)
        return context.wrong(
            wrongShape(input, "[" + std::to_string(count) + "]", shapeText(tensor->shape())));
    return {};
}

void copyType(InferenceContext& context, std::size_t i, std::size_t from)
{
    context.setOutput(i, context.input(from).type);
}

Result<void> inferSame(InferenceContext& context)
{
    copyType(context);
    return {};
}

} // namespace fusescope
